import {
  type Address,
  type Amount,
  codePointCount,
  type HeldAs,
  NO_METADATA,
  shownUnitItem,
} from "@moneta/protocol";
import { invariant } from "../../invariant.ts";
import { documentForm } from "../document.ts";
import { type DocumentKind, type EntryReader, subsetsOf } from "../entries.ts";
import { namesOfItem, WITHOUT_POLICY } from "../item-entry.ts";
import { LongTexts } from "../long-texts.ts";
import { placeInProject } from "../project-entry.ts";

/** From project, holdings and listings: `unitItemView` adds them. */
const DERIVED = [
  ...(["policy"] as const),
  ...(["owner", "holders", "reserve", "initial_reserve", "initial_token"] as const),
  ...(["sell_count", "sell_date", "sell_price", "sell_token", "sell_dexid"] as const),
  ...(["auction_count", "auction_date", "auction_end", "auction_token", "auction_dexid"] as const),
  ...(["auction_bidding_unit", "auction_start_price", "auction_buynow_price"] as const),
  ...(["auction_current_price", "auction_current_bidder"] as const),
  ...(["sell_start", "sell_end", "auction_extend", "auction_latest_end"] as const),
] as const;

type ShownUnitItem = HeldAs<typeof shownUnitItem.schema>;

export type UnitItemTexts = Pick<
  ShownUnitItem,
  "description" | "data" | "information" | "socialmedia"
>;

/**
 * A class of equal units. `shareholder` is in the order of payment, `initialreserve` in that of the
 * tokens' ids.
 */
export interface UnitItem
  extends Omit<ShownUnitItem, (typeof DERIVED)[number] | keyof UnitItemTexts> {
  readonly texts: LongTexts<UnitItemTexts>;
  readonly textsLength: number;
  /** Undefined if it stands alone. */
  readonly projectOrder: number | undefined;
  readonly projectOwner: Address | "";
  readonly holders: number;
  readonly hasChangedHands: boolean;
  readonly openSales: number;
  readonly openAuctions: number;
  readonly order: number;
  /** See `shareholderOrder`: members are in the order of RFC 8785. */
  readonly shareholderOrder: string;
}

/** In order of payment; `""` if that is the order of addresses. */
export function shareholderOrder(addresses: readonly string[]): string {
  const given = addresses.join(",");
  return given === addresses.toSorted().join(",") ? "" : given;
}

export function keptTexts(texts: UnitItemTexts): Pick<UnitItem, "texts" | "textsLength"> {
  const { description, data, information, socialmedia } = texts;
  const all = [description, data, information, JSON.stringify(socialmedia)];
  const textsLength = all.reduce((sum, text) => sum + codePointCount(text), 0);
  return { texts: LongTexts.of(texts), textsLength };
}

/** Units that are there. Source: mrc402 §2.1. */
export function existingUnits({
  totalsupply,
  meltedamount,
}: Pick<UnitItem, "totalsupply" | "meltedamount">): Amount {
  return (totalsupply - meltedamount) as Amount;
}

const FORM = documentForm<
  UnitItem,
  Omit<ShownUnitItem, "holders">,
  "hasChangedHands" | "order" | "shareholderOrder"
>(shownUnitItem, {
  derived: DERIVED,
  defaults: { ...NO_METADATA, ...WITHOUT_POLICY, hasChangedHands: false, shareholderOrder: "" },
  longTexts: ["description", "data", "information", "socialmedia"],
  stored: ["hasChangedHands", "order", "shareholderOrder"],
  beside: {
    ...{ textsLength: 0, projectOrder: undefined, projectOwner: "" },
    ...{ holders: 0, openSales: 0, openAuctions: 0 },
  },
  copy: (blank) => ({ ...blank }),
});

export const UNIT_ITEM: DocumentKind<UnitItem> = {
  table: {
    name: "unit_item",
    names: {
      kind: "unitItem",
      from: ["attributes", "name"],
      number: ({ order }) => order,
      of: namesOfItem,
    },
    rowNumber: ({ order }) => order,
    attributesOf: (item) => item,
    longTexts: FORM.longTexts,
    columns: {
      project: { type: "INTEGER", optional: true, of: ({ projectOrder }) => projectOrder },
      creator: { type: "ADDRESS", of: ({ creator }) => creator },
    },
    indexes: subsetsOf(["project", "creator"]).filter((filters) => filters.length > 0),
  },
  prefix: "mrc402/",
  noun: "a multi-unit item",
  id: ({ id }) => id,
  follows: (_, document, state) => ({
    textsLength: keptTexts(document as unknown as UnitItemTexts).textsLength,
    ...placeInProject(state, document["mrc400"] as string),
    ...{ holders: 0, openSales: 0, openAuctions: 0 },
  }),
  ...FORM,
};

export function placeOfItem(
  state: EntryReader,
  mrc402: string,
): { readonly itemOrder: number; readonly projectOrder?: number } {
  const item = state.find(UNIT_ITEM, mrc402);
  invariant(item !== undefined, "there are units of items alone");
  const { order, projectOrder } = item;
  return { itemOrder: order, ...(projectOrder === undefined ? {} : { projectOrder }) };
}

/** The sole holder, and the oldest open offer and auction. Stored so that earlier ones are kept. */
export interface UnitFirsts {
  readonly item: string;
  readonly holder: Address | "";
  readonly sale: string;
  readonly auction: string;
}

export const UNIT_FIRSTS: DocumentKind<UnitFirsts> = {
  table: { name: "unit_firsts", columns: {}, indexes: [] },
  prefix: "firsts402/",
  id: ({ item }) => item,
  json: ({ item, holder, sale, auction }) => ({ auction, holder, item, sale }),
  restore: (document) => document as unknown as UnitFirsts,
  isSame: (a, b) => a.holder === b.holder && a.sale === b.sale && a.auction === b.auction,
  isAbsent: ({ holder, sale, auction }) => holder === "" && sale === "" && auction === "",
  hasNoEntry: true,
};
