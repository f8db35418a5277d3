import {
  type Address,
  type Amount,
  type Json,
  NO_RATE,
  parseRate,
  type Rate,
  rateText,
  type TokenId,
  type Transferable,
  ZERO,
} from "@moneta/protocol";
import type { Auction } from "./auction.ts";
import { type DocumentKind, documentKind, subsetsOf } from "./entries.ts";
import { storedAmount } from "./stored-amount.ts";

/** An item of a project. Source: mrc401 §2, §6. */
export interface Item {
  /** Id of the project, `_` and the item's number. */
  readonly id: string;
  readonly project: string;
  /** `order` of the project. */
  readonly projectOrder: number;
  /** Owner of the project: it never changes. */
  readonly projectOwner: Address;
  /** Whose it is; `""` while it is fresh, which is the project's owner's. Of a melted item: whose it was. */
  readonly owner: Address | "";
  readonly creator: Address;
  /** `""` for what the item does not say of itself. */
  readonly url: string;
  readonly imageUrl: string;
  readonly group: string;
  /** Unix seconds. */
  readonly createDate: number;
  /** What is paid out when it is melted. */
  readonly reserve: Amount;
  readonly reserveToken: TokenId;
  readonly meltFee: Rate;
  /** For the next listing: one that is open has its own. */
  readonly sellFee: Rate;
  readonly transferable: Transferable;
  /** From when on it may be melted, Unix seconds. */
  readonly expireDate: number;
  readonly lastTrade: ItemTrade | undefined;
  readonly condition: Condition;
  /** Its place among all items; no part of the state that blocks commit to. */
  readonly order: number;
}

/** What an item is in; it is in just one of these. Source: mrc401 §2.3. */
export type Condition = Idle | OnSale | OnAuction | Melted;

export interface Idle {
  readonly is: "idle";
}

export interface OnSale {
  readonly is: "on sale";
  /** Since when, Unix seconds. */
  readonly date: number;
  readonly price: Amount;
  readonly token: TokenId;
  /** The sell fee when it was listed. */
  readonly listingFee: Rate;
}

export interface OnAuction {
  readonly is: "on auction";
  readonly date: number;
  readonly token: TokenId;
  readonly listingFee: Rate;
  readonly auction: Auction;
}

export interface Melted {
  readonly is: "melted";
  readonly date: number;
}

/** The newest purchase or won auction of an item. */
export interface ItemTrade {
  readonly date: number;
  readonly amount: Amount;
  readonly token: TokenId;
  readonly type: "Sell" | "Auction";
}

export const IDLE: Idle = { is: "idle" };

/** What stands in the place of the owner of a melted item. */
const MELTED = "MELTED";

/** Whose an item is; `""` if it is melted. Source: mrc401 §2.2. */
export function holderOf({ owner, projectOwner, condition }: Item): Address | "" {
  return condition.is === "melted" ? "" : owner || projectOwner;
}

/** Conditions as a column has them: numbers, because many indexes do. */
export const CONDITIONS = {
  idle: 0,
  "on sale": 1,
  "on auction": 2,
  melted: 3,
} as const satisfies Record<Condition["is"], number>;

/** What stands in the place of the token of an item that is not listed. */
export const NOTHING_ASKED = -1;

/** What a list of items may ask for beside their condition, in every combination. */
const ITEM_FILTERS = subsetsOf(["project", "holder", "groupid"]);

export const ITEM: DocumentKind<Item> = documentKind({
  table: {
    name: "item",
    rowNumber: ({ order }) => order,
    columns: {
      project: { type: "INTEGER", of: ({ projectOrder }) => projectOrder },
      holder: { type: "ADDRESS", of: holderOf },
      groupid: { type: "TEXT", optional: true, of: ({ group }) => group || undefined },
      condition: { type: "INTEGER", of: ({ condition }) => CONDITIONS[condition.is] },
      asked_token: {
        type: "INTEGER",
        of: ({ condition }) => ("token" in condition ? Number(condition.token) : NOTHING_ASKED),
      },
      auction_end: {
        type: "INTEGER",
        optional: true,
        of: ({ condition }) =>
          condition.is === "on auction" ? condition.auction.endDate : undefined,
      },
    },
    indexes: [
      // Every one of them has another page of the database to write when an item is listed or changes hands, so there is no second set without the token: docs/adr/0009.
      ...ITEM_FILTERS.map((filters) => [...filters, "condition", "asked_token"]),
      ["auction_end"],
    ],
  },
  prefix: "mrc401/",
  id: ({ id }) => id,
  json: itemJson,
  view: itemView,
  stored: (item) => ({
    ...itemJson(item),
    projectOrder: item.projectOrder,
    projectOwner: item.projectOwner,
    lastOwner: item.owner,
    order: item.order,
  }),
  restore: restoreItem,
});

const NO_SALE = { sell_date: 0, sell_price: "0", sell_token: "0" };
const NO_AUCTION = {
  auction_bidding_unit: "0",
  auction_buynow_price: "0",
  auction_current_bidder: "",
  auction_current_price: "0",
  auction_date: 0,
  auction_end: 0,
  auction_start_price: "0",
  auction_token: "0",
};

/** As `GET /mrc401/{mrc401id}` shows it, but for what follows from the rest. */
function itemJson(item: Item): ItemJson {
  const { holder: _holder, melting_fee: _fee, ...json } = itemView(item);
  return json;
}

