import type { RecordParameter } from "./record-parameters.ts";

/** `in` and `out` have moved, others are terms. */
export type AmountRole = "in" | "out" | "asks" | "starts" | "offers" | "wants" | "issues";

/** `token` is left out where it is the usual one, or where the amount is of units of an item. */
type Amount = readonly [AmountRole, amount: RecordParameter, token?: RecordParameter];

export interface Meaning {
  readonly money?: Amount;
  readonly goods?: Amount;
  readonly parties?: readonly RecordParameter[];
  /** The amount that each entry asks, by the names of its members. */
  readonly each?: readonly [AmountRole, amount: string, token: string];
  readonly receives?: true;
  /** Its address trades `qtt` of the target for `cost` of the base, as `side` says. */
  readonly trades?: true;
}

/**
 * M: the transaction's record; A: of another address, I: of an item or project, L: of a listing.
 * Source: chain §1.2, §9.
 */
export interface Filed {
  readonly M?: string;
  readonly A?: string;
  readonly I?: string;
  readonly L?: string;
}

export type RecordKind =
  | "payments"
  | "accounts"
  | "tokens"
  | "offers"
  | "trades"
  | "auctions"
  | "bids"
  | "items"
  | "projects"
  | "seals"
  | "bundles"
  | "rules";

/** The number of parameters distinguishes forms of one type. */
export interface RecordForm<N extends string = string, O extends string = string> extends Meaning {
  readonly by: readonly string[];
  readonly filed: Filed;
  readonly about?: RecordParameter | undefined;
  readonly kind?: RecordKind;
  /** `=` and a text is a place with this fixed text. */
  readonly parameters: readonly N[];
  readonly optional: readonly O[];
}

/** The names in a text such as `"from to =0 amount"`, where `=0` is a place that holds `0`. */
type NamesIn<T extends string> = T extends `${infer Name} ${infer Rest}`
  ? Name | NamesIn<Rest>
  : Exclude<T, "">;

/** The first that a record has is what it is about. */
const ABOUT: readonly RecordParameter[] = [
  "item",
  "items",
  "mrc400id",
  "itemdata",
  "dexid",
  "offerid",
  "order",
  "seal",
];

interface More<O extends string> extends Meaning {
  /** Operations. Left out for a type that has the name of its operation. */
  readonly by?: string;
  readonly optional?: O;
}

/** Parameters and operations are separated by spaces. */
export function form<const P extends string, const O extends string = "">(
  kind: RecordKind,
  filed: Filed,
  parameters: P,
  more: More<O> = {},
): RecordForm<NamesIn<P>, NamesIn<O>> {
  return { ...ofEntry(filed, parameters, more), kind };
}

/** A form that only histories of items, projects and listings have. */
export function ofEntry<const P extends string, const O extends string = "">(
  filed: Filed,
  parameters: P,
  { by, optional, money, goods, ...meaning }: More<O> = {},
): RecordForm<NamesIn<P>, NamesIn<O>> {
  const names = parameters.split(" ");
  const isOfListing = Object.keys(filed).join() === "L";
  const isOfTokens = names.includes("mrc010id");
  return {
    ...meaning,
    ...(money && { money: [money[0], money[1], money[2] ?? "token"] }),
    ...(goods && { goods: isOfTokens ? [goods[0], goods[1], "mrc010id"] : goods }),
    by: by?.split(" ") ?? [],
    filed,
    about: isOfListing ? "dexid" : ABOUT.find((name) => names.includes(name)),
    parameters: names as NamesIn<P>[],
    optional: (optional?.split(" ") ?? []) as NamesIn<O>[],
  };
}

export function ofItem<const P extends string, const O extends string = "">(
  parameters: P,
  more?: More<O>,
): RecordForm<NamesIn<P>, NamesIn<O>> {
  return ofEntry({ I: "item" }, parameters, more);
}

export function ofListing<const P extends string, const O extends string = "">(
  parameters: P,
  more?: More<O>,
): RecordForm<NamesIn<P>, NamesIn<O>> {
  return ofEntry({ L: "dexid" }, parameters, more);
}

export const PLATFORM = "platform_name platform_url platform_address platform_commission";
export const SIGNED = "signature tkey";
