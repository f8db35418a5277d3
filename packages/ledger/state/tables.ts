import {
  type Address,
  type Amount,
  canonicalJson,
  type Json,
  type TokenId,
} from "@moneta/protocol";
import { type Database, type Row, type Statement, Statements } from "../database.ts";
import { invariant } from "../invariant.ts";
import {
  BALANCE,
  type Balance,
  balanceKey,
  LOCK,
  type Lock,
  lockKey,
  magnitude,
  whole,
} from "./balances/balance.ts";
import { BoundedCache } from "./bounded-cache.ts";
import type { JsonObject } from "./document.ts";
import {
  BALANCES_LIST,
  balancesListName,
  EARLIER_TABLES,
  EarlierEntries,
  type ListedPlace,
  LOCKS_LIST,
  type LockPlace,
  locksListName,
  lowestIn,
  type PastBlock,
  type StoredTexts,
} from "./earlier-entries.ts";
import type { AddressEntry, Column, DocumentKind, DocumentTable, EntryKind } from "./entries.ts";
import {
  ADDRESS,
  addressKey,
  attributeTable,
  attributeTexts,
  COUNT,
  indexName,
  mayBeNull,
  PROTOCOL,
  STATE_ROOT,
  textsTable,
} from "./entries.ts";
import { GRANT, GRANT_PERIODS } from "./grant-entry.ts";
import type { Cells, Query } from "./index-reader.ts";
import { ITEM } from "./item-entry.ts";
import { KEY_SET, KEY_USE } from "./key-set-entry.ts";
import { hasOtherTexts, type ReadTexts } from "./long-texts.ts";
import {
  addNameInProject,
  createNameTable,
  NAME_TABLE,
  removeNameInProject,
  saveNames,
} from "./names/name-table.ts";
import { ITEM_OFFER, OPEN_OFFERS, UNIT_OFFER } from "./offer-entry.ts";
import { LEVEL, ORDER, PENDING } from "./order-entry.ts";
import { HELD, POLICY, PROJECT } from "./project-entry.ts";
import { SEAL } from "./seal-entry.ts";
import { DRAFT, TOKEN } from "./token-entry.ts";
import { TOKEN_LISTING } from "./token-listing-entry.ts";
import { HOLDING } from "./units/holding-entry.ts";
import { UNIT_FIRSTS, UNIT_ITEM } from "./units/unit-item-entry.ts";
import { UNIT_LISTING } from "./units/unit-listing-entry.ts";

const DOCUMENT_KINDS = [
  PROTOCOL,
  STATE_ROOT,
  COUNT,
  KEY_SET,
  KEY_USE,
  GRANT,
  GRANT_PERIODS,
  TOKEN,
  DRAFT,
  TOKEN_LISTING,
  PROJECT,
  POLICY,
  HELD,
  ITEM,
  UNIT_ITEM,
  UNIT_FIRSTS,
  HOLDING,
  UNIT_LISTING,
  ITEM_OFFER,
  UNIT_OFFER,
  OPEN_OFFERS,
  ORDER,
  LEVEL,
  PENDING,
  SEAL,
] as readonly unknown[] as readonly DocumentKind<unknown>[];

const DOCUMENT_TABLES: readonly DocumentTable<unknown>[] = [
  ...new Set(DOCUMENT_KINDS.map(({ table }) => table)),
];

const ATTRIBUTE_TABLES = DOCUMENT_TABLES.filter(
  ({ attributesOf }) => attributesOf !== undefined,
).map(attributeTable);

const ENTRY_TABLES = new Set(
  DOCUMENT_KINDS.filter(({ hasNoEntry }) => hasNoEntry !== true).map(({ table }) => table),
);

const KINDS: ReadonlyMap<string, EntryKind<unknown>> = new Map([
  ["address/", ADDRESS as EntryKind<unknown>],
  ["balance/", BALANCE as EntryKind<unknown>],
  ["lock/", LOCK as EntryKind<unknown>],
  ...DOCUMENT_KINDS.map((kind) => [kind.prefix, kind] as const),
]);

/** Source: chain §5. */
export function kindOf(key: string): EntryKind<unknown> | undefined {
  const prefix = key.slice(0, key.indexOf("/") + 1) || key;
  return KINDS.get(prefix);
}

const READ_IN_ORDER = ["address", "balance", "lock", ...[...ENTRY_TABLES].map(({ name }) => name)];

/** Of `StateTables.entries`; -1 for a kind without entries. */
export function entryOrder({ table }: EntryKind<unknown>): number {
  return READ_IN_ORDER.indexOf(typeof table === "string" ? table : table.name);
}

