import { type Address, type Amount, type Refused, refuse, type TokenId } from "@moneta/protocol";
import type { State } from "../state/state.ts";

/** Refused with 5000 if an address cannot spend so much. */
export function refuseUnaffordable(
  state: State,
  payment: { readonly address: Address; readonly token: TokenId; readonly amount: Amount },
): Refused | undefined {
  const { address, token, amount: needed } = payment;
  const spendable = state.spendable(address, token);
  return spendable < needed ? refuse({ code: "5000", token, needed, spendable }) : undefined;
}
