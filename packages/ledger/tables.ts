import type { Database } from "./database.ts";
import { createStateTables, STATE_TABLES } from "./state/tables.ts";
import { BlockView } from "./views/blocks.ts";
import { HeadView } from "./views/head.ts";
import { TransactionView } from "./views/transactions.ts";
import { UsedKeyView } from "./views/used-keys.ts";

const VIEWS = [BlockView, TransactionView, UsedKeyView, HeadView] as const;

/** Makes the tables of state and views where they are missing. */
export function createTables(database: Database): void {
  createStateTables(database);
  for (const view of VIEWS) {
    view.create(database);
  }
}

/** Drops all that follows from the blocks, to be made anew. */
export function dropTables(database: Database): void {
  for (const table of [...STATE_TABLES, ...VIEWS.flatMap(({ tables }) => tables)]) {
    database.exec(`DROP TABLE IF EXISTS ${table}`);
  }
}
