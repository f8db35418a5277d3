import { ITEMS_MAX } from "@moneta/protocol";
import { invariant } from "../../invariant.ts";

/** One order of items and multi-unit items, from the operation's number and the place in it. */
export function itemOrder(operationNumber: number, place: number): number {
  invariant(place < ITEMS_MAX, "no operation creates more items");
  return operationNumber * ITEMS_MAX + place;
}
