import type { RecordParameter } from "./record-parameters.ts";

/** The role of an amount for the record's address: `in` and `out` have moved, others are terms. */
export type AmountRole = "in" | "out" | "asks" | "starts" | "offers" | "wants" | "issues";

/** An amount and its token. */
type Money = readonly [AmountRole, amount: RecordParameter, token: RecordParameter];
/** The traded goods: an amount and its token, or a number of units of the record's item. */
type Goods = readonly [AmountRole, amount: RecordParameter, token?: RecordParameter];

/** The meaning of a record's parameters. */
export interface Meaning {
  readonly money?: Money;
  readonly goods?: Goods;
  /** The two parties; for each of them the other one is the counterparty. */
  readonly parties?: readonly RecordParameter[];
  /** The item, listing or project that the record is about. */
  readonly about?: RecordParameter;
  /**
   * For records about a JSON array: the amount that each entry asks, by the names of its members.
   */
  readonly each?: readonly [AmountRole, amount: string, token: string];
  /** Its address receives the items. */
  readonly receives?: true;
  /** Its address trades `qtt` of the target for `cost` of the base, as `side` says. */
  readonly trades?: true;
}

/**
 * Where a record is filed: M is the record of the transaction, A that of another address, I that of
 * an item or project, L that of a listing. The value is the parameter with the id, or a
 * description. Source: chain §1.2, §9.
 */
export interface Filed {
  readonly M?: string;
  readonly A?: string;
  readonly I?: string;
  readonly L?: string;
}

/** Categories of a history. */
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

/** One form of a type's records. The number of parameters distinguishes forms of one type. */
export interface RecordForm<N extends string = string, O extends string = string> extends Meaning {
  /** The operations that make such records. */
  readonly by: readonly string[];
  readonly filed: Filed;
  /** Of records in histories of addresses. */
  readonly kind?: RecordKind;
  /** In order. `=` and a text is a place with this fixed text. */
  readonly parameters: readonly N[];
  /** After them, all or none. */
  readonly optional: readonly O[];
}

/** The names in a text such as `"from to =0 amount"`, where `=0` is a place that holds `0`. */
type NamesIn<T extends string> = T extends `${infer Name} ${infer Rest}`
  ? Name | NamesIn<Rest>
  : Exclude<T, "">;

/** Describes a form; parameters and operations are separated by spaces. */
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

/** Describes a record that is filed under an item and about it; arguments are those of `form`. */
export function ofItem<const P extends string, const O extends string = "">(
  by: string,
  parameters: P,
  optional?: O,
): RecordForm<NamesIn<P>, NamesIn<O>> {
  return form({ by, filed: { I: "item" }, parameters, optional, about: "item" });
}

/** Describes a record that is filed under a listing and about it; arguments are those of `form`. */
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
