import {
  type Address,
  type Amount,
  type HeldAs,
  shownTokenListing,
  type TokenId,
  ZERO,
} from "@moneta/protocol";
import {
  type DatedAuction,
  NO_TIMES,
  openAuctionBidder,
  openAuctionEnd,
  type SaleWindow,
} from "./auction.ts";
import { documentForm } from "./document.ts";
import { type DocumentKind, subsetsOf } from "./entries.ts";
import { priceText } from "./price-text.ts";

type ListingDocument = HeldAs<typeof shownTokenListing.schema>;

/** A request has its creator as the buyer, others as the seller. */
export type TokenListing = ListingDocument & {
  readonly order: number;
} & (Offer | TokenRequest | TokenAuction);

/** Held in escrow: the units that remain. */
export interface Offer extends SaleWindow {
  readonly side: "sell";
  readonly seller: Address;
  readonly sell_price: Amount;
  readonly sell_token: TokenId;
}

export interface TokenRequest {
  readonly side: "buy";
  readonly buyer: Address;
  readonly buy_price: Amount;
  readonly buy_token: TokenId;
  /** In escrow, of the payment token: for what remains, commission included. */
  readonly buy_price_total: Amount;
}

/** Held in escrow: the lot, and the highest bid. */
export interface TokenAuction extends DatedAuction {
  readonly side: "auction";
  readonly seller: Address;
  readonly sell_token: TokenId;
}

export const NO_TERMS = {
  ...{ seller: "", buyer: "", sell_price: "", sell_token: "" },
  ...{ buy_price: "", buy_token: "", buy_price_total: "" },
  ...{ auction_bid_count: 0, auction_start_date: 0, auction_end_date: 0, auction_settle_date: 0 },
  ...{ auction_bidding_unit: ZERO, auction_start_price: ZERO, auction_buynow_price: ZERO },
  ...{ auction_current_price: "", auction_current_bidder: "" },
  ...NO_TIMES,
} as const satisfies Partial<ListingDocument>;

export function creatorOf(listing: TokenListing): Address {
  return listing.side === "buy" ? listing.buyer : listing.seller;
}

export function payTokenOf(listing: TokenListing): TokenId {
  return listing.side === "buy" ? listing.buy_token : listing.sell_token;
}

export function withTaker<L extends TokenListing>(listing: L, taker: Address): L {
  return listing.side === "buy" ? { ...listing, seller: taker } : { ...listing, buyer: taker };
}

export const TOKEN_LISTING: DocumentKind<TokenListing> = {
  table: {
    name: "token_listing",
    rowNumber: ({ order }) => order,
    columns: {
      side: { type: "TEXT", of: ({ side }) => side },
      state: { type: "TEXT", of: ({ state }) => state },
      token: { type: "INTEGER", of: ({ mrc010 }) => Number(mrc010) },
      pay_token: { type: "INTEGER", of: (listing) => Number(payTokenOf(listing)) },
      creator: { type: "ADDRESS", of: creatorOf },
      auction_end: { type: "INTEGER", optional: true, of: openAuctionEnd },
      price: {
        type: "TEXT",
        optional: true,
        of: (listing) =>
          listing.side === "sell" && listing.state === "open"
            ? priceText(listing.sell_price, listing.min_trade_unit)
            : undefined,
      },
      bidder: { type: "ADDRESS", of: openAuctionBidder },
      sell_end: { type: "INTEGER", optional: true, of: ({ sell_end }) => sell_end || undefined },
    },
    indexes: [
      ...subsetsOf(["token", "pay_token", "creator"]).map((filters) => [
        ...filters,
        "side",
        "state",
      ]),
      ["auction_end"],
      ["token", "pay_token", "price"],
      ["bidder"],
    ],
  },
  prefix: "dex010/",
  noun: "a listing",
  id: ({ dexid }) => dexid,
  ...documentForm<TokenListing, ListingDocument, "order">(shownTokenListing, {
    defaults: NO_TIMES,
    stored: ["order"],
    beside: {},
    copy: (blank) => ({ ...blank }),
  }),
};
