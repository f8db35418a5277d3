import { type Amount, type HeldAs, shownUnitListing, ZERO } from "@moneta/protocol";
import {
  type DatedAuction,
  NO_TIMES,
  openAuctionBidder,
  openAuctionEnd,
  type SaleWindow,
} from "../auction.ts";
import { documentForm } from "../document.ts";
import { type DocumentKind, subsetsOf } from "../entries.ts";
import { priceText } from "../price-text.ts";
import { placeOfItem } from "./unit-item-entry.ts";

type ListingDocument = HeldAs<typeof shownUnitListing.schema>;

/** The document of mrc402 §3, and its item's place. */
export type UnitListing = ListingDocument & {
  readonly itemOrder: number;
  /** Undefined if it stands alone. */
  readonly projectOrder: number | undefined;
  readonly order: number;
} & (UnitSale | UnitAuction);

export interface UnitSale extends SaleWindow {
  readonly side: "sell";
  /** Per unit. */
  readonly sell_price: Amount;
}

export interface UnitAuction extends DatedAuction {
  readonly side: "auction";
}

export const NO_TERMS = {
  sell_price: ZERO,
  ...{ auction_bid_count: 0, auction_start_date: 0, auction_end_date: 0, auction_settle_date: 0 },
  ...{ auction_bidding_unit: ZERO, auction_start_price: ZERO, auction_buynow_price: ZERO },
  ...{ auction_current_price: "", auction_current_bidder: "" },
  ...NO_TIMES,
} as const satisfies Partial<ListingDocument>;

export type ItemSide = Pick<UnitListing, "mrc402" | "side">;

export function openKey({ mrc402, side }: ItemSide): string {
  return `${mrc402} ${side}`;
}

export const UNIT_LISTING: DocumentKind<UnitListing> = {
  table: {
    name: "unit_listing",
    rowNumber: ({ order }) => order,
    columns: {
      item: { type: "INTEGER", of: ({ itemOrder }) => itemOrder },
      project: { type: "INTEGER", optional: true, of: ({ projectOrder }) => projectOrder },
      side: { type: "TEXT", of: ({ side }) => side },
      state: { type: "TEXT", of: ({ state }) => state },
      seller: { type: "ADDRESS", of: ({ seller }) => seller },
      pay_token: { type: "INTEGER", of: ({ sell_token }) => Number(sell_token) },
      open_of_item: {
        type: "TEXT",
        optional: true,
        of: (listing) => (listing.state === "open" ? openKey(listing) : undefined),
      },
      auction_end: { type: "INTEGER", optional: true, of: openAuctionEnd },
      price: {
        type: "TEXT",
        optional: true,
        of: (listing) =>
          listing.side === "sell" && listing.state === "open"
            ? priceText(listing.sell_price)
            : undefined,
      },
      bidder: { type: "ADDRESS", of: openAuctionBidder },
      sell_end: { type: "INTEGER", optional: true, of: ({ sell_end }) => sell_end || undefined },
    },
    indexes: [
      // An item determines its project, so no query has both.
      ...[[], ["item"], ["project"]].flatMap((of) =>
        subsetsOf(["seller", "pay_token"]).map((filters) => [...of, ...filters, "side", "state"]),
      ),
      // Meanings of an item's id: the oldest listing, by seller, and the first auction to end.
      ["open_of_item"],
      ["open_of_item", "seller"],
      ["open_of_item", "auction_end"],
      ["auction_end"],
      ["pay_token", "price"],
      ["bidder"],
    ],
  },
  prefix: "dex402/",
  noun: "a listing",
  id: ({ dexid }) => dexid,
  follows: (_, { mrc402 }, state) => placeOfItem(state, mrc402 as string),
  ...documentForm<UnitListing, ListingDocument, "order">(shownUnitListing, {
    defaults: NO_TIMES,
    stored: ["order"],
    beside: { itemOrder: 0, projectOrder: undefined },
    copy: (blank) => ({ ...blank }),
  }),
};
