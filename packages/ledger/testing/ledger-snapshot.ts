import type { Json } from "@moneta/protocol";
import type { Database } from "../database.ts";

/** A document as its table stores it, with its long texts. */
export type StoredDocument = { readonly [name: string]: Json };

interface Row {
  readonly table: string;
  readonly text: string;
  readonly value: StoredDocument;
}

const TABLES = [
  ...["token", "token_listing", "project", "item"],
  ...["unit_item", "unit_listing", "holding"],
  ...["exchange_order", "order_level", "pending"],
  "seal",
] as const;

/** Those that have a table of long texts. */
const WITH_TEXTS: readonly string[] = ["token", "project", "unit_item"];

/** Documents whose keys are no ids of something that was made. */
const NAMELESS: readonly string[] = ["holding", "order_level", "pending"];

/** Balances and documents of a ledger between two blocks, read from the raw tables. */
export class LedgerSnapshot {
  /** Free and locked amounts together, by `address token`. */
  readonly balances: ReadonlyMap<string, bigint>;
  /** By their keys, such as `mrc402/MRC402_...`, in the order in which each table got them. */
  readonly rows: ReadonlyMap<string, Row>;

  /**
   * `previous` is an older snapshot of the same ledger: what has not changed since is not parsed
   * again.
   */
  constructor(database: Database, previous?: LedgerSnapshot) {
    const rows = new Map<string, Row>();
    for (const table of TABLES) {
      for (const { key, text } of documentTexts(database, table)) {
        const known = previous?.rows.get(key);
        rows.set(key, known?.text === text ? known : { table, text, value: documentOf(text) });
      }
    }
    this.rows = rows;
    const held = database
      .prepare(
        "SELECT address.address, token, free, locked FROM balance JOIN address ON number = balance.address",
      )
      .all();
    this.balances = new Map(
      held.map((row) => [
        `${row["address"]} ${row["token"]}`,
        BigInt(row["free"] as string) + BigInt(row["locked"] as string),
      ]),
    );
  }

  documents(table: (typeof TABLES)[number]): readonly StoredDocument[] {
    return [...this.rows.values()].filter((row) => row.table === table).map(({ value }) => value);
  }

  document(key: string): StoredDocument | undefined {
    return this.rows.get(key)?.value;
  }

  /** Ids of the documents that this snapshot has and another one has not. */
  newSince(other: LedgerSnapshot): readonly string[] {
    return [...this.rows]
      .filter(([key, { table }]) => !NAMELESS.includes(table) && !other.rows.has(key))
      .map(([key]) => key.slice(key.indexOf("/") + 1));
  }
}

/** Values of a table of documents, in the order in which they came to be. */
export function documents<V>(database: Database, table: string): V[] {
  return documentTexts(database, table).map(({ text }) => documentOf(text) as V);
}

/** The same as the tables have them: the JSON of a list of what belongs together. */
function documentTexts(
  database: Database,
  table: string,
): readonly { readonly key: string; readonly text: string }[] {
  const texts = WITH_TEXTS.includes(table)
    ? `(SELECT value FROM ${table}_texts AS texts WHERE texts.key = ${table}.key)`
    : "'{}'";
  return database
    .prepare(`SELECT key, value, ${texts} AS texts FROM ${table} ORDER BY number`)
    .all()
    .map((row) => ({ key: row["key"] as string, text: `[${row["value"]},${row["texts"]}]` }));
}

function documentOf(text: string): StoredDocument {
  const parts = JSON.parse(text) as [StoredDocument, StoredDocument];
  return Object.assign({}, ...parts);
}
