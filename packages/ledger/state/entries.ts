import {
  type Address,
  type Attributes,
  type HeldAs,
  integerSchema,
  type Json,
  type JsonRecord,
  recordSchema,
  textSchema,
} from "@moneta/protocol";
import { BoundedCache } from "./bounded-cache.ts";
import { type DocumentForm, documentForm } from "./document.ts";
import type { LongTextsOf } from "./long-texts.ts";
import type { NamesOf } from "./names/name-table.ts";

/** An address as the ledger keeps it; it never changes. Source: accounts §3, chain §5. */
export interface AddressEntry {
  readonly address: Address;
  /** Number of addresses created before it. */
  readonly number: number;
  /** Canonical body of the public key. */
  readonly publickey: string;
  readonly addinfo: string;
  /** Unix seconds. */
  readonly createdate: number;
  /** `full` if it accepts nothing but full signatures. */
  readonly signed: "full" | "";
  /**
   * Running number of the transaction that created it; no part of the state that blocks commit to.
   */
  readonly transactionNumber: number;
}

const protocolSchema = recordSchema("ProtocolState", {
  version: integerSchema,
  next: integerSchema,
  height: integerSchema,
  note: textSchema,
});

type ProtocolDocument = HeldAs<typeof protocolSchema>;

/**
 * The rules in force, and those announced, 0 where none are; and settings of block 0.
 * Source: chain §5, §7, §8.
 */
export interface ProtocolEntry extends ProtocolDocument {
  /** The address that may announce new versions, or `""`. */
  readonly operator: Address | "";
  /** Shortest and longest auction, seconds. */
  readonly auctionMin: number;
  readonly auctionMax: number;
  /** The id of block 0; `""` before block 1. */
  readonly ledgerId: string;
}

/**
 * A kind of state entry: where it is stored, and its value as the block's changes commit to it.
 * Source: chain §5.
 */
export interface EntryKind<V> {
  readonly table: "address" | "balance" | "lock" | DocumentTable<V>;
  /** The value as the state has it. */
  json(value: V): Json;
  /** `json` with the members that no `GET` shows. */
  entry?(value: V): Json;
  /** Whether two values are the same entry. */
  isSame(a: V, b: V): boolean;
  /** Whether nothing is stored for such a value. */
  isAbsent?(value: V): boolean;
  /** Whether values are stored but are not state entries, because they follow from those. */
  readonly hasNoEntry?: true;
}

export interface EntryReader {
  /** The entry of a kind that has this id. */
  find<V>(kind: DocumentKind<V>, id: string): V | undefined;
}

/**
 * A kind of entry that is stored as JSON text, found by its key and by the columns of its table.
 */
export interface DocumentKind<V>
  extends EntryKind<V>,
    Pick<DocumentForm<V>, "beside" | "jsonWithDefaults" | "restore"> {
  /** The members stored outside an entry's document, computed from its id and other entries. */
  follows?(id: string, document: JsonRecord, state: EntryReader): JsonRecord;
  readonly table: DocumentTable<V>;
  /** The key without the id. */
  readonly prefix: string;
  id(value: V): string;
  /**
   * The shown form, if it has more than `json`. Without defaults, as in records, it leaves out the
   * members that the document leaves out.
   */
  view?(value: V, state: EntryReader, withDefaults?: boolean): Json;
  /** See `DocumentForm`; for kinds whose JSON is an object. */
  changes?: DocumentForm<V>["changes"];
  /** The document without its long texts, of kinds that have some. */
  withoutTexts?(value: V): Json;
}

/** A table of documents. Rows are numbered in the order in which their entries were created. */
export interface DocumentTable<V> {
  readonly name: string;
  /**
   * The columns by which entries are found, besides their keys, or that are read without the rest.
   */
  readonly columns: { readonly [name: string]: Column<V> };
  /**
   * Names of columns, each list an index that ends with the row's number. A row that has nothing in
   * one of them is not in the index.
   */
  readonly indexes: readonly (readonly string[])[];
  /** The texts with a row of their own, in a table named by `textsTable`. */
  readonly longTexts?: LongTextsOf<V>;
  /** The attributes by which lists find it, in a table named by `attributeTable`. */
  attributesOf?(value: V): Attributed;
  /** The names by which a search finds its entries. */
  readonly names?: NamesOf<V>;
  /**
   * Lists that can be shown as of an earlier block: the column whose value all entries of a list
   * have, and the column of their order, or `number`.
   */
  readonly pastLists?: readonly { readonly column: string; readonly order: string }[];
  /** Whether earlier states of its rows are not kept, because they follow from other entries. */
  readonly isCurrentOnly?: true;
  /** The number of a new row, where that is not simply the next one; it rises with every entry. */
  rowNumber?(value: V): number;
}

/**
 * An address is stored as its number. Of some columns a row may have nothing: undefined, or of an
 * address `""`.
 */
