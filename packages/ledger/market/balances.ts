import {
  type Address,
  type Amount,
  type ExchangeSide,
  type Refused,
  refuse,
  type TokenId,
} from "@moneta/protocol";
import { LOCKS_MAX } from "../state/balances/balance.ts";
import type { Credit } from "../state/balances/balances.ts";
import type { State } from "../state/state.ts";

interface Payment {
  readonly address: Address;
  readonly token: TokenId;
  readonly amount: Amount;
}

/** Refused with 5000. Source: accounts §8.3, §8.4. */
export function refuseUnaffordable(
  state: State,
  { address, token, amount }: Payment,
): Refused | undefined {
  const shortage = state.balances.shortage(address, token, amount);
  return shortage && refuse({ code: "5000", token, ...shortage });
}

/** Refused with 5001. Source: accounts §10, §11. */
export function refuseUnaffordableTransfer(
  state: State,
  { address, token, amount }: Payment,
): Refused | undefined {
  const shortage = state.balances.shortage(address, token, amount);
  return shortage && refuse({ code: "5001", token, ...shortage });
}

/** Refused with 5001, or 5002 for the to side. Source: protocols §3. */
export function refuseUnaffordableSide(
  state: State,
  side: ExchangeSide,
  { address, token, amount }: Payment,
): Refused | undefined {
  const shortage = state.balances.shortage(address, token, amount);
  return (
    shortage &&
    (side === "from"
      ? refuse({ code: "5001", token, ...shortage })
      : refuse({ code: "5002", token, ...shortage }))
  );
}

/**
 * Refused with 7118 for too many locks; `parameter` names the unlock date. Source: accounts §8.2.
 */
export function refuseLocks(
  state: State,
  token: TokenId,
  credits: readonly Required<Credit>[],
  parameter: (index: number) => string,
): Refused | undefined {
  const index = state.balances.creditWithoutRoom(token, credits);
  const credit = index === undefined ? undefined : credits[index];
  if (index === undefined || credit === undefined) {
    return undefined;
  }
  const { address, unlockDate } = credit;
  const reason = `is ${unlockDate} but ${address} has ${LOCKS_MAX} locked amounts of token ${token}, the most there may be: a date that it has already or a payment without unlock date works`;
  return refuse({ code: "7118", parameter: parameter(index), reason });
}
