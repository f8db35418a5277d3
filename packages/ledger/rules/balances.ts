import { type Address, type Amount, type Refused, refuse, type TokenId } from "@moneta/protocol";
import { LOCKS_MAX } from "../state/balance.ts";
import type { Credit, State } from "../state/state.ts";

/** Refused with 5000, or the code that is given, if an address cannot spend so much at once. Source: accounts §8.3, §8.4. */
export function refuseUnaffordable(
  state: State,
  payment: { readonly address: Address; readonly token: TokenId; readonly amount: Amount },
  code: "5000" | "5001" = "5000",
): Refused | undefined {
  const { address, token, amount } = payment;
  const shortage = state.shortage(address, token, amount);
  return shortage && refuse({ code, token, ...shortage });
}

/** Refused with 7118 if one of some credits would lock one amount too many; `parameter` names its unlock date. Source: accounts §8.2. */
export function refuseLocks(
  state: State,
  token: TokenId,
  credits: readonly Required<Credit>[],
  parameter: (index: number) => string,
): Refused | undefined {
  const index = state.creditWithoutRoom(token, credits);
  const credit = index === undefined ? undefined : credits[index];
  if (index === undefined || credit === undefined) {
    return undefined;
  }
  const { address, unlockDate } = credit;
  const reason = `is ${unlockDate} but ${address} has ${LOCKS_MAX} locked amounts of token ${token}, the most there may be: a date that it has already or a payment without unlock date works`;
  return refuse({ code: "7118", parameter: parameter(index), reason });
}
