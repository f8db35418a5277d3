import type { Address, Amount, Rate, RecordType, TokenId } from "@moneta/protocol";
import { DATED_AUCTION, type DatedAuction, openAuctionBidder, openAuctionEnd } from "./auction.ts";
import { type DocumentKind, subsetsOf } from "./entries.ts";
import {
  amount,
  type Copy,
  caseOf,
  form,
  number,
  numberOrNone,
  object,
  oneOf,
  rate,
  stored,
  text,
  token,
} from "./fields.ts";
import { PLATFORM, type Platform } from "./platform.ts";
import { priceText } from "./price-text.ts";

/** Units of an item that are on sale or on auction. Source: mrc402 §3. */
export type UnitListing = Terms & (UnitSale | UnitAuction);

interface Terms {
  /** `DEX402_` and 33 hex digits. */
  readonly id: string;
  readonly item: string;
  /** `order` of the item. */
  readonly itemOrder: number;
  /** `order` of the item's project, undefined if it stands alone. */
  readonly projectOrder: number | undefined;
  readonly state: "open" | "sold" | "cancelled" | "failed";
  readonly seller: Address;
  /** Who listed it for the seller; `""` if that was the seller. */
  readonly agent: Address | "";
  /** Who bought last, or won; `""` if nobody has. */
  readonly buyer: Address | "";
  readonly amount: Amount;
  /** What has not been traded; after a cancel or failure what went back. */
  readonly remaining: Amount;
  /** What is paid with. */
  readonly payToken: TokenId;
  /** The item's sell fee when it was listed. */
  readonly sellFee: Rate;
  readonly platform: Platform;
  /** Unix seconds; 0 for what has not happened. */
  readonly listDate: number;
  readonly sellDate: number;
  readonly cancelDate: number;
  /** Type of the newest record of the listing. */
  readonly recordType: RecordType;
  /** Its place among all listings of units; no part of the state that blocks commit to. */
  readonly order: number;
}

export interface UnitSale {
  readonly side: "sell";
  /** Per unit. */
  readonly price: Amount;
}

export interface UnitAuction {
  readonly side: "auction";
  readonly auction: DatedAuction;
}

/** An item, and a side of its market. */
export type ItemSide = Pick<UnitListing, "item" | "side">;

/** What open listings of an item are found by. */
export function openKey({ item, side }: ItemSide): string {
  return `${item} ${side}`;
}

const copy: Copy = (blank) => ({ ...blank });

const TERMS = {
  id: text("dexid"),
  item: text("mrc402"),
  itemOrder: stored(number("itemOrder")),
  projectOrder: stored(numberOrNone("projectOrder")),
  state: text<Terms["state"]>("state"),
  seller: text<Address>("seller"),
  agent: text<Address | "">("agent"),
  buyer: text<Address | "">("buyer"),
  amount: amount("amount"),
  remaining: amount("remain_amount"),
  payToken: token("sell_token"),
  sellFee: rate("sell_fee"),
  platform: PLATFORM,
  listDate: number("regdate"),
  sellDate: number("sell_date"),
  cancelDate: number("cancel_date"),
  recordType: text<RecordType>("job_type"),
  order: stored(number("order")),
};

const FIELDS = oneOf<"side", UnitListing>(
  "side",
  {
    sell: object<Terms & UnitSale>(
      { ...TERMS, side: caseOf("sell", "side"), price: amount("sell_price") },
      copy,
    ),
    auction: object<Terms & UnitAuction>(
      { ...TERMS, side: caseOf("auction", "side"), auction: DATED_AUCTION },
      copy,
    ),
  },
  ({ side }) => side as UnitListing["side"],
);

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
      pay_token: { type: "INTEGER", of: ({ payToken }) => Number(payToken) },
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
            ? priceText(listing.price)
            : undefined,
      },
      bidder: { type: "ADDRESS", of: openAuctionBidder },
    },
    indexes: [
      // An item says which project: nobody needs both.
      ...[[], ["item"], ["project"]].flatMap((of) =>
        subsetsOf(["seller", "pay_token"]).map((filters) => [...of, ...filters, "side", "state"]),
      ),
      // What an item's id means: the oldest listing, those of one seller or of all others, the
      // first auction to end.
      ["open_of_item"],
      ["open_of_item", "seller"],
      ["open_of_item", "auction_end"],
      ["auction_end"],
      ["pay_token", "price"],
      ["bidder"],
    ],
  },
  prefix: "dex402/",
  id: ({ id }) => id,
  ...form(FIELDS),
};
