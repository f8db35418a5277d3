import type { RecordParameter } from "./record-parameters.ts";

/** `in` and `out` have moved, others are terms. */
export type AmountRole = "in" | "out" | "asks" | "starts" | "offers" | "wants" | "issues";

type Money = readonly [AmountRole, amount: RecordParameter, token: RecordParameter];
type Goods = readonly [AmountRole, amount: RecordParameter, token?: RecordParameter];

export interface Meaning {
  readonly money?: Money;
  readonly goods?: Goods;
  readonly parties?: readonly RecordParameter[];
  readonly about?: RecordParameter;
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
  readonly kind?: RecordKind;
  /** `=` and a text is a place with this fixed text. */
  readonly parameters: readonly N[];
  readonly optional: readonly O[];
}

/** The names in a text such as `"from to =0 amount"`, where `=0` is a place that holds `0`. */
type NamesIn<T extends string> = T extends `${infer Name} ${infer Rest}`
  ? Name | NamesIn<Rest>
  : Exclude<T, "">;

/** Parameters and operations are separated by spaces. */
export function form<const P extends string, const O extends string = "">({
  by,
  parameters,
  optional,
  ...form
}: Meaning &
  Pick<RecordForm, "filed" | "kind"> & {
    readonly by: string;
    readonly parameters: P;
    readonly optional?: O | undefined;
  }): RecordForm<NamesIn<P>, NamesIn<O>> {
  return {
    ...form,
    by: by.split(" "),
    parameters: parameters.split(" ") as NamesIn<P>[],
    optional: (optional?.split(" ") ?? []) as NamesIn<O>[],
  };
}

export function ofItem<const P extends string, const O extends string = "">(
  by: string,
  parameters: P,
  optional?: O,
): RecordForm<NamesIn<P>, NamesIn<O>> {
  return form({ by, filed: { I: "item" }, parameters, optional, about: "item" });
}

export function ofListing<const P extends string, const O extends string = "">(
  by: string,
  parameters: P,
  optional?: O,
): RecordForm<NamesIn<P>, NamesIn<O>> {
  return form({ by, filed: { L: "dexid" }, parameters, optional, about: "dexid" });
}

export const PLATFORM = "platform_name platform_url platform_address platform_commission";
export const SIGNED = "signature tkey";

export const LISTING = { about: "dexid" } as const;
export const ITEM = { about: "item" } as const;
export const PARTIES = { parties: ["from", "to"] } as const;

export const shareOfItem: Meaning = { about: "item", money: ["in", "payment", "token"] };
export const offered: Meaning = { about: "itemdata", each: ["asks", "price", "token"] };
export const auctioned: Meaning = { about: "itemdata", each: ["starts", "start", "token"] };
export const listed: Meaning = { about: "itemdata" };
