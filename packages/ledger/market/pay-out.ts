import type { Address, Amount, TokenId } from "@moneta/protocol";
import type { State } from "../state/state.ts";
import { distribute, type Fee, type FeeShare } from "./fees.ts";
import type { Movement } from "./payments.ts";

/** Pays from escrow, or after a debit: the shares, then the rest to one payee, in that order. */
export function payOut(
  state: State,
  amount: Amount,
  to: {
    readonly from: string;
    readonly token: TokenId;
    readonly shares: readonly FeeShare[];
    readonly payee: Address;
    readonly movement: string;
  },
): {
  readonly fees: readonly Fee[];
  readonly rest: Amount;
  readonly movements: readonly Movement[];
} {
  const { from, token, shares, payee, movement } = to;
  const { fees, rest } = distribute(amount, shares);
  for (const fee of fees) {
    state.balances.creditShare(fee.payee, token, fee.amount);
  }
  const parts: { payee: Address; amount: Amount; movement: string }[] = [...fees];
  if (rest > 0n) {
    state.balances.credit(payee, token, rest);
    parts.push({ payee, amount: rest, movement });
  }
  const movements = parts.map((part) => ({
    type: part.movement,
    from,
    to: part.payee,
    amount: part.amount,
    token,
  }));
  return { fees, rest, movements };
}
