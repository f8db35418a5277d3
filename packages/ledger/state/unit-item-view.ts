import type { Json } from "@moneta/protocol";
import type { JsonObject } from "./fields.ts";
import { PROJECT } from "./project-entry.ts";
import type { StateReader } from "./state.ts";
import { existingUnits, UNIT_ITEM, type UnitItem } from "./unit-item-entry.ts";

const NO_SALE = { sell_date: 0, sell_dexid: "", sell_price: "0", sell_token: "0" };
const NO_AUCTION = {
  auction_bidding_unit: "0",
  auction_buynow_price: "0",
  auction_current_bidder: "",
  auction_current_price: "0",
  auction_date: 0,
  auction_dexid: "",
  auction_end: 0,
  auction_start_price: "0",
  auction_token: "0",
};

/**
 * A multi-unit item as `GET /mrc402/{mrc402id}` shows it, with what follows from its project,
 * holdings and listings. Source: mrc402 §3.
 */
export function unitItemView(
  state: StateReader,
  item: UnitItem,
): { readonly [name: string]: Json } {
  const project = item.project === "" ? undefined : state.find(PROJECT, item.project);
  const units = existingUnits(item);
  const [first] = item.reserve;
  const shown = UNIT_ITEM.json(item) as JsonObject;
  return {
    ...shown,
    name: item.name || (project?.name ?? ""),
    category: item.category || (project?.category ?? ""),
    description: shown["description"] || (project?.texts.read().description ?? ""),
    url: item.url || (project?.url ?? ""),
    image_url: item.imageUrl || (project?.imageUrl ?? ""),
    data: shown["data"] || (project?.texts.read().data ?? ""),
    item_url: item.itemUrl || (project?.itemUrl ?? ""),
    item_image_url: item.itemImageUrl || (project?.itemImageUrl ?? ""),
    allow_token: project?.allowToken ?? item.allowToken,
    // In the order given, which the entry itself has not.
    owner: ownerOf(state, item),
    holders: item.holders,
    reserve: Object.fromEntries(
      item.reserve.map(({ token, amount }) => [token, String(amount * units)]),
    ),
    initial_reserve: String(first?.amount ?? 0n),
    initial_token: first?.token ?? "0",
    sell_count: item.openSales,
    auction_count: item.openAuctions,
    ...oldestSale(state, item),
    ...oldestAuction(state, item),
  };
}

function ownerOf(state: StateReader, item: UnitItem): string {
  if (existingUnits(item) === 0n) {
    return item.meltDate > 0 ? "MELTED" : "BURNED";
  }
  return item.holders === 1 ? (state.holderOf(item.id) ?? "") : "";
}

function oldestSale(state: StateReader, { id, openSales }: UnitItem): typeof NO_SALE {
  const sale = openSales === 0 ? undefined : state.oldestUnitListing({ item: id, side: "sell" });
  return sale?.side === "sell"
    ? {
        sell_date: sale.listDate,
        sell_dexid: sale.id,
        sell_price: String(sale.price),
        sell_token: sale.payToken,
      }
    : NO_SALE;
}

function oldestAuction(state: StateReader, { id, openAuctions }: UnitItem): typeof NO_AUCTION {
  const lot =
    openAuctions === 0 ? undefined : state.oldestUnitListing({ item: id, side: "auction" });
  if (lot?.side !== "auction") {
    return NO_AUCTION;
  }
  const { bidUnit, buyNowPrice, bid, endDate, startPrice } = lot.auction;
  return {
    auction_bidding_unit: String(bidUnit),
    auction_buynow_price: String(buyNowPrice),
    auction_current_bidder: bid?.bidder ?? "",
    auction_current_price: String(bid?.amount ?? 0n),
    auction_date: lot.listDate,
    auction_dexid: lot.id,
    auction_end: endDate,
    auction_start_price: String(startPrice),
    auction_token: lot.payToken,
  };
}
