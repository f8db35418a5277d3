import { type Address, type Amount, feeOf, type Rate } from "@moneta/protocol";
import { invariant } from "../invariant.ts";

/** A part of an amount, its recipient, and the name of its movement. */
export interface FeeShare {
  readonly payee: Address;
  readonly rate: Rate;
  readonly movement: string;
}

/** A part of an amount, ready to be paid. */
export interface Fee extends FeeShare {
  readonly amount: Amount;
}

/**
 * Divides an amount: each share is rounded down from the whole amount, and the rest is the
 * rest. The fees and the rest add up to the amount. The caller has seen to it that the rates are
 * together at most 100 %. Source: conventions §6.2.
 */
export function distribute(
  amount: Amount,
  shares: readonly FeeShare[],
): { readonly fees: readonly Fee[]; readonly rest: Amount } {
  const fees = shares.map((share) => ({ ...share, amount: feeOf(amount, share.rate) }));
  const rest = fees.reduce((left, fee) => left - fee.amount, amount as bigint);
  invariant(rest >= 0n, "rates that exceed the whole are refused");
  return { fees: fees.filter((fee) => fee.amount > 0n), rest: rest as Amount };
}
