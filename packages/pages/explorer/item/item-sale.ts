import { recordSlots } from "@moneta/protocol/sentences";
import { type ItemRecord, RECORD_TYPES } from "@moneta/sdk";

/** The types of records that an item or a multi-unit item has of its sales. */
export const SALE_TYPES = RECORD_TYPES.filter((type) =>
  /^mrc40[12]_(?:buy|acceptoffer|auctionwinning|auctionbuynow)$/.test(type),
);

/** A sale of an item, or of units. */
export interface ItemSale {
  /** The total price of all units. */
  readonly paid: bigint;
  readonly token: string;
  /** 1 of an item. */
  readonly units: bigint;
  readonly buyer: string | undefined;
}

/** The sale of a record; undefined if it names no payment. */
export function itemSale(record: ItemRecord): ItemSale | undefined {
  const slots = recordSlots(record);
  const paid = slots.get("paid");
  const traded = slots.get("traded");
  const buyer = slots.get("buyer") ?? slots.get("winner");
  return paid?.is !== "amount"
    ? undefined
    : {
        paid: paid.amount,
        token: paid.token,
        units: record.type.startsWith("mrc402") && traded?.is === "units" ? traded.amount : 1n,
        buyer: buyer?.is === "addresses" ? buyer.addresses[0] : undefined,
      };
}
