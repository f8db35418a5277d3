import { recordSlots } from "@moneta/protocol/sentences";
import { type ItemRecord, RECORD_TYPES } from "@moneta/sdk";

export const SALE_TYPES = RECORD_TYPES.filter((type) =>
  /^mrc40[12]_(?:buy|acceptoffer|auctionwinning|auctionbuynow)$/.test(type),
);

export interface ItemSale {
  /** For all units. */
  readonly paid: bigint;
  readonly token: string;
  readonly units: bigint;
  readonly buyer: string | undefined;
}

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
