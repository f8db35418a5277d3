import {
  type Address,
  type Attributes,
  canonicalJson,
  type HeldAs,
  integerSchema,
  type Json,
  type JsonRecord,
  type Refused,
  recordSchema,
  refuse,
  textSchema,
} from "@moneta/protocol";
import { BoundedCache } from "./bounded-cache.ts";
import { type DocumentForm, documentForm } from "./document.ts";
import type { LongTextsOf } from "./long-texts.ts";
import type { NamesOf } from "./names/name-table.ts";

/** Source: accounts §3, chain §5. */
export interface AddressEntry {
  readonly address: Address;
  readonly number: number;
  readonly publickey: string;
  readonly addinfo: string;
  /** Unix seconds. */
  readonly createdate: number;
  /** `full` if it accepts nothing but full signatures. */
  readonly signed: "full" | "";
  /** Of the transaction that created it; not in blocks. */
  readonly transactionNumber: number;
}

const protocolSchema = recordSchema("ProtocolState", {
  version: integerSchema,
  next: integerSchema,
  height: integerSchema,
  note: textSchema,
});

type ProtocolDocument = HeldAs<typeof protocolSchema>;

/** Rules in force, and announced (0 for none); settings of block 0. Source: chain §5, §7, §8. */
export interface ProtocolEntry extends ProtocolDocument {
  /** The address that may announce new versions. */
  readonly operator: Address | "";
  /** Shortest and longest auction, seconds. */
  readonly auctionMin: number;
  readonly auctionMax: number;
  /** `""` before block 1. */
  readonly ledgerId: string;
}

/** A kind of state entry: its table, and its value in the block's changes. Source: chain §5. */
export interface EntryKind<V> {
  readonly table: "address" | "balance" | "lock" | DocumentTable<V>;
  json(value: V): Json;
  /** `json` with the members that no `GET` shows. */
  entry?(value: V): Json;
  isSame(a: V, b: V): boolean;
  isAbsent?(value: V): boolean;
  /** Derived from entries. */
  readonly hasNoEntry?: true;
}

/** Undefined for one that the ledger does not have. */
export type NumberOf = (address: Address) => number | undefined;

/** As in the tables, and after the block; undefined if it does not exist. */
export interface SavedEntry<V> {
  readonly before: V | undefined;
  readonly after: V | undefined;
  readonly text: string;
  readonly numberOf: NumberOf;
}

export interface EntryReader {
  find<V>(kind: DocumentKind<V>, id: string): V | undefined;
}

/** Stored as JSON text, found by key and columns. */
export interface DocumentKind<V>
  extends EntryKind<V>,
    Pick<DocumentForm<V>, "beside" | "jsonWithDefaults" | "restore"> {
  /** Stored outside the document, from its id and other entries. */
  follows?(id: string, document: JsonRecord, state: EntryReader): JsonRecord;
  readonly table: DocumentTable<V>;
  readonly prefix: string;
  /** In sentences of refusals. */
  readonly noun?: string;
  id(value: V): string;
  /** The shown form. Without defaults, as in records, it leaves out what the document does. */
  view?(value: V, state: EntryReader, withDefaults?: boolean): Json;
  changes?: DocumentForm<V>["changes"];
  withoutTexts?(value: V): Json;
}

export function isDocument<V>(kind: EntryKind<V>): kind is DocumentKind<V> {
  return typeof kind.table === "object";
}

/** JCS of an entry's value, `null` without one. Source: chain §5. */
export function jsonText<V>(kind: EntryKind<V>, value: V | undefined): string {
  return value === undefined ? "null" : canonicalJson(kind.entry?.(value) ?? kind.json(value));
}

/** Refused with 6004 without the entry. */
export function named<V>(
  state: EntryReader,
  kind: DocumentKind<V>,
  id: string,
  parameter: string,
): V | Refused {
  return state.find(kind, id) ?? noneNamed(kind, id, parameter);
}

export function noneNamed(
  { noun: what = "an entry" }: Pick<DocumentKind<never>, "noun">,
  given: string,
  parameter: string,
): Refused {
  return refuse({ code: "6004", what, parameter, given });
}

/** Rows are numbered in the order of creation. */
export interface DocumentTable<V> {
  readonly name: string;
  /** Entries are found by them, or they are read without the rest. */
  readonly columns: { readonly [name: string]: Column<V> };
  /**
   * Columns of indexes, which end with the row's number. A row with nothing in one is not in the
   * index.
   */
  readonly indexes: readonly (readonly string[])[];
  readonly longTexts?: LongTextsOf<V>;
  attributesOf?(value: V): Attributed;
  readonly names?: NamesOf<V>;
  /** Lists as of an earlier block: the column that selects, and that of the order, or `number`. */
  readonly pastLists?: readonly { readonly column: string; readonly order: string }[];
  readonly isCurrentOnly?: true;
  /** Rises with every entry; the next number by default. */
  rowNumber?(value: V): number;
}

/** An address is stored as its number. A missing value is undefined, or `""` for an address. */
export type Column<V> =
  | { readonly type: "TEXT" | "INTEGER"; readonly optional?: false; of(value: V): string | number }
  | {
      readonly type: "TEXT" | "INTEGER";
      readonly optional: true;
      of(value: V): string | number | undefined;
    }
  | { readonly type: "ADDRESS"; readonly optional?: true; of(value: V): Address | "" };

/** In order. Lists need an index of each, to read only rows that they show. */
export function subsetsOf<N extends string>(columns: readonly N[]): readonly (readonly N[])[] {
  const [first, ...others] = columns;
  if (first === undefined) {
    return [[]];
  }
  return subsetsOf(others).flatMap((subset) => [subset, [first, ...subset]]);
}

export function mayBeNull({ type, optional }: Column<never>): boolean {
  return type === "ADDRESS" || optional === true;
}

export function indexName(
  { name }: Pick<DocumentTable<never>, "name">,
  columns: readonly string[],
): string {
  return `${name}_by_${columns.join("_")}`;
}

export function textsTable({ name }: Pick<DocumentTable<never>, "name">): string {
  return `${name}_texts`;
}

export interface Attributed {
  readonly attributes: Attributes;
  readonly groupid?: string;
  /** Undefined for an item alone, which no list finds by attribute. */
  readonly projectOrder: number | undefined;
}

/** A row for each attribute of a project's item. */
export function attributeTable({ name }: Pick<DocumentTable<never>, "name">): string {
  return `${name}_attribute`;
}

/** `level:7`. Source: mrc401 §19. */
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

/** Of each kind: see `balanceKey`. */
const KEYS = new Map<object, BoundedCache<string>>();
const KEYS_OF_KIND = 4096;
const KEPT_LENGTH = 200;

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
    keys.set(key.slice(kind.prefix.length), key);
  }
  return key;
}
