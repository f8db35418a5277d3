import type { Json } from "@moneta/protocol";
import type { Database } from "../database.ts";

/** A document as its table stores it, with its other columns and its long texts. */
export type StoredDocument = { readonly [name: string]: Json };

type Documents = ReadonlyMap<string, StoredDocument>;

const TABLES = [
  ...["token", "token_listing", "project", "item", "policy", "held"],
  ...["unit_item", "unit_listing", "holding"],
  ...["item_offer", "unit_offer", "open_offers"],
  ...["exchange_order", "order_level", "pending"],
  "seal",
] as const;

/** Those that have a table of long texts. */
const WITH_TEXTS: readonly string[] = ["token", "project", "unit_item"];

/** Documents whose keys are not ids. */
const NAMELESS: readonly string[] = [
  "holding",
  "open_offers",
  "order_level",
  "pending",
  "policy",
  "held",
];

/** Connections that note the keys of rows that change, in a temporary table. */
const noting = new WeakSet<Database>();

/** Balances and documents of a ledger between two blocks, read from the raw tables. */
export class LedgerSnapshot {
  /** Free and locked amounts together, by `address token`. */
  readonly balances: ReadonlyMap<string, bigint>;
  /** By table and key, such as `mrc402/MRC402_...`, in the order in which each table got them. */
  readonly tables: ReadonlyMap<string, Documents>;

  /** `previous` is the newest other snapshot of this ledger: only later changes are read. */
  constructor(database: Database, previous?: LedgerSnapshot) {
    const before = noting.has(database) ? previous : undefined;
    noteChanges(database);
    const changed = before === undefined ? new Map() : changedKeys(database);
    this.tables = new Map(
      TABLES.map((table) => [
        table,
        documentsOf(database, table, before?.tables.get(table), changed.get(table)),
      ]),
    );
    this.balances = balancesOf(database, before?.balances, changed.get("balance"));
  }

  documents(table: (typeof TABLES)[number]): readonly StoredDocument[] {
    return [...(this.tables.get(table)?.values() ?? [])];
  }

  document(key: string): StoredDocument | undefined {
    for (const table of this.tables.values()) {
      const found = table.get(key);
      if (found !== undefined) {
        return found;
      }
    }
    return undefined;
  }

  /** Ids of the documents that this snapshot has and another one has not. */
  newSince(other: LedgerSnapshot): readonly string[] {
    return [...this.tables]
      .filter(([table, all]) => !NAMELESS.includes(table) && all !== other.tables.get(table))
      .flatMap(([table, all]) =>
        [...all.keys()].filter((key) => !other.tables.get(table)?.has(key)),
      )
      .map((key) => key.slice(key.indexOf("/") + 1));
  }
}

/** Values of a table of documents, in the order in which they came to be. */
export function documents<V>(database: Database, table: string): V[] {
  return [...documentsOf(database, table).values()] as V[];
}

function documentsOf(
  database: Database,
  table: string,
  before?: Documents,
  changed: readonly string[] = [],
): Documents {
  const texts = WITH_TEXTS.includes(table)
    ? `(SELECT value FROM ${table}_texts AS texts WHERE texts.key = ${table}.key)`
    : "'{}'";
  const select = `SELECT key, value, ifnull(beside, '{}') AS beside, ${texts} AS texts FROM ${table}`;
  if (before === undefined) {
    const rows = database.prepare(`${select} ORDER BY number`).all() as unknown as DocumentRow[];
    return new Map(rows.map((row) => [row.key, documentOf(row)]));
  }
  if (changed.length === 0) {
    return before;
  }
  const one = database.prepare(`${select} WHERE key = ?`);
  const after = new Map(before);
  for (const key of changed) {
    const row = one.get(key) as DocumentRow | undefined;
    if (row === undefined) {
      after.delete(key);
    } else {
      after.set(key, documentOf(row));
    }
  }
  return after;
}

interface DocumentRow {
  readonly key: string;
  readonly value: string;
  readonly beside: string;
  readonly texts: string;
}

function documentOf({ value, beside, texts }: DocumentRow): StoredDocument {
  return { ...JSON.parse(value), ...JSON.parse(beside), ...JSON.parse(texts) };
}

function balancesOf(
  database: Database,
  before: ReadonlyMap<string, bigint> | undefined,
  changed: readonly string[] = [],
): ReadonlyMap<string, bigint> {
  if (before !== undefined && changed.length === 0) {
    return before;
  }
  const select = "SELECT address.address, ? AS asked, token, free, locked FROM address";
  const join = "JOIN balance ON balance.address = number";
  const after = new Map(before);
  const all = before === undefined ? database.prepare(`${select} ${join}`).all("") : [];
  // A balance of 0 has no row.
  const one = database.prepare(`${select} LEFT ${join} AND token = ? WHERE number = ?`);
  for (const key of changed) {
    const [number, token] = key.split(" ") as [string, string];
    all.push(...one.all(token, token, number));
  }
  for (const { address, asked, token, free, locked } of all) {
    if (token === null) {
      after.delete(`${address} ${asked}`);
    } else {
      after.set(`${address} ${token}`, BigInt(free as string) + BigInt(locked as string));
    }
  }
  return after;
}

/** Makes a connection note from now on which rows its operations change. */
function noteChanges(database: Database): void {
  if (noting.has(database)) {
    return;
  }
  const keys = new Map<string, string>([["balance", "ROW.address || ' ' || ROW.token"]]);
  for (const table of [...TABLES, ...WITH_TEXTS.map((each) => `${each}_texts`)]) {
    keys.set(table, "ROW.key");
  }
  const triggers = [...keys].flatMap(([table, key]) =>
    ["INSERT", "UPDATE", "DELETE"].map((event) => {
      const row = key.replaceAll("ROW", event === "DELETE" ? "OLD" : "NEW");
      const note = `INSERT OR IGNORE INTO changed VALUES ('${table.replace("_texts", "")}', ${row})`;
      return `CREATE TEMP TRIGGER ${table}_${event} AFTER ${event} ON main.${table} BEGIN ${note}; END`;
    }),
  );
  database.exec("CREATE TEMP TABLE changed (name TEXT, key TEXT, PRIMARY KEY (name, key))");
  database.exec(triggers.join("; "));
  noting.add(database);
}

/** Keys of rows changed since the last call, by table, in the order of changes. */
function changedKeys(database: Database): ReadonlyMap<string, readonly string[]> {
  const rows = database.prepare("SELECT name, key FROM temp.changed ORDER BY rowid").all();
  if (rows.length > 0) {
    database.exec("DELETE FROM temp.changed");
  }
  const groups = Map.groupBy(rows, ({ name }) => name as string);
  return new Map([...groups].map(([name, all]) => [name, all.map(({ key }) => key as string)]));
}
