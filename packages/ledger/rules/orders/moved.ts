import { type Address, type Amount, type TokenId, ZERO } from "@moneta/protocol";
import type { State } from "../../state/state.ts";

/**
 * The state counts a credit of 0 as a movement, which records would name. Source: conventions §8.3.
 */
export function creditMoved(state: State, address: Address, token: TokenId, amount: Amount): void {
  if (amount !== ZERO) {
    state.balances.credit(address, token, amount);
  }
}

/** `creditMoved` for debits. */
export function debitMoved(state: State, address: Address, token: TokenId, amount: Amount): void {
  if (amount !== ZERO) {
    state.balances.debit(address, token, amount);
  }
}
