import {
  type Address,
  type HeldAs,
  itemNumber,
  type NamedItem,
  NO_METADATA,
  NO_RATE,
  ownItemName,
  rateText,
  shownItem,
  type TokenId,
  ZERO,
} from "@moneta/protocol";
import { hasEnded, NO_TIMES } from "./auction.ts";
import { documentForm } from "./document.ts";
import { type DocumentKind, subsetsOf } from "./entries.ts";
import { priceText } from "./price-text.ts";
import { placeInProject, policyShown } from "./project-entry.ts";

type ItemDocument = Omit<HeldAs<typeof shownItem.schema>, "holder" | "melting_fee" | "policy">;

/**
 * Members of a sale, an auction or the melting are empty if they do not apply; `listing_fee` is the
 * sell fee at listing. `owner` is `""` while fresh: the project's owner.
 */
export interface Item extends ItemDocument {
  readonly projectOrder: number;
  /** It never changes. */
  readonly projectOwner: Address;
  /** Last change of `groupid`, Unix seconds; 0 if never. Source: offers §3. */
  readonly groupedSince: number;
  readonly order: number;
}

export type Condition = "idle" | "on sale" | "on auction" | "melted";

/** Not melted. */
export const OPEN: readonly Condition[] = ["idle", "on sale", "on auction"];

export function conditionOf({
  owner,
  sell_date,
  auction_date,
}: Pick<Item, "owner" | "sell_date" | "auction_date">): Condition {
  if (owner === "MELTED") {
    return "melted";
  }
  if (sell_date !== 0) {
    return "on sale";
  }
  return auction_date === 0 ? "idle" : "on auction";
}

export const NOT_LISTED = {
  ...{ sell_date: 0, sell_price: ZERO, sell_token: "0" as TokenId, listing_fee: NO_RATE },
  ...NO_TIMES,
  ...{ auction_date: 0, auction_end: 0, auction_token: "0" as TokenId },
  ...{ auction_start_price: ZERO, auction_bidding_unit: ZERO, auction_buynow_price: ZERO },
  ...{ auction_current_price: ZERO, auction_current_bidder: "" },
} as const satisfies Partial<ItemDocument>;

/** Whether an item is on a sale that has ended. Source: mrc401 §2.3. */
export function isEndedSale(
  item: Pick<Item, "sell_date" | "sell_start" | "sell_end">,
  time: number,
): boolean {
  return item.sell_date !== 0 && hasEnded(item, time);
}

export function askedTokenOf(item: Item): TokenId | undefined {
  const condition = conditionOf(item);
  if (condition === "on sale") {
    return item.sell_token;
  }
  return condition === "on auction" ? item.auction_token : undefined;
}

/** Undefined if it is idle. */
function askedTokenNumber(item: Item): number | undefined {
  const token = conditionOf(item) === "melted" ? NOTHING_ASKED : askedTokenOf(item);
  return token === undefined ? undefined : Number(token);
}

/** The newest purchase or won auction of an item, or of units. */
export type LastTrade = Pick<
  ItemDocument,
  "last_trade_date" | "last_trade_amount" | "last_trade_token" | "last_trade_type"
>;

export const NO_TRADE: LastTrade = {
  ...{ last_trade_date: 0, last_trade_amount: ZERO },
  ...{ last_trade_token: "0" as TokenId, last_trade_type: "" },
};

export const NO_FACE_PRICE = { face_price: ZERO, face_token: "0" as TokenId } as const;

export const WITHOUT_POLICY = { policy_number: 0, ...NO_FACE_PRICE } as const;

/** `""` if it is melted. Source: mrc401 §2.2. */
export function holderOf({
  owner,
  projectOwner,
}: Pick<Item, "owner" | "projectOwner">): Address | "" {
  return owner === "MELTED" ? "" : owner || projectOwner;
}

/** An item without a name is found by its number. */
export function namesOfItem(item: NamedItem): readonly string[] {
  return [ownItemName(item) || itemNumber(item.id).replace(/^0+(?=.)/, "")];
}

/** Numbers, because many indexes have them. */
export const CONDITIONS = {
  idle: 0,
  "on sale": 1,
  "on auction": 2,
  melted: 3,
} as const satisfies Record<Condition, number>;

