import {
  type Address,
  type Amount,
  type Rate,
  rateText,
  type TokenId,
  type Transferable,
} from "@moneta/protocol";
import type { Auction, Bid } from "./auction.ts";
import { type DocumentKind, subsetsOf } from "./entries.ts";
import {
  amount,
  caseOf,
  type Fields,
  form,
  type JsonObject,
  number,
  object,
  oneOf,
  optional,
  rate,
  stored,
  text,
  token,
} from "./fields.ts";
import { priceText } from "./price-text.ts";

/** An item of a project. Source: mrc401 §2, §6. */
export interface Item {
  /** Id of the project, `_` and the item's number. */
  readonly id: string;
  readonly project: string;
  /** `order` of the project. */
  readonly projectOrder: number;
  /** Owner of the project: it never changes. */
  readonly projectOwner: Address;
  /**
   * Whose it is; `""` while it is fresh, which is the project's owner's. Of a melted item: whose it
   * was.
   */
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

/** The newest trade of an item, as items and unit items show it. */
export const LAST_TRADE: Fields<ItemTrade | undefined> = optional(
  object<ItemTrade>({
    date: number("last_trade_date"),
    amount: amount("last_trade_amount"),
    token: token("last_trade_token"),
    type: text("last_trade_type"),
  }),
  ({ last_trade_type }) => last_trade_type !== "",
);

const CONDITION = oneOf<"is", Condition>(
  "is",
  {
    idle: object<Idle>({ is: caseOf("idle") }),
    melted: object<Melted>({ is: caseOf("melted"), date: number("melting_date") }),
    "on sale": object<OnSale>({
      is: caseOf("on sale"),
      date: number("sell_date"),
      price: amount("sell_price"),
      token: token("sell_token"),
      listingFee: rate("listing_fee"),
    }),
    "on auction": object<OnAuction>({
      is: caseOf("on auction"),
      date: number("auction_date"),
      token: token("auction_token"),
      listingFee: rate("listing_fee"),
      auction: object<Auction>({
        startPrice: amount("auction_start_price"),
        bidUnit: amount("auction_bidding_unit"),
        buyNowPrice: amount("auction_buynow_price"),
        endDate: number("auction_end"),
        bid: optional(
          object<Bid>({
            bidder: text("auction_current_bidder"),
            amount: amount("auction_current_price"),
          }),
          ({ auction_current_bidder }) => auction_current_bidder !== "",
        ),
      }),
    }),
  },
  conditionIn,
);

function conditionIn({ owner, sell_date, auction_date }: JsonObject): Condition["is"] {
  if (owner === MELTED) {
    return "melted";
  }
  if (sell_date !== 0) {
    return "on sale";
  }
  return auction_date === 0 ? "idle" : "on auction";
}

const FIELDS = object<Item>(
  {
    id: text("id"),
    project: text("mrc400"),
    projectOrder: stored(number("projectOrder")),
    projectOwner: stored(text("projectOwner")),
    owner: stored(text("lastOwner")),
    creator: text("creator"),
    url: text("item_url"),
    imageUrl: text("item_image_url"),
    group: text("groupid"),
    createDate: number("createdate"),
    reserve: amount("initial_reserve"),
    reserveToken: token("initial_token"),
    meltFee: rate("meltint_fee"),
    sellFee: rate("sell_fee"),
    transferable: text("transferable"),
    expireDate: number("expiredate"),
    lastTrade: LAST_TRADE,
    condition: CONDITION,
    order: stored(number("order")),
  },
  (blank) => ({ ...blank }),
);

const SHOWN_OWNER = {
  owner: ({ owner, condition }: Item) => (condition.is === "melted" ? MELTED : owner),
};

export const ITEM: DocumentKind<Item> = {
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
      price: {
        type: "TEXT",
        optional: true,
        of: ({ condition }) =>
          condition.is === "on sale" ? priceText(condition.price) : undefined,
      },
      bidder: {
        type: "ADDRESS",
        of: ({ condition }) =>
          (condition.is === "on auction" && condition.auction.bid?.bidder) || "",
      },
    },
    indexes: [
      // Every one of them has another page of the database to write when an item is listed or
      // changes hands, so there is no second set without the token: docs/adr/0009.
      ...ITEM_FILTERS.map((filters) => [...filters, "condition", "asked_token"]),
      ["auction_end"],
      ["asked_token", "price"],
      ["bidder"],
    ],
  },
  prefix: "mrc401/",
  id: ({ id }) => id,
  ...form(FIELDS, SHOWN_OWNER),
  view: form(FIELDS, {
    ...SHOWN_OWNER,
    holder: holderOf,
    melting_fee: ({ meltFee }) => rateText(meltFee),
  }).json,
};
