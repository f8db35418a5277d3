import { closeSync, openSync } from "node:fs";
import { TILE_WIDTH, TOTAL_STEPS, type TransactionRecord } from "@moneta/protocol";
import { closeWhole, commit, type Database, openForWriting, openScratch } from "../database.ts";
import { invariant } from "../invariant.ts";
import { Ledger } from "../ledger.ts";
import { State } from "../state/state.ts";
import { EarlierEntries, earlierRowsFrom } from "../state/tables/earlier-entries.ts";
import { STATE_TABLES } from "../state/tables/tables.ts";
import { syncFile } from "../sync-failure.ts";
import { ROWS_OF_TRANSACTIONS } from "../tables.ts";
import { HistoryView } from "../views/history.ts";
import { subjectNumbers } from "../views/history-subjects.ts";
import { LocalLog, PRUNED_TABLE } from "./local-log.ts";

export interface PruneEdge {
  /** After block 0; `timestamp` in Unix seconds. */
  readonly first: number;
  readonly timestamp: number;
  /** Transactions of block 0, and of all blocks before `first`. */
  readonly genesis: number;
  readonly skipped: number;
}

/**
 * Copies a ledger without writers, without blocks between block 0 and `first`; checked, and durable
 * on return. Totals of hours stay whole. Throws `StorageFailure`, `SyncFailure` and `InvalidBlock`.
 * Source: proofs §6.
 */
export function writePrunedCopy(
  from: string,
  to: string,
  edge: PruneEdge,
  onTable: (done: number, total: number) => void,
): void {
  const scratch = openScratch(to);
  try {
    scratch.prepare("ATTACH ? AS whole").run(from);
    copyTables(scratch, edge, onTable);
  } finally {
    scratch.close();
  }
  const descriptor = openSync(to, "r");
  try {
    syncFile(descriptor, to);
  } finally {
    closeSync(descriptor);
  }
  const database = openForWriting(to);
  try {
    const log = new LocalLog(database);
    database.exec("BEGIN IMMEDIATE");
    log.keepFrom(edge.first);
    commit(database);
    new Ledger(database, log).checkLinks(Infinity);
  } finally {
    closeWhole(database);
  }
}

function copyTables(
  database: Database,
  edge: PruneEdge,
  onTable: (done: number, total: number) => void,
): void {
  for (const pragma of ["application_id", "user_version"]) {
    const row = database.prepare(`PRAGMA whole.${pragma}`).get();
    database.exec(`PRAGMA main.${pragma} = ${row?.[pragma]}`);
  }
  const schema = database
    .prepare(
      `SELECT type, name, sql FROM whole.sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' AND name <> ?
       AND name NOT IN (SELECT name FROM pragma_table_list WHERE schema = 'whole' AND type IN ('virtual', 'shadow'))
       ORDER BY type = 'index', rowid`,
    )
    .all(PRUNED_TABLE) as unknown as readonly {
    readonly type: string;
    readonly name: string;
    readonly sql: string;
  }[];
  const tables = schema.filter(({ type }) => type === "table");
  const indexes = schema.filter(({ type }) => type === "index");
  for (const { sql } of tables) {
    database.exec(sql);
  }
  let done = 0;
  const copy = (name: string, where: string): void => {
    database.exec(`INSERT INTO main."${name}" SELECT * FROM whole."${name}" ${where}`);
    done += 1;
    onTable(done, schema.length);
  };
  const kept = keptRows(edge);
  for (const { name } of tables) {
    const rows = kept.get(name);
    invariant(rows !== undefined, `it is known which rows of ${name} a pruned ledger keeps`);
    copy(name, rows);
  }
  EarlierEntries.create(database);
  const earlier = new EarlierEntries(database);
  if (earlier.kept !== "none") {
    earlier.keep(edge.first, edge.first);
    earlier.fillIndex();
  }
  fillHistory(database);
  const unfilled = database
    .prepare(
      `SELECT name FROM pragma_table_list WHERE type = 'virtual' AND schema = 'whole'
       EXCEPT SELECT name FROM pragma_table_list WHERE type = 'virtual' AND schema = 'main'`,
    )
    .get();
  invariant(
    unfilled === undefined,
    `it is known what a pruned ledger has in the index ${unfilled?.["name"]}`,
  );
  // A proof of a kept leaf needs the hashes of the earlier ones in its tile.
  database
    .prepare(
      "INSERT OR IGNORE INTO main.subtree SELECT 0, number, leaf_hash FROM whole.transaction_record WHERE number >= ? AND number < ?",
    )
    .run(edge.skipped - (edge.skipped % TILE_WIDTH), edge.skipped);
  for (const { sql } of indexes) {
    database.exec(sql);
    done += 1;
    onTable(done, schema.length);
  }
}

function fillHistory(database: Database): void {
  HistoryView.create(database);
  const history = new HistoryView(database, "write");
  const numbersOf = subjectNumbers(new State(database));
  const rows = database.prepare("SELECT number, record FROM transaction_record").iterate();
  database.exec("BEGIN");
  for (const { number, record } of rows) {
    history.insert(number as number, JSON.parse(record as string) as TransactionRecord, numbersOf);
  }
  database.exec("COMMIT");
}

/** SQL conditions; `""` for all rows. */
function keptRows({ first, timestamp, genesis, skipped }: PruneEdge): ReadonlyMap<string, string> {
  const blocks = `WHERE height = 0 OR height >= ${first}`;
  const minutes = `WHERE step > ${TOTAL_STEPS.minute} OR time > ${timestamp - TOTAL_STEPS.minute}`;
  return new Map([
    // They grow with the state, or have a bound.
    ...STATE_TABLES.map(({ table }) => [table, ""] as const),
    ...WHOLE_TABLES.map((table) => [table, ""] as const),
    ["block_log", blocks],
    ["block", blocks],
    ...Object.entries(earlierRowsFrom(first)).map(
      ([table, condition]) => [table, `WHERE ${condition}`] as const,
    ),
    ["total", minutes],
    ["token_candle", minutes],
    ["active_addresses", `WHERE hour > ${timestamp - TOTAL_STEPS.hour}`],
    // A row for each 256 leaves.
    ["subtree", `WHERE tile_level > 0 OR number >= ${skipped - (skipped % TILE_WIDTH)}`],
    ...ROWS_OF_TRANSACTIONS.map(
      ({ table, column, first: rowOf }) =>
        [table, `WHERE ${column} < ${rowOf(genesis)} OR ${column} >= ${rowOf(skipped)}`] as const,
    ),
  ]);
}

/** Small tables, or with a row for each hour of trade. */
const WHOLE_TABLES = [
  "head",
  "kept_state",
  "keeps_changes",
  "changed_entries",
  "token_market",
  "project_market",
];
