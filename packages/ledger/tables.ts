import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { commit, type Database, openScratch } from "./database.ts";
import { ChangedEntries } from "./log/changed-entries.ts";
import { firstKeptIn, PRUNED_TABLE } from "./log/local-log.ts";
import { sha256 } from "./sha256.ts";
import { operationNumber } from "./state/ids/operation-number.ts";
import { createStateTables, STATE_TABLES } from "./state/tables/tables.ts";
import { UnusableLedger } from "./unusable-ledger.ts";
import { BlockView } from "./views/blocks.ts";
import { GroupView } from "./views/groups.ts";
import { HeadView } from "./views/head.ts";
import { HistoryView } from "./views/history.ts";
import { OrderTradeView, TRADES_OF_TRANSACTION } from "./views/order-trades.ts";
import { ProjectMarketView } from "./views/project-markets.ts";
import { TokenMarketView } from "./views/token-markets.ts";
import { TokenTradeView } from "./views/token-trades.ts";
import { TotalView } from "./views/totals.ts";
import { TransactionView } from "./views/transactions.ts";
import { TreeView } from "./views/tree.ts";
import { REPEAT_RECOGNISED_SECONDS, UsedKeyView } from "./views/used-keys.ts";

export const ROWS_OF_TRANSACTIONS: readonly {
  readonly table: string;
  readonly column: string;
  readonly first: (transaction: number) => number;
}[] = [
  { table: "transaction_record", column: "number", first: (transaction) => transaction },
  {
    table: "token_trade",
    column: "number",
    first: (transaction) => operationNumber(transaction, 0),
  },
  ...["order_trade", "order_trade_party"].map((table) => ({
    ...{ table, column: "number" },
    first: (transaction: number) => transaction * TRADES_OF_TRANSACTION,
  })),
  { table: "transaction_group", column: "first_transaction", first: (transaction) => transaction },
  { table: "used_key", column: "transaction_number", first: (transaction) => transaction },
];

const VIEWS = [
  BlockView,
  TransactionView,
  HistoryView,
  TokenTradeView,
  TokenMarketView,
  ProjectMarketView,
  OrderTradeView,
  TotalView,
  TreeView,
  UsedKeyView,
  GroupView,
  HeadView,
] as const;

/** Records and changes are also committed to by block headers. */
const FILLED_BY = ["state", "views"];

// Not at the start: it takes 9 ms of CPU, and reading threads need none.
let computedVersion: number | undefined;

/**
 * From their SQL and the sources that fill them. A changed comment rebuilds them once too often.
 */
function tablesVersion(): number {
  computedVersion ??= versionOf([...tablesSql(), ...sourcesOf(FILLED_BY)]);
  return computedVersion;
}

/** For `user_version`: positive, 31 bits. */
export function versionOf(texts: readonly string[]): number {
  return (Number.parseInt(sha256.hex(JSON.stringify(texts)).slice(0, 8), 16) >>> 1) | 1;
}

export function tablesSql(): string[] {
  const database = openScratch(":memory:");
  createEmptyTables(database);
  const rows = database
    .prepare("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name")
    .all();
  database.close();
  return rows.map(({ sql }) => sql as string);
}

function sourcesOf(folders: readonly string[]): string[] {
  return folders.flatMap((folder) => {
    const path = join(import.meta.dirname, folder);
    return readdirSync(path, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
      .sort()
      .map((name) => readFileSync(join(path, name), "utf8"));
  });
}

function createEmptyTables(database: Database): void {
  createStateTables(database);
  ChangedEntries.create(database);
  for (const view of VIEWS) {
    view.create(database);
  }
}

/**
 * Creates missing tables, and drops those of another version first: they are rebuilt from the
 * blocks.
 */
export function createTables(database: Database): void {
  if (areTablesCurrent(database)) {
    return;
  }
  refusePruned(database);
  dropTables(database);
  // In one transaction: each by itself would wait for the disk.
  database.exec("BEGIN");
  createEmptyTables(database);
  database.exec(`PRAGMA user_version = ${tablesVersion()}`);
  commit(database);
}

/** To be filled from a source other than the blocks. They count as missing until `endTables`. */
export function beginTables(database: Database): void {
  dropTables(database);
  createEmptyTables(database);
}

export function endTables(database: Database): void {
  database.exec(`PRAGMA user_version = ${tablesVersion()}`);
}

/** Throws `UnusableLedger` for a ledger that lacks blocks: its tables cannot be made from them. */
export function refusePruned(database: Database): void {
  const first = firstKeptIn(database);
  if (first > 1) {
    throw new UnusableLedger(
      `${database.location() ?? "the ledger"} lacks the blocks from 1 to ${first - 1}, which its tables are made from: start an empty directory from a snapshot (moneta serve --from-snapshot), or replay an archive into one (moneta rebuild --from-archive)`,
    );
  }
}

/** Whether the tables are as this version of the software makes them. */
export function areTablesCurrent(database: Database): boolean {
  return storedVersion(database) === tablesVersion();
}

/** As after a copy of a log, or an interrupted rebuild. */
export function areTablesMissing(database: Database): boolean {
  return storedVersion(database) === 0;
}

function storedVersion(database: Database): number {
  return database.prepare("PRAGMA user_version").get()?.["user_version"] as number;
}

/** To be rebuilt from the blocks. */
export function dropTables(database: Database): void {
  database.exec("PRAGMA user_version = 0");
  const tables = database
    .prepare(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'virtual') AND name NOT IN ('block_log', ?) AND name NOT LIKE 'sqlite_%'",
    )
    .all(PRUNED_TABLE);
  for (const { name } of tables) {
    database.exec(`DROP TABLE IF EXISTS "${name}"`);
  }
}

export interface ComparedTable {
  readonly table: string;
  readonly where: string;
  readonly key: string;
  readonly columns?: string;
}

/**
 * Computed alike by every node, in reading order. Used keys that are no longer recognized may
 * remain.
 */
export const COMPARED_TABLES: readonly ComparedTable[] = [
  { table: "head", where: "", key: "only" },
  { table: "block", where: "", key: "height" },
  { table: "transaction_record", where: "", key: "number" },
  { table: "history", where: "", key: "words" },
  { table: "token_trade", where: "", key: "number" },
  { table: "order_trade", where: "", key: "number" },
  { table: "order_trade_party", where: "", key: "address, number" },
  { table: "token_market", where: "", key: "token, hour" },
  { table: "project_market", where: "", key: "project, hour" },
  { table: "token_candle", where: "", key: "token, price_token, step, time" },
  { table: "total", where: "", key: "step, time, type" },
  { table: "active_addresses", where: "", key: "hour" },
  { table: "transaction_group", where: "", key: "id" },
  { table: "subtree", where: "", key: "tile_level, number" },
  ...STATE_TABLES.map((table) => ({ ...table, where: "" })),
  {
    table: "used_key",
    where: `WHERE expiry >= (SELECT timestamp FROM head) - ${REPEAT_RECOGNISED_SECONDS}`,
    key: "expiry, random, address",
  },
];
