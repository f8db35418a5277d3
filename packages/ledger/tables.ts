import type { Database } from "./database.ts";
import { createStateTables, STATE_TABLES } from "./state/tables.ts";
import { BlockView } from "./views/blocks.ts";
import { HeadView } from "./views/head.ts";
import { TransactionView } from "./views/transactions.ts";
import { REPEAT_RECOGNISED_SECONDS, UsedKeyView } from "./views/used-keys.ts";

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
  ...STATE_TABLES.map(({ table, key }) => ({ table, where: "", key })),
  {
    table: "used_key",
    where: `WHERE expiry >= (SELECT timestamp FROM head) - ${REPEAT_RECOGNISED_SECONDS}`,
    key: "expiry, address, random",
  },
];
