import type { Amount } from "@moneta/protocol";
import { type Database, type Row, type Statement, Statements } from "../database.ts";
import { invariant } from "../invariant.ts";
import type { Balance } from "./balance.ts";
import type { JsonObject } from "./document.ts";

/**
 * What entries were before the blocks that changed them: a row for each changed entry and block. So
 * the state after block H is the first row above H where there is one, else what the tables have.
 * Entries that never change cost nothing, and no read follows a chain of changes.
 */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS earlier_balance (
    address INTEGER NOT NULL,
    token INTEGER NOT NULL,
    -- Of the block that changed it.
    height INTEGER NOT NULL,
    -- Free, and where something was locked: locks, locked, unlocks_from. NULL where there was none.
    was TEXT,
    PRIMARY KEY (address, token, height)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS earlier_lock (
    address INTEGER NOT NULL,
    token INTEGER NOT NULL,
    unlock_date INTEGER NOT NULL,
    height INTEGER NOT NULL,
    amount TEXT,
    PRIMARY KEY (address, token, unlock_date, height)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS earlier_document (
    key TEXT NOT NULL,
    height INTEGER NOT NULL,
    -- As the table of the kind had it; NULL where there was no entry.
    value TEXT,
    beside TEXT,
    PRIMARY KEY (key, height)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS earlier_texts (
    key TEXT NOT NULL,
    height INTEGER NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (key, height)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS left_list (
    list TEXT NOT NULL,
    place ANY NOT NULL,
    -- Of the last block that took the entry out of the list.
    height INTEGER NOT NULL,
    key TEXT NOT NULL,
    PRIMARY KEY (list, place)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS kept_state (
    only INTEGER PRIMARY KEY CHECK (only = 0),
    -- The earliest block whose state can be read; NULL if only that of the newest can.
    since INTEGER
  ) STRICT;
`;

/** Tables of earlier entries, and what orders their rows. */
export const EARLIER_TABLES = [
  { table: "earlier_balance", key: "address, token, height" },
  { table: "earlier_lock", key: "address, token, unlock_date, height" },
  { table: "earlier_document", key: "key, height" },
  { table: "earlier_texts", key: "key, height" },
  { table: "left_list", key: "list, place" },
] as const;

/** As of which blocks the state can be read: `all`, those from one on, or `none` but the newest. */
export type KeepState = "all" | "none" | number;

/** A block as of which the state is read. */
export interface PastBlock {
  readonly height: number;
  /** How many transactions there are up to it. */
  readonly size: number;
}

/** Where an entry stands in the order of a list. */
export interface ListedPlace {
  readonly place: string | number;
  readonly key: string;
}

/** An entry as it was; undefined where there was none. */
interface Earlier<T> {
  readonly was: T | undefined;
}

type BalancePlace = readonly [address: number, token: number];
type LockPlace = readonly [address: number, token: number, unlockDate: number];

/** The state before each block, as far back as it is kept. Source: proofs §1. */
export class EarlierEntries {
  readonly #statements: Statements;
  /** Kept here, because it is used twice for every transfer. */
  #insertBalance: Statement | undefined;

  static create(database: Database): void {
    database.exec(SCHEMA);
  }

  constructor(database: Database) {
    this.#statements = new Statements(database);
  }

  /** From which block on the state is kept. */
  get kept(): "none" | number {
    const row = this.#statements.prepare("SELECT since FROM kept_state").get();
    return row === undefined ? 0 : ((row["since"] as number | null) ?? "none");
  }

  /** Whether nothing has to change for the state to be kept as `wanted` says. */
  isKeptFrom(wanted: KeepState): boolean {
    const { kept } = this;
    return wanted === "none" || kept === "none"
      ? wanted === kept
      : wanted === "all" || wanted <= kept;
  }

  /**
   * Keeps the state as of blocks from `wanted` on, and removes what is kept of earlier ones. Where none
   * was kept before, it is kept as of the newest block, `height`, at the earliest.
   */
  keep(wanted: KeepState, height: number): void {
    const { kept } = this;
    const earliest = kept === "none" ? Math.max(height, 0) : kept;
    const since = wanted === "none" ? null : Math.max(wanted === "all" ? 0 : wanted, earliest);
    for (const { table } of EARLIER_TABLES) {
      // The row of block H is read as of blocks before it.
      this.#statements
        .prepare(`DELETE FROM ${table} WHERE height <= ?`)
        .run(since ?? Number.MAX_SAFE_INTEGER);
    }
    this.#statements.prepare("INSERT OR REPLACE INTO kept_state VALUES (0, ?)").run(since);
  }

  /** Whether what the block at `height` changes is kept. */
  keepsBefore(height: number): boolean {
    const { kept } = this;
    return kept !== "none" && height > kept;
  }

  putBalance(address: number, token: number, height: number, was: Balance | undefined): void {
    this.#insertBalance ??= this.#statements.prepare(
      "INSERT INTO earlier_balance VALUES (?, ?, ?, ?)",
    );
    this.#insertBalance.run(address, token, height, was === undefined ? null : balanceText(was));
  }

  putLock(place: LockPlace, height: number, was: Amount | undefined): void {
    this.#statements
      .prepare("INSERT INTO earlier_lock VALUES (?, ?, ?, ?, ?)")
      .run(...place, height, was?.toString() ?? null);
  }

  putDocument(
    key: string,
    height: number,
    was: { readonly value: string; readonly beside: string | null } | undefined,
  ): void {
    this.#statements
      .prepare("INSERT INTO earlier_document VALUES (?, ?, ?, ?)")
      .run(key, height, was?.value ?? null, was?.beside ?? null);
  }

  putTexts(key: string, height: number, was: JsonObject): void {
    this.#statements
      .prepare("INSERT INTO earlier_texts VALUES (?, ?, ?)")
      .run(key, height, JSON.stringify(was));
  }

  /** Notes that an entry has left a list, in whose order it had a place. */
  putLeft(list: string, { place, key }: ListedPlace, height: number): void {
    this.#statements
      .prepare("INSERT OR REPLACE INTO left_list VALUES (?, ?, ?, ?)")
      .run(list, place, height, key);
  }

  /**
   * Entries that were taken out of a list, in its order, behind a place; each once, with the block
   * that took it out last.
   */
  *left(
    list: string,
    { after, isAscending }: { readonly after: string | number; readonly isAscending: boolean },
  ): Generator<ListedPlace & { readonly height: number }> {
    const [beyond, direction] = isAscending ? [">", ""] : ["<", "DESC"];
    const rows = this.#statements
      .prepare(
        `SELECT place, height, key FROM left_list WHERE list = ? AND place ${beyond} ? ORDER BY place ${direction}`,
      )
      .iterate(list, after);
    for (const row of rows) {
      yield row as unknown as ListedPlace & { readonly height: number };
    }
  }

  /** A balance after a block, undefined if it has not changed since. */
  balance(place: BalancePlace, { height }: PastBlock): Earlier<Balance> | undefined {
    const row = this.#statements
      .prepare(
        "SELECT was FROM earlier_balance WHERE address = ? AND token = ? AND height > ? ORDER BY height LIMIT 1",
      )
      .get(...place, height);
    return row && { was: row["was"] === null ? undefined : balanceIn(row["was"] as string) };
  }

  /** The row of a lock after a block, undefined if it has not changed since. */
  lock(place: LockPlace, { height }: PastBlock): Earlier<Row> | undefined {
    const row = this.#statements
      .prepare(
        "SELECT amount FROM earlier_lock WHERE address = ? AND token = ? AND unlock_date = ? AND height > ? ORDER BY height LIMIT 1",
      )
      .get(...place, height);
    return earlierIn(row, "amount");
  }

  /** The row of a document after a block, undefined if it has not changed since. */
  document(key: string, { height }: PastBlock): Earlier<Row> | undefined {
    const row = this.#statements
      .prepare(
        "SELECT value, beside FROM earlier_document WHERE key = ? AND height > ? ORDER BY height LIMIT 1",
      )
      .get(key, height);
    return earlierIn(row, "value");
  }

  /** The long texts of an entry after a block, undefined if they have not changed since. */
  texts(key: string, { height }: PastBlock): JsonObject | undefined {
    const row = this.#statements
      .prepare(
        "SELECT value FROM earlier_texts WHERE key = ? AND height > ? ORDER BY height LIMIT 1",
      )
      .get(key, height);
    return row && (JSON.parse(row["value"] as string) as JsonObject);
  }

  /** The lowest token from `from` to `to` of which the balance of an address has ever changed. */
  nextToken(address: number, from: number, to: number): number | undefined {
    return lowestIn(
      this.#statements
        .prepare(
          "SELECT min(token) AS lowest FROM earlier_balance WHERE address = ? AND token BETWEEN ? AND ?",
        )
        .get(address, from, to),
    );
  }

  /** The earliest unlock date from `from` on of which a locked amount has ever changed. */
  nextUnlockDate([address, token]: BalancePlace, from: number): number | undefined {
    return lowestIn(
      this.#statements
        .prepare(
          "SELECT min(unlock_date) AS lowest FROM earlier_lock WHERE address = ? AND token = ? AND unlock_date >= ?",
        )
        .get(address, token, from),
    );
  }
}

/** From which block on a ledger's file keeps the state. */
export function keptState(database: Database): KeepState {
  return new EarlierEntries(database).kept;
}

function balanceText({ free, locks, locked, unlocksFrom }: Balance): string {
  return locks === 0 ? String(free) : `${free} ${locks} ${locked} ${unlocksFrom}`;
}

function balanceIn(text: string): Balance {
  const [free = "", locks = "0", locked = "0", unlocksFrom = "0"] = text.split(" ");
  return {
    free: BigInt(free) as Amount,
    locks: Number(locks),
    locked: BigInt(locked) as Amount,
    unlocksFrom: Number(unlocksFrom),
  };
}

function earlierIn(row: Row | undefined, column: string): Earlier<Row> | undefined {
  return row && { was: row[column] === null ? undefined : row };
}

/** The lowest value that a query for it has found, if there is one. */
export function lowestIn(row: Row | undefined): number | undefined {
  invariant(row !== undefined, "an aggregate has a row");
  return (row["lowest"] as number | null) ?? undefined;
}
