import type { Address, Amount, RecordType, TokenId } from "@moneta/protocol";
import { DATED_AUCTION, type DatedAuction, openAuctionBidder, openAuctionEnd } from "./auction.ts";
import { type DocumentKind, subsetsOf } from "./entries.ts";
import {
  amount,
  type Copy,
  caseOf,
  form,
  number,
  object,
  oneOf,
  stored,
  text,
  token,
} from "./fields.ts";
import { PLATFORM, type Platform } from "./platform.ts";
import { priceText } from "./price-text.ts";

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
  /** Its place among all listings of tokens; no part of the state that blocks commit to. */
  readonly order: number;
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

const copy: Copy = (blank) => ({ ...blank });

/**
 * What listings of every side have; a request shows its creator as the buyer, and others as the
 * seller.
 */
const TERMS = {
  id: text("dexid"),
  state: text<Terms["state"]>("state"),
  token: token("mrc010"),
  amount: amount("amount"),
  remaining: amount("remain_amount"),
  unit: amount("min_trade_unit"),
  platform: PLATFORM,
  listDate: number("regdate"),
  sellDate: number("sell_date"),
  cancelDate: number("cancel_date"),
  recordType: text<RecordType>("job_type"),
  order: stored(number("order")),
};

const OF_SELLER = {
  ...TERMS,
  creator: text<Address>("seller"),
  taker: text<Address | "">("buyer"),
  payToken: token("sell_token", ""),
};

/** As `GET /token/dex/{dexid}` shows it. */
const FIELDS = oneOf<"side", TokenListing>(
  "side",
  {
    sell: object<Terms & Offer>(
      { ...OF_SELLER, side: caseOf("sell", "side"), price: amount("sell_price", "") },
      copy,
    ),
    auction: object<Terms & TokenAuction>(
      { ...OF_SELLER, side: caseOf("auction", "side"), auction: DATED_AUCTION },
      copy,
    ),
    buy: object<Terms & TokenRequest>(
      {
        ...TERMS,
        creator: text("buyer"),
        taker: text("seller"),
        payToken: token("buy_token", ""),
        side: caseOf("buy", "side"),
        price: amount("buy_price", ""),
        escrow: amount("buy_price_total", ""),
      },
      copy,
    ),
  },
  ({ side }) => side as TokenListing["side"],
);

export const TOKEN_LISTING: DocumentKind<TokenListing> = {
  table: {
    name: "token_listing",
    rowNumber: ({ order }) => order,
    columns: {
      side: { type: "TEXT", of: ({ side }) => side },
      state: { type: "TEXT", of: ({ state }) => state },
      token: { type: "INTEGER", of: ({ token }) => Number(token) },
      pay_token: { type: "INTEGER", of: ({ payToken }) => Number(payToken) },
      creator: { type: "ADDRESS", of: ({ creator }) => creator },
      auction_end: { type: "INTEGER", optional: true, of: openAuctionEnd },
      price: {
        type: "TEXT",
        optional: true,
        of: (listing) =>
          listing.side === "sell" && listing.state === "open"
            ? priceText(listing.price, listing.unit)
            : undefined,
      },
      bidder: { type: "ADDRESS", of: openAuctionBidder },
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
  id: ({ id }) => id,
  ...form(FIELDS),
};
