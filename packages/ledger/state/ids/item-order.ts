import { ITEMS_MAX } from "@moneta/protocol";
import { invariant } from "../../invariant.ts";

/**
 * The place of a new item among all items, those of one unit and those of many, by which lists of
 * both are ordered. It follows from the number of the operation that creates it and from its place
 * among the items of that operation.
 */
export function itemOrder(operationNumber: number, place: number): number {
  invariant(place < ITEMS_MAX, "no operation creates more items");
  return operationNumber * ITEMS_MAX + place;
}
