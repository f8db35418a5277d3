import {
  type Address,
  type Amount,
  type Json,
  NO_RATE,
  parseRate,
  type RecordType,
  rateText,
  type TokenId,
} from "@moneta/protocol";
import type { DatedAuction } from "./auction.ts";
import { type DatedAuctionJson, datedAuctionJson, restoreDatedAuction } from "./dated-auction.ts";
import { type DocumentKind, documentKind, subsetsOf } from "./entries.ts";
import type { Platform } from "./platform.ts";
import { storedAmount } from "./stored-amount.ts";

/** Units of a token that are offered, asked for, or up for auction. Source: tokens §8. */
export type TokenListing = Terms & (Offer | TokenRequest | TokenAuction);

interface Terms {
  /** `DEX010_` and 33 hex digits. */
  readonly id: string;
  readonly state: "open" | "sold" | "cancelled" | "failed";
  readonly creator: Address;
  /** Who traded with the creator last, or won; `""` if nobody has. */
  readonly taker: Address | "";
  /** What is listed, X. */
  readonly token: TokenId;
  /** What is paid with, Y. */
  readonly payToken: TokenId;
  readonly amount: Amount;
  /** What has not been traded; after a cancel what was given back. */
  readonly remaining: Amount;
  /** Every trade is a whole multiple of it, and the price is for so many. */
  readonly unit: Amount;
  readonly platform: Platform;
  /** Unix seconds; 0 for what has not happened. */
  readonly listDate: number;
  readonly sellDate: number;
  readonly cancelDate: number;
  /** Type of the newest record of the listing. */
  readonly recordType: RecordType;
}

/** Held in escrow: the units that remain. */
export interface Offer {
  readonly side: "sell";
  readonly price: Amount;
}

export interface TokenRequest {
  readonly side: "buy";
  readonly price: Amount;
  /** Of the payment token: for what remains, commission included. */
  readonly escrow: Amount;
}

/** Held in escrow: the lot, and the highest bid. */
export interface TokenAuction {
  readonly side: "auction";
  readonly auction: DatedAuction;
}

export const TOKEN_LISTING: DocumentKind<TokenListing> = documentKind({
  table: {
    name: "token_listing",
    columns: {
      side: { type: "TEXT", of: ({ side }) => side },
      state: { type: "TEXT", of: ({ state }) => state },
      token: { type: "INTEGER", of: ({ token }) => Number(token) },
      pay_token: { type: "INTEGER", of: ({ payToken }) => Number(payToken) },
      creator: { type: "ADDRESS", of: ({ creator }) => creator },
      auction_end: { type: "INTEGER", optional: true, of: openAuctionEnd },
    },
    indexes: [
      ...subsetsOf(["token", "pay_token", "creator"]).map((filters) => [
        ...filters,
        "side",
        "state",
      ]),
      ["auction_end"],
    ],
  },
  prefix: "dex010/",
  id: ({ id }) => id,
  json: tokenListingJson,
  restore: restoreTokenListing,
});

/** When an auction ends that is not closed yet. */
function openAuctionEnd(listing: TokenListing): number | undefined {
  return listing.side === "auction" && listing.state === "open"
    ? listing.auction.endDate
    : undefined;
}

const NO_OFFER = { sell_price: "", sell_token: "" };
const NO_REQUEST = { buy_price: "", buy_price_total: "", buy_token: "" };
/** As `GET /token/dex/{dexid}` shows it. Members in the order of RFC 8785. */
function tokenListingJson(
  listing: TokenListing,
): StoredListing & { readonly [name: string]: Json } {
  const { platform } = listing;
  const auction = datedAuctionJson(listing.side === "auction" ? listing.auction : undefined);
  const request = requestJson(listing);
  const offer = offerJson(listing);
  return {
    amount: String(listing.amount),
    ...auction,
    buy_price: request.buy_price,
    buy_price_total: request.buy_price_total,
    buy_token: request.buy_token,
    buyer: listing.side === "buy" ? listing.creator : listing.taker,
    cancel_date: listing.cancelDate,
    dexid: listing.id,
    job_type: listing.recordType,
    min_trade_unit: String(listing.unit),
    mrc010: listing.token,
    platform_address: platform.address,
    platform_commission: rateText(platform.commission),
    platform_name: platform.name,
    platform_url: platform.url,
    regdate: listing.listDate,
    remain_amount: String(listing.remaining),
    sell_date: listing.sellDate,
    sell_price: offer.sell_price,
    sell_token: offer.sell_token,
    seller: listing.side === "buy" ? listing.taker : listing.creator,
    side: listing.side,
    state: listing.state,
  };
}

function offerJson(listing: TokenListing): typeof NO_OFFER {
  switch (listing.side) {
    case "sell":
      return { sell_price: String(listing.price), sell_token: listing.payToken };
    case "auction":
      return { sell_price: "", sell_token: listing.payToken };
    case "buy":
      return NO_OFFER;
  }
}

function requestJson(listing: TokenListing): typeof NO_REQUEST {
  return listing.side === "buy"
    ? {
        buy_price: String(listing.price),
        buy_price_total: String(listing.escrow),
        buy_token: listing.payToken,
      }
    : NO_REQUEST;
}

type StoredListing = typeof NO_OFFER &
  typeof NO_REQUEST &
  DatedAuctionJson & {
    readonly amount: string;
    readonly buyer: Address | "";
    readonly cancel_date: number;
    readonly dexid: string;
    readonly job_type: RecordType;
    readonly min_trade_unit: string;
    readonly mrc010: TokenId;
    readonly platform_address: Address | "";
    readonly platform_commission: string;
    readonly platform_name: string;
    readonly platform_url: string;
    readonly regdate: number;
    readonly remain_amount: string;
    readonly sell_date: number;
    readonly seller: Address | "";
    readonly side: TokenListing["side"];
    readonly state: TokenListing["state"];
  };

function restoreTokenListing(json: Json): TokenListing {
  const stored = json as unknown as StoredListing;
  const isRequest = stored.side === "buy";
  const terms: Terms = {
    id: stored.dexid,
    state: stored.state,
    creator: (isRequest ? stored.buyer : stored.seller) as Address,
    taker: isRequest ? stored.seller : stored.buyer,
    token: stored.mrc010,
    payToken: (isRequest ? stored.buy_token : stored.sell_token) as TokenId,
    amount: storedAmount(stored.amount),
    remaining: storedAmount(stored.remain_amount),
    unit: storedAmount(stored.min_trade_unit),
    platform: {
      name: stored.platform_name,
      url: stored.platform_url,
      address: stored.platform_address,
      commission: parseRate(stored.platform_commission) ?? NO_RATE,
    },
    listDate: stored.regdate,
    sellDate: stored.sell_date,
    cancelDate: stored.cancel_date,
    recordType: stored.job_type,
  };
  switch (stored.side) {
    case "sell":
      return { ...terms, side: "sell", price: storedAmount(stored.sell_price) };
    case "buy":
      return {
        ...terms,
        side: "buy",
        price: storedAmount(stored.buy_price),
        escrow: storedAmount(stored.buy_price_total),
      };
    case "auction":
      return {
        ...terms,
        side: "auction",
        auction: restoreDatedAuction(stored),
      };
  }
}