/**
 * Addresses are integers, so that rows of balances are short and sorted by creation. Amounts are
 * decimal text. Source: chain §5.
 */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS address (
    number INTEGER PRIMARY KEY,
    address TEXT NOT NULL UNIQUE,
    public_key TEXT NOT NULL,
    addinfo TEXT NOT NULL,
    create_date INTEGER NOT NULL,
    signed TEXT NOT NULL,
    transaction_number INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS address_by_key ON address (public_key);
  CREATE TABLE IF NOT EXISTS balance (
    address INTEGER NOT NULL,
    token INTEGER NOT NULL,
    free TEXT NOT NULL,
    -- Number and sum of the rows in lock, none of which unlocks before unlocks_from.
    locks INTEGER NOT NULL,
    locked TEXT NOT NULL,
    unlocks_from INTEGER NOT NULL,
    PRIMARY KEY (address, token)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS balance_by_token ON balance (token, address);
  -- How many balances of a token there are: counting them would take as long as there are many.
  CREATE TABLE IF NOT EXISTS holder_count (
    token INTEGER PRIMARY KEY,
    holders INTEGER NOT NULL
  ) STRICT;
  -- Holders by the magnitude of what they have, which few payments change. Source: tokens §2.
  CREATE TABLE IF NOT EXISTS holder_rank (
    token INTEGER NOT NULL,
    magnitude INTEGER NOT NULL,
    address INTEGER NOT NULL,
    PRIMARY KEY (token, magnitude, address)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS lock (
    address INTEGER NOT NULL,
    token INTEGER NOT NULL,
    unlock_date INTEGER NOT NULL,
    amount TEXT NOT NULL,
    PRIMARY KEY (address, token, unlock_date)
  ) STRICT, WITHOUT ROWID;
`;

/** Rows' order, and the columns that follow from the blocks: a document's `number` does not. */
export const STATE_TABLES: readonly {
  readonly table: string;
  readonly key: string;
  readonly columns: string;
}[] = [
  { table: "address", key: "number", columns: "*" },
  { table: "balance", key: "address, token", columns: "*" },
  { table: "lock", key: "address, token, unlock_date", columns: "*" },
  { table: "holder_count", key: "token", columns: "*" },
  { table: "holder_rank", key: "token, magnitude, address", columns: "*" },
  ...DOCUMENT_TABLES.map(({ name, columns }) => ({
    table: name,
    key: "key",
    columns: ["key", ...Object.keys(columns), "value", "beside"].join(", "),
  })),
  ...DOCUMENT_TABLES.filter(({ longTexts }) => longTexts !== undefined).map((table) => ({
    table: textsTable(table),
    key: "key",
    columns: "*",
  })),
  ...ATTRIBUTE_TABLES.map((table) => ({
    table,
    key: "project, attribute, number",
    columns: "*",
  })),
  NAME_TABLE,
  ...EARLIER_TABLES.map((table) => ({ ...table, columns: "*" })),
];

export function restored<V>(
  kind: DocumentKind<V>,
  { value, beside }: StoredTexts,
  readTexts: ReadTexts,
): V {
  const stored = beside === null ? null : JSON.parse(beside);
  return kind.restore(JSON.parse(value) as Json, stored as Json, readTexts);
}

/** `json` is the JCS of one without long texts. */
export function textsOf<V>(kind: DocumentKind<V>, value: V, json?: string): StoredTexts {
  return {
    value:
      kind.table.longTexts === undefined
        ? (json ?? canonicalJson(kind.entry?.(value) ?? kind.json(value)))
        : JSON.stringify(kind.withoutTexts?.(value)),
    beside: kind.beside === undefined ? null : JSON.stringify(kind.beside(value)),
  };
}

export function createStateTables(database: Database): void {
  database.exec(SCHEMA);
  for (const table of DOCUMENT_TABLES) {
    createDocumentTable(database, table);
  }
  createNameTable(database);
  EarlierEntries.create(database);
}

function createDocumentTable(database: Database, table: DocumentTable<never>): void {
  const columns = Object.entries(table.columns).map(
    ([name, column]) =>
      `${name} ${column.type === "ADDRESS" ? "INTEGER" : column.type}${mayBeNull(column) ? "" : " NOT NULL"},`,
  );
  database.exec(`
    CREATE TABLE IF NOT EXISTS ${table.name} (
      number INTEGER PRIMARY KEY,
      key TEXT NOT NULL UNIQUE,
      ${columns.join(" ")}
      value TEXT NOT NULL,
      -- What the entry has beside its document; NULL if nothing.
      beside TEXT
    ) STRICT;
  `);
  if (table.longTexts !== undefined) {
    database.exec(`
      CREATE TABLE IF NOT EXISTS ${textsTable(table)} (
        key TEXT PRIMARY KEY NOT NULL,
        value TEXT NOT NULL
      ) STRICT;
    `);
  }
  if (table.attributesOf !== undefined) {
    database.exec(`
      CREATE TABLE IF NOT EXISTS ${attributeTable(table)} (
        project INTEGER NOT NULL,
        attribute TEXT NOT NULL,
        -- Of the row that has the attribute.
        number INTEGER NOT NULL,
        PRIMARY KEY (project, attribute, number)
      ) STRICT, WITHOUT ROWID;
    `);
  }
  for (const index of table.indexes) {
    const gaps = index.filter((name) => mayBeNull(table.columns[name] as Column<never>));
    const where = gaps.map((name) => `${name} IS NOT NULL`).join(" AND ");
    database.exec(
      `CREATE INDEX IF NOT EXISTS ${indexName(table, index)} ON ${table.name} (${index.join(", ")}) ${where && `WHERE ${where}`}`,
    );
  }
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

type KeptChange<V> = Omit<SavedEntry<V>, "text"> & { readonly height: number };

interface HeldPlace {
  readonly holder: Address;
  readonly address: number;
  readonly token: number;
}

export function storedTexts<V>(
  statements: Statements,
  { table }: DocumentKind<V>,
  key: string,
): JsonObject {
  const row = statements.prepare(`SELECT value FROM ${textsTable(table)} WHERE key = ?`).get(key);
  invariant(row !== undefined, "an entry is stored with its long texts");
  return JSON.parse(row["value"] as string) as JsonObject;
}

interface PlaceInKey {
  readonly address: Address;
  readonly token: number;
  readonly unlockDate: number;
}

/** Read last: every balance needs its place. */
const PLACES = new BoundedCache<PlaceInKey>(32_768);

function placeIn(key: string): PlaceInKey {
  let place = PLACES.get(key);
  if (place === undefined) {
    const [, address = "", token, unlockDate = 0] = key.split("/");
    place = { address: address as Address, token: Number(token), unlockDate: Number(unlockDate) };
    PLACES.set(key, place);
  }
  return place;
}

interface Writes<V> {
  readonly insert: Statement;
  readonly updates: Map<string, Statement>;
  readonly columns: readonly (readonly [name: string, column: Column<V>])[];
}

export class StateTables {
  readonly earlier: EarlierEntries;
  readonly #statements: Statements;
  readonly #writes: Map<DocumentTable<never>, Writes<never>> = new Map();
  past: PastBlock | undefined;
  keptFor: number | undefined;

  constructor(database: Database) {
    this.#statements = new Statements(database);
    this.earlier = new EarlierEntries(database);
  }

  load(
    table: "address" | "balance" | "lock",
    key: string,
    numberOf: NumberOf,
  ): AddressEntry | Balance | Lock | undefined {
    switch (table) {
      case "address":
        return this.#loadAddress(key.slice("address/".length));
      case "balance": {
        const { address, token } = placeIn(key);
        const number = numberOf(address);
        return number === undefined ? undefined : this.balance(number, token);
      }
      case "lock": {
        const { address, token, unlockDate } = placeIn(key);
        const number = numberOf(address);
        const amount = number === undefined ? undefined : this.lock([number, token, unlockDate]);
        return amount && { address, token: String(token) as TokenId, unlockDate, amount };
      }
    }
  }

  /**
   * Each entry with the JCS of its value, after those to which it refers. Reads one at a time, as
   * of an earlier block also the kept states. Source: chain §5.
   */
  *entries(): Generator<readonly [key: string, text: string]> {
    const { past } = this;
    for (const row of this.#statements.prepare("SELECT * FROM address").iterate()) {
      const entry = addressIn(row);
      if (past === undefined || entry.transactionNumber < past.size) {
        yield [addressKey(entry.address), canonicalJson(ADDRESS.json(entry))];
      }
    }
    for (const { holder, address, token, balance } of this.#balances()) {
      const shown = past ? this.balance(address, token) : balance;
      if (shown !== undefined) {
        const key = balanceKey(holder, String(token) as TokenId);
        yield [key, canonicalJson(BALANCE.json(shown))];
      }
    }
    for (const { holder, address, token, unlockDate, amount } of this.#locks()) {
      const shown = past ? this.lock([address, token, unlockDate]) : amount;
      if (shown !== undefined) {
        const of = { address: holder, token: String(token) as TokenId };
        const key = lockKey(holder, of.token, unlockDate);
        yield [key, canonicalJson(LOCK.json({ ...of, unlockDate, amount: shown }))];
      }
    }
    for (const { name } of ENTRY_TABLES) {
      yield* this.#documents(name);
    }
  }

  /** As of an earlier block also those gone since. */
  *#balances(): Generator<HeldPlace & { readonly balance?: Balance }> {
    for (const row of this.#rowsWithHolders("balance")) {
      yield { ...(row as unknown as HeldPlace), balance: storedBalance(row) };
    }
    for (const { list, place } of this.#gone(BALANCES_LIST)) {
      const [address, token] = [Number(list.slice(BALANCES_LIST.length)), place as number];
      if (this.#storedBalance(address, token) === undefined) {
        yield { address, token, holder: this.addressNumbered(address) as Address };
      }
    }
  }

  *#locks(): Generator<HeldPlace & { readonly unlockDate: number; readonly amount?: Amount }> {
    for (const row of this.#rowsWithHolders("lock")) {
      const unlockDate = row["unlock_date"] as number;
      yield { ...(row as unknown as HeldPlace), unlockDate, amount: amountIn(row["amount"]) };
    }
    for (const { list, place } of this.#gone(LOCKS_LIST)) {
      const [address = 0, token = 0] = list.slice(LOCKS_LIST.length).split("/").map(Number);
      const unlockDate = place as number;
      if (this.#storedLock([address, token, unlockDate]) === undefined) {
        yield { address, token, unlockDate, holder: this.addressNumbered(address) as Address };
      }
    }
  }

  #rowsWithHolders(table: "balance" | "lock"): Iterable<Row> {
    return this.#statements
      .prepare(
        `SELECT held.*, address.address AS holder FROM ${table} AS held JOIN address ON number = held.address`,
      )
      .iterate();
  }

  #gone(lists: string): Iterable<{ readonly list: string } & ListedPlace> {
    return this.past === undefined ? [] : this.earlier.leftAbove(this.past.height, lists);
  }

  *#documents(table: string): Generator<readonly [key: string, text: string]> {
    for (const row of this.#documentRows(table)) {
      const key = row["key"] as string;
      const kind = kindOf(key) as DocumentKind<unknown>;
      const stored =
        this.past === undefined ? (row as unknown as StoredTexts) : this.document(kind, key);
      if (stored !== undefined && kind.table.longTexts === undefined) {
        yield [key, stored.value];
      } else if (stored !== undefined) {
        const value = restored(kind, stored, () => this.texts(kind, key));
        yield [key, canonicalJson(kind.entry?.(value) ?? kind.json(value))];
      }
    }
  }

  *#documentRows(table: string): Generator<Row> {
    yield* this.#statements.prepare(`SELECT key, value, beside FROM ${table}`).iterate();
    for (const { prefix } of DOCUMENT_KINDS.filter((kind) => kind.table.name === table)) {
      for (const { key } of this.#gone(prefix)) {
        if (this.#storedDocument(table, key) === undefined) {
          yield { key };
        }
      }
    }
  }

  document<V>({ table }: DocumentKind<V>, key: string): StoredTexts | undefined {
    const earlier =
      this.past && table.isCurrentOnly !== true ? this.earlier.document(key, this.past) : undefined;
    return earlier === undefined ? this.#storedDocument(table.name, key) : earlier.was;
  }

  /** From the index of keys alone, unless as of an earlier block. */
  hasDocument<V>(kind: DocumentKind<V>, key: string): boolean {
    return this.past === undefined
      ? this.#statements.prepare(`SELECT 1 FROM ${kind.table.name} WHERE key = ?`).get(key) !==
          undefined
      : this.document(kind, key) !== undefined;
  }

  #storedDocument(table: string, key: string): StoredTexts | undefined {
    return this.#statements.prepare(`SELECT value, beside FROM ${table} WHERE key = ?`).get(key) as
      | StoredTexts
      | undefined;
  }

  texts<V>(kind: DocumentKind<V>, key: string): JsonObject {
    return (
      (this.past && this.earlier.texts(key, this.past)) ?? storedTexts(this.#statements, kind, key)
    );
  }

  lock(place: LockPlace): Amount | undefined {
    const earlier = this.past && this.earlier.lock(place, this.past);
    return earlier === undefined ? this.#storedLock(place) : earlier.was;
  }

  #storedLock(place: LockPlace): Amount | undefined {
    const row = this.#statements
      .prepare("SELECT amount FROM lock WHERE address = ? AND token = ? AND unlock_date = ?")
      .get(...place);
    return row && amountIn(row["amount"]);
  }

  /** Reads no text. */
  textsBytes<V>({ table }: DocumentKind<V>, key: string): number {
    const sql = `SELECT octet_length(value) AS bytes FROM ${textsTable(table)} WHERE key = ?`;
    const row = this.#statements.prepare(sql).get(key);
    invariant(row !== undefined, "an entry is stored with its long texts");
    return row["bytes"] as number;
  }

  /** In order, with the named columns. Reads no documents, which may be large. */
  seek<V>(
    { table }: DocumentKind<V>,
    { index, equal, range, limit }: Query,
    columns: readonly string[],
  ): Map<string, Cells> {
    invariant(this.past === undefined, "what is looked up by an index is that of the newest block");
    const order = index.slice(equal.length);
    const gaps = order.filter((name) => mayBeNull(table.columns[name] as Column<V>));
    const conditions = [
      ...index.slice(0, equal.length).map((name) => `${name} = ?`),
      ...(range === undefined ? [] : [`${order[0]} ${"below" in range ? "<" : ">"} ?`]),
      ...gaps.map((name) => `${name} IS NOT NULL`),
    ];
    const sql = `SELECT ${["key", ...columns].join(", ")} FROM ${table.name} INDEXED BY ${indexName(table, index)} WHERE ${conditions.join(" AND ")} ORDER BY ${[...order, "number"].join(", ")} LIMIT ?`;
    const bounds = range === undefined ? [] : [Object.values(range)[0] as number];
    const rows = this.#statements.prepare(sql).all(...equal, ...bounds, limit);
    return new Map(rows.map(({ key, ...cells }) => [key as string, cells as Cells]));
  }

  /** Both dates included, earliest first. */
  locks(
    of: { readonly address: Address; readonly token: TokenId },
    {
      number,
      from,
      to,
      limit,
    }: {
      readonly number: number;
      readonly from: number;
      readonly to: number;
      readonly limit: number;
    },
  ): Lock[] {
    return this.#statements
      .prepare(
        "SELECT unlock_date, amount FROM lock WHERE address = ? AND token = ? AND unlock_date BETWEEN ? AND ? ORDER BY unlock_date LIMIT ?",
      )
      .all(number, Number(of.token), from, to, limit)
      .map((row) => ({
        ...of,
        unlockDate: row["unlock_date"] as number,
        amount: amountIn(row["amount"]),
      }));
  }

  /** From the index of addresses alone. */
  addressNumber(address: Address): number | undefined {
    if (this.past !== undefined) {
      return this.#loadAddress(address)?.number;
    }
    const row = this.#statements
      .prepare("SELECT number FROM address WHERE address = ?")
      .get(address);
    return row?.["number"] as number | undefined;
  }

  addressNumbered(number: number): Address | undefined {
    const row = this.#statements
      .prepare("SELECT address FROM address WHERE number = ?")
      .get(number);
    return row?.["address"] as Address | undefined;
  }

  /**
   * Possible as of the earlier block, in order, each with the balance if any. Two look-ups find
   * each.
   */
  *pastBalances(
    address: number,
    from: number,
    to: number,
  ): Generator<{ readonly token: number; readonly balance: Balance | undefined }> {
    const current = this.#statements.prepare(
      "SELECT min(token) AS lowest FROM balance WHERE address = ? AND token BETWEEN ? AND ?",
    );
    for (let next = from; ; ) {
      const token = lower(
        lowestIn(current.get(address, next, to)),
        this.earlier.nextToken(address, next, to),
      );
      if (token === undefined) {
        return;
      }
      yield { token, balance: this.balance(address, token) };
      next = token + 1;
    }
  }

  /** Possible as of the earlier block, in order, each with the amount if any. */
  *pastLocks(
    [address, token]: readonly [address: number, token: number],
    from: number,
  ): Generator<{ readonly unlockDate: number; readonly amount: Amount | undefined }> {
    const current = this.#statements.prepare(
      "SELECT min(unlock_date) AS lowest FROM lock WHERE address = ? AND token = ? AND unlock_date >= ?",
    );
    for (let next = from; ; ) {
      const unlockDate = lower(
        lowestIn(current.get(address, token, next)),
        this.earlier.nextUnlockDate([address, token], next),
      );
      if (unlockDate === undefined) {
        return;
      }
      yield { unlockDate, amount: this.lock([address, token, unlockDate]) };
      next = unlockDate + 1;
    }
  }

  /**
   * Stores or removes an entry. `text` is its JSON in the block's changes. Returns a document's
   * texts.
   */
  save<V>(kind: EntryKind<V>, key: string, entry: SavedEntry<V>): StoredTexts | undefined {
    switch (kind.table) {
      case "address":
        this.#insertAddress(entry.after as AddressEntry);
        return undefined;
      case "balance": {
        const { address, token } = placeIn(key);
        const number = entry.numberOf(address);
        invariant(number !== undefined, "only known addresses have balances");
        if (this.keptFor !== undefined) {
          this.earlier.putBalance([number, token], entry.before as Balance | undefined);
          if (entry.after === undefined) {
            const tokens = balancesListName(number);
            this.earlier.putLeft(tokens, { place: token, key: "" }, this.keptFor);
            this.earlier.putLeft(holdersListName(token), { place: number, key: "" }, this.keptFor);
          }
        }
        const balances = entry as SavedEntry<unknown> as SavedEntry<Balance>;
        this.#saveBalance(number, token, balances);
        this.#saveRank([number, token], balances);
        return undefined;
      }
      case "lock": {
        const { address, token, unlockDate } = placeIn(key);
        const number = entry.numberOf(address);
        invariant(number !== undefined, "only known addresses have locks");
        if (this.keptFor !== undefined) {
          this.earlier.putLock(
            [number, token, unlockDate],
            (entry.before as Lock | undefined)?.amount,
          );
          if (entry.after === undefined) {
            const dates = locksListName(number, token);
            this.earlier.putLeft(dates, { place: unlockDate, key: "" }, this.keptFor);
          }
        }
        this.#saveLock(
          [number, token, unlockDate],
          entry as SavedEntry<unknown> as SavedEntry<Lock>,
        );
        return undefined;
      }
      default:
        return this.#saveDocument(kind as DocumentKind<V>, key, entry);
    }
  }

  /**
   * `was` are its texts before the block at `height`, `is` those of its row now. Source: proofs §1.
   */
  keepEarlier<V>(
    kind: DocumentKind<V>,
    key: string,
    change: KeptChange<V>,
    { was, is }: { readonly was: StoredTexts | undefined; readonly is: StoredTexts | undefined },
  ): void {
    const { before, after, height } = change;
    this.#noteLeft(kind, key, change);
    const { longTexts } = kind.table;
    if (
      longTexts !== undefined &&
      before !== undefined &&
      after !== undefined &&
      hasOtherTexts(longTexts, before, after)
    ) {
      const texts = longTexts.json(before);
      if (canonicalJson(texts) !== canonicalJson(longTexts.json(after))) {
        this.earlier.putTexts(key, texts);
      }
    }
    if (was !== undefined && was.value === is?.value && was.beside === is.beside) {
      return;
    }
    this.earlier.putDocument(key, was);
    if (before !== undefined && after === undefined) {
      this.earlier.putLeft(kind.prefix, { place: key, key }, height);
    }
  }

  #noteLeft<V>(
    { table }: DocumentKind<V>,
    key: string,
    { before, after, height, numberOf }: KeptChange<V>,
  ): void {
    if (before === undefined) {
      return;
    }
    const cell = (column: string, value: V): string | number | null =>
      column === "number"
        ? (table.rowNumber?.(value) ?? null)
        : cellOf(table, column, value, numberOf);
    for (const { column, order } of table.pastLists ?? []) {
      const was = cell(column, before);
      if (was !== null && (after === undefined || cell(column, after) !== was)) {
        const place = cell(order, before) as string | number;
        this.earlier.putLeft(pastListName(table, column, was), { place, key }, height);
      }
    }
  }

  #saveDocument<V>(
    kind: DocumentKind<V>,
    key: string,
    entry: SavedEntry<V>,
  ): StoredTexts | undefined {
    const { before, after } = entry;
    const { longTexts } = kind.table;
    invariant(longTexts === undefined || after !== undefined, "what has long texts stays");
    if (after === undefined) {
      this.#statements.prepare(`DELETE FROM ${kind.table.name} WHERE key = ?`).run(key);
      return undefined;
    }
    const texts = textsOf(kind, after, entry.text);
    if (before === undefined) {
      this.#insertDocument(kind, key, { after, texts, numberOf: entry.numberOf });
    } else {
      this.#updateDocument(kind, key, { before, after, texts, numberOf: entry.numberOf });
    }
    if (
      longTexts !== undefined &&
      (before === undefined || hasOtherTexts(longTexts, before, after))
    ) {
      const { changes } = this.#statements
        .prepare(
          before === undefined
            ? `INSERT INTO ${textsTable(kind.table)} (value, key) VALUES (?, ?)`
            : `UPDATE ${textsTable(kind.table)} SET value = ? WHERE key = ?`,
        )
        .run(JSON.stringify(longTexts.json(after)), key);
      invariant(changes === 1, "what was there before the block has a row");
    }
    this.#saveAttributes(kind, before, after);
    this.#saveGroup(kind, before, after);
    if (kind.table.names !== undefined) {
      saveNames(this.#statements, kind.table.names, before, after);
    }
    return texts;
  }

  /** Got or lost, if their members changed. */
  #saveAttributes<V>({ table }: DocumentKind<V>, before: V | undefined, after: V): void {
    const now = table.attributesOf?.(after);
    const earlier = before && table.attributesOf?.(before);
    if (now?.projectOrder === undefined || now.attributes === earlier?.attributes) {
      return;
    }
    const had = new Set(attributeTexts(earlier?.attributes ?? {}));
    const has = new Set(attributeTexts(now.attributes));
    const { projectOrder } = now;
    const number = table.rowNumber?.(after) as number;
    const name = attributeTable(table);
    for (const attribute of had.difference(has)) {
      this.#statements
        .prepare(`DELETE FROM ${name} WHERE project = ? AND attribute = ? AND number = ?`)
        .run(projectOrder, attribute, number);
      if (!this.#hasAttribute(projectOrder, attribute)) {
        removeNameInProject(this.#statements, {
          ...{ kind: "attribute", project: projectOrder, text: attribute },
        });
      }
    }
    for (const attribute of has.difference(had)) {
      this.#statements
        .prepare(`INSERT INTO ${name} VALUES (?, ?, ?)`)
        .run(projectOrder, attribute, number);
      addNameInProject(this.#statements, {
        ...{ kind: "attribute", project: projectOrder, text: attribute },
      });
    }
  }

  /** Of a kind of items that lists find by group. */
  #saveGroup<V>({ table }: DocumentKind<V>, before: V | undefined, after: V): void {
    if (table.columns["groupid"] === undefined) {
      return;
    }
    const { projectOrder: project, groupid = "" } = table.attributesOf?.(after) ?? {};
    const earlier = (before && table.attributesOf?.(before).groupid) ?? "";
    if (project === undefined || groupid === earlier) {
      return;
    }
    const isLeft =
      earlier !== "" &&
      this.#statements
        .prepare(`SELECT 1 FROM ${table.name} WHERE project = ? AND groupid = ? LIMIT 1`)
        .get(project, earlier) === undefined;
    if (isLeft) {
      removeNameInProject(this.#statements, { kind: "groupid", project, text: earlier });
    }
    if (groupid !== "") {
      addNameInProject(this.#statements, { kind: "groupid", project, text: groupid });
    }
  }

  #hasAttribute(project: number, attribute: string): boolean {
    return ATTRIBUTE_TABLES.some(
      (name) =>
        this.#statements
          .prepare(`SELECT 1 FROM ${name} WHERE project = ? AND attribute = ? LIMIT 1`)
          .get(project, attribute) !== undefined,
    );
  }

  #insertDocument<V>(
    { table }: DocumentKind<V>,
    key: string,
    {
      after,
      texts: { value, beside },
      numberOf,
    }: { readonly after: V; readonly texts: StoredTexts; readonly numberOf: NumberOf },
  ): void {
    const number = table.rowNumber === undefined ? [] : [table.rowNumber(after)];
    const { insert, columns } = this.#writesOf(table);
    const cells = columns.map(([, column]) => cellFor(column, column.of(after), numberOf));
    insert.run(...number, key, ...cells, value, beside);
  }

  /** Writes only changed columns and their indexes: a bid changes only the bidder's. */
  #updateDocument<V>(
    { table }: DocumentKind<V>,
    key: string,
    {
      before,
      after,
      texts: { value, beside },
      numberOf,
    }: {
      readonly before: V;
      readonly after: V;
      readonly texts: StoredTexts;
      readonly numberOf: NumberOf;
    },
  ): void {
    const { updates, columns } = this.#writesOf(table);
    const changed: string[] = [];
    const cells: Cells[string][] = [];
    for (const [name, column] of columns) {
      const is = column.of(after);
      if (column.of(before) !== is) {
        changed.push(name);
        cells.push(cellFor(column, is, numberOf));
      }
    }
    const names = changed.join(" ");
    let update = updates.get(names);
    if (update === undefined) {
      const set = [...changed, "value", "beside"].map((name) => `${name} = ?`).join(", ");
      const row = table.rowNumber === undefined ? "key" : "number";
      update = this.#statements.prepare(`UPDATE ${table.name} SET ${set} WHERE ${row} = ?`);
      updates.set(names, update);
    }
    const { changes } = update.run(...cells, value, beside, table.rowNumber?.(after) ?? key);
    invariant(changes === 1, "what was there before the block has a row");
  }

  #writesOf<V>(table: DocumentTable<V>): Writes<V> {
    const known = this.#writes.get(table) as Writes<V> | undefined;
    if (known !== undefined) {
      return known;
    }
    const number = table.rowNumber === undefined ? [] : ["number"];
    const names = [...number, "key", ...Object.keys(table.columns), "value", "beside"];
    const values = names.map(() => "?").join(", ");
    const writes: Writes<V> = {
      insert: this.#statements.prepare(
        `INSERT INTO ${table.name} (${names.join(", ")}) VALUES (${values})`,
      ),
      updates: new Map(),
      columns: Object.entries(table.columns),
    };
    this.#writes.set(table, writes as Writes<never>);
    return writes;
  }

  #loadAddress(address: string): AddressEntry | undefined {
    const row = this.#statements.prepare("SELECT * FROM address WHERE address = ?").get(address);
    // Addresses never change.
    const isLater =
      this.past !== undefined && (row?.["transaction_number"] as number) >= this.past.size;
    if (row === undefined || isLater) {
      return undefined;
    }
    return addressIn(row);
  }

  #insertAddress(entry: AddressEntry): void {
    this.#statements
      .prepare("INSERT INTO address VALUES (?, ?, ?, ?, ?, ?, ?)")
      .run(
        entry.number,
        entry.address,
        entry.publickey,
        entry.addinfo,
        entry.createdate,
        entry.signed,
        entry.transactionNumber,
      );
  }

  balance(address: number, token: number): Balance | undefined {
    const earlier = this.past && this.earlier.balance([address, token], this.past);
    return earlier === undefined ? this.#storedBalance(address, token) : earlier.was;
  }

  #storedBalance(address: number, token: number): Balance | undefined {
    const row = this.#statements
      .prepare(
        "SELECT free, locks, locked, unlocks_from FROM balance WHERE address = ? AND token = ?",
      )
      .get(address, token);
    return row && storedBalance(row);
  }

  #saveBalance(address: number, token: number, { before, after }: SavedEntry<Balance>): void {
    if (after === undefined) {
      this.#statements
        .prepare("DELETE FROM balance WHERE address = ? AND token = ?")
        .run(address, token);
      this.#countHolders(token, -1);
      return;
    }
    const { free, locks, locked, unlocksFrom } = after;
    // Not OR REPLACE, which would write the index of holders.
    const sql =
      before === undefined
        ? "INSERT INTO balance (free, locks, locked, unlocks_from, address, token) VALUES (?, ?, ?, ?, ?, ?)"
        : "UPDATE balance SET free = ?, locks = ?, locked = ?, unlocks_from = ? WHERE address = ? AND token = ?";
    const { changes } = this.#statements
      .prepare(sql)
      .run(String(free), locks, String(locked), unlocksFrom, address, token);
    invariant(changes === 1, "what was there before the block has a row");
    if (before === undefined) {
      this.#countHolders(token, 1);
    }
  }

  #saveRank(
    [address, token]: readonly [address: number, token: number],
    { before, after }: SavedEntry<Balance>,
  ): void {
    const was = before && magnitude(whole(before));
    const is = after && magnitude(whole(after));
    if (was !== undefined && was !== is) {
      this.#statements
        .prepare("DELETE FROM holder_rank WHERE token = ? AND magnitude = ? AND address = ?")
        .run(token, was, address);
    }
    if (is !== undefined && is !== was) {
      this.#statements.prepare("INSERT INTO holder_rank VALUES (?, ?, ?)").run(token, is, address);
    }
  }

  #countHolders(token: number, more: 1 | -1): void {
    this.#statements
      .prepare(
        "INSERT INTO holder_count VALUES (?, ?) ON CONFLICT DO UPDATE SET holders = holders + excluded.holders",
      )
      .run(token, more);
    if (more === -1) {
      this.#statements
        .prepare("DELETE FROM holder_count WHERE token = ? AND holders = 0")
        .run(token);
    }
  }

  holders(token: number): number {
    const row = this.#statements
      .prepare("SELECT holders FROM holder_count WHERE token = ?")
      .get(token);
    return (row?.["holders"] as number | undefined) ?? 0;
  }

  #saveLock(
    place: readonly [address: number, token: number, unlockDate: number],
    { before, after }: SavedEntry<Lock>,
  ): void {
    const at = "address = ? AND token = ? AND unlock_date = ?";
    if (after === undefined) {
      const { changes } = this.#statements.prepare(`DELETE FROM lock WHERE ${at}`).run(...place);
      invariant(changes === 1, "what was there before the block has a row");
      return;
    }
    const sql =
      before === undefined
        ? "INSERT INTO lock (amount, address, token, unlock_date) VALUES (?, ?, ?, ?)"
        : `UPDATE lock SET amount = ? WHERE ${at}`;
    this.#statements.prepare(sql).run(String(after.amount), ...place);
  }
}

export function isInRange(cells: Cells, { index, equal, range }: Omit<Query, "limit">): boolean {
  const next = cells[index[equal.length] ?? ""];
  return (
    index.every((name, place) =>
      place < equal.length ? cells[name] === equal[place] : cells[name] !== null,
    ) &&
    (range === undefined ||
      (typeof next === "number" && ("below" in range ? next < range.below : next > range.above)))
  );
}

/** As SQLite sees it. */
export function compareCells(one: Cells, other: Cells, columns: readonly string[]): number {
  for (const name of columns) {
    const [a, b] = [one[name] ?? "", other[name] ?? ""];
    if (a !== b) {
      return a < b ? -1 : 1;
    }
  }
  return 0;
}

export function cellOf<V>(
  table: DocumentTable<V>,
  column: string,
  value: V,
  numberOf: NumberOf,
): Cells[string] {
  const described = table.columns[column];
  invariant(described !== undefined, "only columns of the table are read");
  return cellFor(described, described.of(value), numberOf);
}

function cellFor(
  { type }: Column<never>,
  value: string | number | undefined,
  numberOf: NumberOf,
): Cells[string] {
  if (type !== "ADDRESS") {
    return value ?? null;
  }
  if (value === "") {
    return null;
  }
  const number = numberOf(value as Address);
  invariant(number !== undefined, "entries name known addresses");
  return number;
}

export function pastListName(
  { name }: Pick<DocumentTable<never>, "name">,
  column: string,
  value: string | number,
): string {
  return `${name}_by_${column} ${value}`;
}

export function holdersListName(token: number): string {
  return `balance_by_token ${token}`;
}

function addressIn(row: Row): AddressEntry {
  return {
    address: row["address"] as Address,
    number: row["number"] as number,
    publickey: row["public_key"] as string,
    addinfo: row["addinfo"] as string,
    createdate: row["create_date"] as number,
    signed: row["signed"] as "full" | "",
    transactionNumber: row["transaction_number"] as number,
  };
}

export function storedBalance(row: Row): Balance {
  return {
    free: amountIn(row["free"]),
    locks: row["locks"] as number,
    locked: amountIn(row["locked"]),
    unlocksFrom: row["unlocks_from"] as number,
  };
}

function lower(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
}

export function amountIn(cell: Row[string] | undefined): Amount {
  return BigInt(cell as string) as Amount;
}
