import { type Address, type Amount, feeOf, type Rate } from "@moneta/protocol";
import { invariant } from "../invariant.ts";

export interface FeeShare {
  readonly payee: Address;
  readonly rate: Rate;
  readonly movement: string;
}

export interface Fee extends FeeShare {
  readonly amount: Amount;
}

/**
 * Each share is rounded down, and the rest remains. The caller has checked that the rates are at
 * most 100 % together. Source: conventions §6.2.
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