/** As `GET /mrc401/{mrc401id}` and records show it. Members in the order of RFC 8785, in which they are printed much faster. */
function itemView(
  item: Item,
): ItemJson & { readonly holder: Address | ""; readonly melting_fee: string } {
  const { condition, lastTrade } = item;
  const isListed = condition.is === "on sale" || condition.is === "on auction";
  return {
    ...auctionJson(condition),
    createdate: item.createDate,
    creator: item.creator,
    expiredate: item.expireDate,
    groupid: item.group,
    holder: holderOf(item),
    id: item.id,
    initial_reserve: String(item.reserve),
    initial_token: item.reserveToken,
    item_image_url: item.imageUrl,
    item_url: item.url,
    last_trade_amount: String(lastTrade?.amount ?? ZERO),
    last_trade_date: lastTrade?.date ?? 0,
    last_trade_token: lastTrade?.token ?? "0",
    last_trade_type: lastTrade?.type ?? "",
    listing_fee: isListed ? rateText(condition.listingFee) : "0",
    melting_date: condition.is === "melted" ? condition.date : 0,
    melting_fee: rateText(item.meltFee),
    meltint_fee: rateText(item.meltFee),
    mrc400: item.project,
    owner: condition.is === "melted" ? MELTED : item.owner,
    ...saleJson(condition, item.sellFee),
    transferable: item.transferable,
  };
}

/** In the order of RFC 8785, which the sell fee stands in the middle of. */
function saleJson(
  condition: Condition,
  sellFee: Rate,
): typeof NO_SALE & { readonly sell_fee: string } {
  const sale =
    condition.is === "on sale"
      ? {
          sell_date: condition.date,
          sell_price: String(condition.price),
          sell_token: condition.token,
        }
      : NO_SALE;
  return {
    sell_date: sale.sell_date,
    sell_fee: rateText(sellFee),
    sell_price: sale.sell_price,
    sell_token: sale.sell_token,
  };
}

function auctionJson(condition: Condition): typeof NO_AUCTION {
  if (condition.is !== "on auction") {
    return NO_AUCTION;
  }
  const { auction, date, token } = condition;
  return {
    auction_bidding_unit: String(auction.bidUnit),
    auction_buynow_price: String(auction.buyNowPrice),
    auction_current_bidder: auction.bid?.bidder ?? "",
    auction_current_price: String(auction.bid?.amount ?? ZERO),
    auction_date: date,
    auction_end: auction.endDate,
    auction_start_price: String(auction.startPrice),
    auction_token: token,
  };
}

type ItemJson = typeof NO_SALE &
  typeof NO_AUCTION & {
    readonly createdate: number;
    readonly creator: Address;
    readonly expiredate: number;
    readonly groupid: string;
    readonly id: string;
    readonly initial_reserve: string;
    readonly initial_token: TokenId;
    readonly item_image_url: string;
    readonly item_url: string;
    readonly last_trade_amount: string;
    readonly last_trade_date: number;
    readonly last_trade_token: string;
    readonly last_trade_type: "" | ItemTrade["type"];
    readonly listing_fee: string;
    readonly melting_date: number;
    readonly meltint_fee: string;
    readonly mrc400: string;
    readonly owner: Address | "" | typeof MELTED;
    readonly sell_fee: string;
    readonly transferable: Transferable;
  };

function restoreItem(json: Json): Item {
  const stored = json as unknown as ItemJson & {
    readonly projectOrder: number;
    readonly projectOwner: Address;
    readonly lastOwner: Address | "";
    readonly order: number;
  };
  return {
    id: stored.id,
    project: stored.mrc400,
    projectOrder: stored.projectOrder,
    projectOwner: stored.projectOwner,
    owner: stored.lastOwner,
    creator: stored.creator,
    url: stored.item_url,
    imageUrl: stored.item_image_url,
    group: stored.groupid,
    createDate: stored.createdate,
    reserve: storedAmount(stored.initial_reserve),
    reserveToken: stored.initial_token,
    meltFee: storedRate(stored.meltint_fee),
    sellFee: storedRate(stored.sell_fee),
    transferable: stored.transferable,
    expireDate: stored.expiredate,
    lastTrade:
      stored.last_trade_type === ""
        ? undefined
        : {
            date: stored.last_trade_date,
            amount: storedAmount(stored.last_trade_amount),
            token: stored.last_trade_token as TokenId,
            type: stored.last_trade_type,
          },
    condition: restoreCondition(stored),
    order: stored.order,
  };
}

function restoreCondition(stored: ItemJson): Condition {
  if (stored.owner === MELTED) {
    return { is: "melted", date: stored.melting_date };
  }
  if (stored.sell_date > 0) {
    return {
      is: "on sale",
      date: stored.sell_date,
      price: storedAmount(stored.sell_price),
      token: stored.sell_token as TokenId,
      listingFee: storedRate(stored.listing_fee),
    };
  }
  if (stored.auction_date > 0) {
    return {
      is: "on auction",
      date: stored.auction_date,
      token: stored.auction_token as TokenId,
      listingFee: storedRate(stored.listing_fee),
      auction: {
        startPrice: storedAmount(stored.auction_start_price),
        bidUnit: storedAmount(stored.auction_bidding_unit),
        buyNowPrice: storedAmount(stored.auction_buynow_price),
        endDate: stored.auction_end,
        bid:
          stored.auction_current_bidder === ""
            ? undefined
            : {
                bidder: stored.auction_current_bidder as Address,
                amount: storedAmount(stored.auction_current_price),
              },
      },
    };
  }
  return IDLE;
}

function storedRate(text: string): Rate {
  return parseRate(text) ?? NO_RATE;
}