/** Of melted items, so that the same indexes have them. */
export const NOTHING_ASKED = -1;

export type ItemFilter = "project" | "holder" | "groupid";

export const ITEM_FILTERS: readonly ItemFilter[] = ["project", "holder", "groupid"];

/**
 * The filters of a list that its index has, for items that are not melted and for those that are
 * not idle: each index writes another page. A holder's listings have no further ones, because only
 * the holder can add to them. Source: docs/adr/0004.
 */
export const INDEXED_FILTERS = {
  open: (given: readonly ItemFilter[]) =>
    given.filter((name) => name !== "groupid" || !given.includes("holder")),
  listed: (given: readonly ItemFilter[]): readonly ItemFilter[] =>
    given.includes("holder") ? ["holder"] : given,
} as const;

/** These follow the filters. */
export const INDEX_ENDS = { open: ["open"], listed: ["condition", "asked_token"] } as const;

function itemIndexes(kind: "open" | "listed"): readonly (readonly string[])[] {
  const filters = subsetsOf(ITEM_FILTERS).map(INDEXED_FILTERS[kind]);
  const distinct = new Map(filters.map((names) => [names.join(), names]));
  return Array.from(distinct.values(), (names) => [...names, ...INDEX_ENDS[kind]]);
}

const FORM = documentForm<Item, HeldAs<typeof shownItem.schema>, "groupedSince" | "order">(
  shownItem,
  {
    derived: ["holder", "melting_fee", "policy"],
    defaults: { ...NO_METADATA, ...WITHOUT_POLICY, ...NO_TIMES, held_since: 0, groupedSince: 0 },
    stored: ["groupedSince", "order"],
    beside: { projectOrder: 0, projectOwner: "" as Address },
    copy: (blank) => ({ ...blank }),
    added: ["holder", "melting_fee"],
  },
);

export const ITEM: DocumentKind<Item> = {
  table: {
    name: "item",
    names: {
      kind: "item",
      from: ["attributes"],
      number: ({ order }) => order,
      of: namesOfItem,
    },
    rowNumber: ({ order }) => order,
    attributesOf: (item) => item,
    pastLists: [{ column: "holder", order: "number" }],
    columns: {
      project: { type: "INTEGER", of: ({ projectOrder }) => projectOrder },
      holder: { type: "ADDRESS", of: holderOf },
      groupid: { type: "TEXT", optional: true, of: ({ groupid }) => groupid || undefined },
      condition: { type: "INTEGER", of: (item) => CONDITIONS[conditionOf(item)] },
      open: {
        type: "INTEGER",
        optional: true,
        of: (item) => (conditionOf(item) === "melted" ? undefined : 1),
      },
      asked_token: { type: "INTEGER", optional: true, of: askedTokenNumber },
      auction_end: {
        type: "INTEGER",
        optional: true,
        of: ({ auction_date, auction_end }) => (auction_date === 0 ? undefined : auction_end),
      },
      price: {
        type: "TEXT",
        optional: true,
        of: ({ sell_date, sell_price }) => (sell_date === 0 ? undefined : priceText(sell_price)),
      },
      bidder: { type: "ADDRESS", of: ({ auction_current_bidder }) => auction_current_bidder },
      sell_end: { type: "INTEGER", optional: true, of: ({ sell_end }) => sell_end || undefined },
    },
    indexes: [
      ...itemIndexes("open"),
      ...itemIndexes("listed"),
      ["auction_end"],
      ["asked_token", "price"],
      ["bidder"],
      ["sell_end"],
    ],
  },
  prefix: "mrc401/",
  noun: "an item",
  id: ({ id }) => id,
  follows: (_, { mrc400 }, state) => placeInProject(state, mrc400 as string),
  ...FORM,
  view: (item, state, withDefaults = true) =>
    Object.assign(
      FORM.shown(item, { withDefaults }),
      { holder: holderOf(item), melting_fee: rateText(item.meltint_fee) },
      policyShown(state, item.mrc400, { number: item.policy_number, withDefaults }),
    ),
};