export type Column<V> =
  | { readonly type: "TEXT" | "INTEGER"; readonly optional?: false; of(value: V): string | number }
  | {
      readonly type: "TEXT" | "INTEGER";
      readonly optional: true;
      of(value: V): string | number | undefined;
    }
  | { readonly type: "ADDRESS"; readonly optional?: true; of(value: V): Address | "" };

/**
 * Every choice of some of the columns, in order. Lists need an index of each, so that none of them
 * reads rows that it does not show.
 */
export function subsetsOf(columns: readonly string[]): readonly (readonly string[])[] {
  const [first, ...others] = columns;
  if (first === undefined) {
    return [[]];
  }
  return subsetsOf(others).flatMap((subset) => [subset, [first, ...subset]]);
}

/** Whether a row may have nothing in a column. */
export function mayBeNull({ type, optional }: Column<never>): boolean {
  return type === "ADDRESS" || optional === true;
}

/** The name of the index of some columns of a table, which lists use. */
export function indexName(
  { name }: Pick<DocumentTable<never>, "name">,
  columns: readonly string[],
): string {
  return `${name}_by_${columns.join("_")}`;
}

/** The table of the long texts of a kind, by the key of each entry. */
export function textsTable({ name }: Pick<DocumentTable<never>, "name">): string {
  return `${name}_texts`;
}

/** An entry with attributes: an item, or a multi-unit item. */
export interface Attributed {
  readonly attributes: Attributes;
  /**
   * `order` of the project; undefined for one that stands alone, which no list finds by attribute.
   */
  readonly projectOrder: number | undefined;
}

/** The table of the attributes of a kind: a row for each that an item of a project has. */
export function attributeTable({ name }: Pick<DocumentTable<never>, "name">): string {
  return `${name}_attribute`;
}

/** Attributes as the filter `attribute` has them: `level:7`. Source: mrc401 §19. */
export function attributeTexts(attributes: Attributes): readonly string[] {
  return Object.entries(attributes).map(([name, value]) => `${name}:${value}`);
}

export const ADDRESS: EntryKind<AddressEntry> = {
  table: "address",
  json: ({ addinfo, createdate, number, publickey, signed }) => ({
    addinfo,
    createdate,
    number,
    publickey,
    signed,
  }),
  isSame: (a, b) => a === b,
};

const FEW = { name: "document", columns: {}, indexes: [] } as const;

export const PROTOCOL: DocumentKind<ProtocolEntry> = {
  table: FEW,
  prefix: "protocol",
  id: () => "",
  ...documentForm<
    ProtocolEntry,
    ProtocolDocument,
    "operator" | "auctionMin" | "auctionMax" | "ledgerId"
  >(
    { schema: protocolSchema },
    {
      stored: ["operator", "auctionMin", "auctionMax", "ledgerId"],
      defaults: { operator: "", ledgerId: "" },
      beside: {},
    },
  ),
};

const stateRootSchema = recordSchema("StateRootState", { height: integerSchema });

type StateRootDocument = HeldAs<typeof stateRootSchema>;

/** The newest block whose state root is claimed in a block. Source: proofs §2.2. */
export const STATE_ROOT: DocumentKind<StateRootDocument> = {
  table: FEW,
  prefix: "stateroot",
  id: () => "",
  ...documentForm<StateRootDocument, StateRootDocument>(
    { schema: stateRootSchema },
    { beside: {} },
  ),
};

/** `count/address`, `count/token` and `count/keys`. */
export interface Count {
  readonly of: "address" | "token" | "keys";
  readonly count: number;
}

export const COUNT: DocumentKind<Count> = {
  table: FEW,
  prefix: "count/",
  id: ({ of }) => of,
  json: ({ count }) => count,
  isSame: (a, b) => a.count === b.count,
  beside: ({ of }) => ({ of }),
  follows: (of) => ({ of }),
  restore: (count, of) => ({ ...(of as unknown as Pick<Count, "of">), count: count as number }),
};

export function addressKey(address: Address): string {
  return `address/${address}`;
}

/** Keys of documents that were made last, of each kind: see `balanceKey`. */
const KEYS = new Map<object, BoundedCache<string>>();
const KEYS_OF_KIND = 4096;
/** Characters of the ids of which keys are kept: all but those of drafts with long names. */
const KEPT_LENGTH = 200;

/** The key of a document. */
export function documentKey<V>(kind: DocumentKind<V>, id: string): string {
  if (id.length > KEPT_LENGTH) {
    return kind.prefix + id;
  }
  let keys = KEYS.get(kind);
  if (keys === undefined) {
    keys = new BoundedCache(KEYS_OF_KIND);
    KEYS.set(kind, keys);
  }
  let key = keys.get(id);
  if (key === undefined) {
    key = kind.prefix + id;
    // Not the id itself, which may be a part of a request.
    keys.set(key.slice(kind.prefix.length), key);
  }
  return key;
}
