import type { Json, TokenId } from "@moneta/protocol";
import { type Auction, bidIn, NO_TIMES, type SaleWindow } from "../auction.ts";
import { PROJECT, type Project, policyShown } from "../project-entry.ts";
import type { StateReader } from "../state.ts";
import { existingUnits, UNIT_ITEM, type UnitItem } from "./unit-item-entry.ts";
import { oldestUnitListing } from "./unit-listings.ts";

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

type ShownSale = typeof NO_SALE & Partial<SaleWindow>;
type ShownAuction = typeof NO_AUCTION &
  Partial<Pick<Auction, "auction_extend" | "auction_latest_end">>;

/** As `GET /mrc402/{mrc402id}` shows it; without defaults as in records. Source: mrc402 §3. */
export function unitItemView(
  state: StateReader,
  item: UnitItem,
  withDefaults: boolean = true,
): { readonly [name: string]: Json } {
  const project = item.mrc400 === "" ? undefined : state.find(PROJECT, item.mrc400);
  const units = existingUnits(item);
  const reserves = Object.entries(item.initialreserve);
  const [[token, amount] = ["0", 0n]] = reserves;
  const shown = (
    withDefaults && UNIT_ITEM.jsonWithDefaults ? UNIT_ITEM.jsonWithDefaults : UNIT_ITEM.json
  )(item) as { readonly [name: string]: Json };
  return {
    ...shown,
    name: item.name || (project?.name ?? ""),
    category: item.category || (project?.category ?? ""),
    description: shown["description"] || (project?.texts.read().description ?? ""),
    url: item.url || (project?.url ?? ""),
    image_url: item.image_url || (project?.image_url ?? ""),
    data: shown["data"] || (project?.texts.read().data ?? ""),
    item_url: item.item_url || (project?.item_url ?? ""),
    item_image_url: item.item_image_url || (project?.item_image_url ?? ""),
    allow_token: allowTokenOf(item, project),
    ...policyShown(state, item.mrc400, { number: item.policy_number, withDefaults }),
    owner: ownerOf(state, item),
    holders: item.holders,
    reserve: Object.fromEntries(reserves.map(([of, each]) => [of, String(each * units)])),
    initial_reserve: String(amount),
    initial_token: token,
    sell_count: item.openSales,
    auction_count: item.openAuctions,
    ...(withDefaults ? NO_TIMES : {}),
    ...oldestSale(state, item),
    ...oldestAuction(state, item),
  };
}

export function allowTokenOf(item: UnitItem, project: Project | undefined): TokenId {
  return project === undefined ? item.allow_token : (String(project.allow_token) as TokenId);
}

function ownerOf(state: StateReader, item: UnitItem): string {
  if (existingUnits(item) === 0n) {
    return item.melting_date > 0 ? "MELTED" : "BURNED";
  }
  return item.holders === 1 ? (state.holderOf(item.id) ?? "") : "";
}

function oldestSale(state: StateReader, { id, openSales }: UnitItem): ShownSale {
  const sale = openSales === 0 ? undefined : oldestUnitListing(state, { mrc402: id, side: "sell" });
  return sale?.side === "sell"
    ? {
        sell_date: sale.regdate,
        sell_dexid: sale.dexid,
        sell_price: String(sale.sell_price),
        sell_token: sale.sell_token,
        ...(sale.sell_start !== 0 && { sell_start: sale.sell_start }),
        ...(sale.sell_end !== 0 && { sell_end: sale.sell_end }),
      }
    : NO_SALE;
}

function oldestAuction(state: StateReader, { id, openAuctions }: UnitItem): ShownAuction {
  const lot =
    openAuctions === 0 ? undefined : oldestUnitListing(state, { mrc402: id, side: "auction" });
  if (lot?.side !== "auction") {
    return NO_AUCTION;
  }
  return {
    auction_bidding_unit: String(lot.auction_bidding_unit),
    auction_buynow_price: String(lot.auction_buynow_price),
    auction_current_bidder: lot.auction_current_bidder,
    auction_current_price: String(bidIn(lot)?.amount ?? 0n),
    auction_date: lot.regdate,
    auction_dexid: lot.dexid,
    auction_end: lot.auction_end_date,
    auction_start_price: String(lot.auction_start_price),
    auction_token: lot.sell_token,
    ...(lot.auction_extend !== 0 && {
      auction_extend: lot.auction_extend,
      auction_latest_end: lot.auction_latest_end,
    }),
  };
}
