import { commit, type Database } from "./database.ts";
import { createStateTables, STATE_TABLES } from "./state/tables.ts";
import { BlockView } from "./views/blocks.ts";
import { HeadView } from "./views/head.ts";
import { HistoryView } from "./views/history.ts";
import { TransactionView } from "./views/transactions.ts";
import { TreeView } from "./views/tree.ts";
import { REPEAT_RECOGNISED_SECONDS, UsedKeyView } from "./views/used-keys.ts";

const VIEWS = [BlockView, TransactionView, HistoryView, TreeView, UsedKeyView, HeadView] as const;

/** Rises with every change of these tables or of what stands in them. */
const TABLES_VERSION = 6;

/**
 * Makes the tables of state and views where they are missing. Those of another version are dropped first: what stood in them is made anew from the blocks, so an upgrade
 * needs no other step.
 */
export function createTables(database: Database): void {
  if (areTablesCurrent(database)) {
    return;
  }
  dropTables(database);
  // In one transaction: each by itself would wait for the disk.
  database.exec("BEGIN");
  createStateTables(database);
  for (const view of VIEWS) {
    view.create(database);
  }
  database.exec(`PRAGMA user_version = ${TABLES_VERSION}`);
  commit(database);
}

/** Whether the tables are as this version of the software makes them. */
export function areTablesCurrent(database: Database): boolean {
  return tablesVersion(database) === TABLES_VERSION;
}

function tablesVersion(database: Database): number {
  return database.prepare("PRAGMA user_version").get()?.["user_version"] as number;
}

/** Drops all that follows from the blocks, to be made anew. */
export function dropTables(database: Database): void {
  database.exec("PRAGMA user_version = 0");
  const state = STATE_TABLES.map(({ table }) => table);
  for (const table of [...state, ...VIEWS.flatMap(({ tables }) => tables)]) {
    database.exec(`DROP TABLE IF EXISTS ${table}`);
  }
}

/**
 * What must be the same whoever computes it, and in which order it is read. Of the used keys those whose repeats are no longer recognised may have been
 * forgotten or not.
 */
export const COMPARED_TABLES: readonly {
  readonly table: string;
  readonly where: string;
  readonly key: string;
}[] = [
  { table: "head", where: "", key: "only" },
  { table: "block", where: "", key: "height" },
  { table: "transaction_record", where: "", key: "number" },
  { table: "history", where: "", key: "address, kind, entry" },
  { table: "subtree", where: "", key: "tile_level, number" },
  ...STATE_TABLES.map(({ table, key }) => ({ table, where: "", key })),
  {
    table: "used_key",
    where: `WHERE expiry >= (SELECT timestamp FROM head) - ${REPEAT_RECOGNISED_SECONDS}`,
    key: "expiry, address, random",
  },
];
