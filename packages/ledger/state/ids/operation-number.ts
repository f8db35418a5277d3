import { BUNDLE_MAX } from "@moneta/protocol";
import { invariant } from "../../invariant.ts";

/** More operations than one transaction has. */
const OPERATIONS_MAX = 512;

/**
 * The number of an operation among all of the ledger, in their order: it follows from the running
 * number of its transaction and from its place in its bundle, 0 for a lone one. Source: bundles §6.
 */
export function operationNumber(transaction: number, index: number): number {
  invariant(index < BUNDLE_MAX, "no bundle has more operations");
  return transaction * OPERATIONS_MAX + index;
}

/** The operation with a number. */
export function operationNumbered(number: number): {
  readonly transaction: number;
  readonly index: number;
} {
  return { transaction: Math.floor(number / OPERATIONS_MAX), index: number % OPERATIONS_MAX };
}
