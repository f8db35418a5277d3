import {
  type Address,
  type Amount,
  type Json,
  NO_RATE,
  parseRate,
  type Rate,
  type RecordType,
  rateText,
  type TokenId,
} from "@moneta/protocol";
import type { DatedAuction } from "./auction.ts";
import { type DatedAuctionJson, datedAuctionJson, restoreDatedAuction } from "./dated-auction.ts";
import { type DocumentKind, documentKind, subsetsOf } from "./entries.ts";
import type { Platform } from "./platform.ts";
import { storedAmount } from "./stored-amount.ts";

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

export const UNIT_LISTING: DocumentKind<UnitListing> = documentKind({
  table: {
    name: "unit_listing",
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
      auction_end: {
        type: "INTEGER",
        optional: true,
        of: (listing) =>
          listing.side === "auction" && listing.state === "open"
            ? listing.auction.endDate
            : undefined,
      },
    },
    indexes: [
      // An item says which project: nobody needs both.
      ...[[], ["item"], ["project"]].flatMap((of) =>
        subsetsOf(["seller", "pay_token"]).map((filters) => [...of, ...filters, "side", "state"]),
      ),
      // What an item's id means: the oldest listing, those of one seller or of all others, the first auction to end.
      ["open_of_item"],
      ["open_of_item", "seller"],
      ["open_of_item", "auction_end"],
      ["auction_end"],
    ],
  },
  prefix: "dex402/",
  id: ({ id }) => id,
  json: unitListingJson,
  stored: (listing) => ({
    ...unitListingJson(listing),
    itemOrder: listing.itemOrder,
    projectOrder: listing.projectOrder ?? null,
  }),
  restore: restoreUnitListing,
});

function unitListingJson(listing: UnitListing): UnitListingJson {
  const { platform } = listing;
  return {
    agent: listing.agent,
    amount: String(listing.amount),
    ...datedAuctionJson(listing.side === "auction" ? listing.auction : undefined),
    buyer: listing.buyer,
    cancel_date: listing.cancelDate,
    dexid: listing.id,
    job_type: listing.recordType,
    mrc402: listing.item,
    platform_address: platform.address,
    platform_commission: rateText(platform.commission),
    platform_name: platform.name,
    platform_url: platform.url,
    regdate: listing.listDate,
    remain_amount: String(listing.remaining),
    sell_date: listing.sellDate,
    sell_fee: rateText(listing.sellFee),
    sell_price: listing.side === "sell" ? String(listing.price) : "0",
    sell_token: listing.payToken,
    seller: listing.seller,
    side: listing.side,
    state: listing.state,
  };
}

type UnitListingJson = DatedAuctionJson & {
  readonly agent: Address | "";
  readonly amount: string;
  readonly buyer: Address | "";
  readonly cancel_date: number;
  readonly dexid: string;
  readonly job_type: RecordType;
  readonly mrc402: string;
  readonly platform_address: Address | "";
  readonly platform_commission: string;
  readonly platform_name: string;
  readonly platform_url: string;
  readonly regdate: number;
  readonly remain_amount: string;
  readonly sell_date: number;
  readonly sell_fee: string;
  readonly sell_price: string;
  readonly sell_token: TokenId;
  readonly seller: Address;
  readonly side: UnitListing["side"];
  readonly state: UnitListing["state"];
};

function restoreUnitListing(json: Json): UnitListing {
  const stored = json as unknown as UnitListingJson & {
    readonly itemOrder: number;
    readonly projectOrder: number | null;
  };
  const terms: Terms = {
    id: stored.dexid,
    item: stored.mrc402,
    itemOrder: stored.itemOrder,
    projectOrder: stored.projectOrder ?? undefined,
    state: stored.state,
    seller: stored.seller,
    agent: stored.agent,
    buyer: stored.buyer,
    amount: storedAmount(stored.amount),
    remaining: storedAmount(stored.remain_amount),
    payToken: stored.sell_token,
    sellFee: parseRate(stored.sell_fee) ?? NO_RATE,
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
  return stored.side === "sell"
    ? { ...terms, side: "sell", price: storedAmount(stored.sell_price) }
    : { ...terms, side: "auction", auction: restoreDatedAuction(stored) };
}
