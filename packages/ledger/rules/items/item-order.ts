import { ITEMS_MAX } from "@moneta/protocol";
import { invariant } from "../../invariant.ts";

/**
 * The place of a new item among all items, those of one unit and those of many: lists of both go by
 * it. It follows from the transaction that creates it and from its place among the items that this
 * one creates.
 */
export function itemOrder(transactionNumber: number, place: number): number {
  invariant(place < ITEMS_MAX, "no transaction creates more items");
  return transactionNumber * ITEMS_MAX + place;
}
