import { BUNDLE_MAX } from "@moneta/protocol";
import { invariant } from "../../invariant.ts";

const OPERATIONS_MAX = 512;

/** From the transaction's number and the place in its bundle. Source: bundles §6. */
export function operationNumber(transaction: number, index: number): number {
  invariant(index < BUNDLE_MAX, "no bundle has more operations");
  return transaction * OPERATIONS_MAX + index;
}

export function operationNumbered(number: number): {
  readonly transaction: number;
  readonly index: number;
} {
  return { transaction: Math.floor(number / OPERATIONS_MAX), index: number % OPERATIONS_MAX };
}
