import { type Address, type Amount, type TokenId, ZERO } from "@moneta/protocol";
import type { State } from "../../state/state.ts";

/**
 * Credits what an order or a trade gives. The state takes a credit of 0 for a movement, which the
 * records would name. Source: protocols §1.3.
 */
export function creditMoved(state: State, address: Address, token: TokenId, amount: Amount): void {
  if (amount !== ZERO) {
    state.credit(address, token, amount);
  }
}

/** As `creditMoved`, of what an order or a trade takes. */
export function debitMoved(state: State, address: Address, token: TokenId, amount: Amount): void {
  if (amount !== ZERO) {
    state.debit(address, token, amount);
  }
}
