import { statSync } from "node:fs";
import {
  checkEndsWithPage,
  type Database,
  failureOf,
  openForReading,
  rollBackUnfinished,
} from "../database.ts";
import { UnusableLedger } from "../unusable-ledger.ts";

/** Form of blocks. It rises when ledgers of earlier software can no longer be replayed. */
const FORMAT = 1;

/** "MNT" and the format, in the header of the SQLite file. */
const MARK = 0x4d4e5400;

/** To be called in the transaction that creates the first table. */
export function markFormat(database: Database): void {
  database.exec(`PRAGMA application_id = ${MARK | FORMAT}`);
}

export function isBlank(database: Database): boolean {
  return database.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").get() === undefined;
}

/** Throws `UnusableLedger` unless the database holds a ledger of this format. */
export function checkFormat(database: Database): void {
  const mark = database.prepare("PRAGMA application_id").get()?.["application_id"] as number;
  if (mark === (MARK | FORMAT)) {
    return;
  }
  const file = database.location() ?? "the database";
  if (isBlank(database)) {
    throw new UnusableLedger(`${file} holds no ledger: it has no tables`);
  }
  const found = foundIn(database, mark);
  throw new UnusableLedger(
    `${file} holds ${found}, but this version reads and writes format ${FORMAT} only: give it a new directory (--data); nothing was changed or deleted`,
  );
}

/**
 * Checks the format before a file is opened for writing under `name`; false without a block. Throws
 * `UnusableLedger`.
 */
export function checkLedgerFile(file: string, name: string = file): boolean {
  // Throws if it is unknown.
  if (statSync(file, { throwIfNoEntry: false }) === undefined) {
    return false;
  }
  rollBackUnfinished(file);
  const database = openForReading(name);
  try {
    if (isBlank(database)) {
      return false;
    }
    checkFormat(database);
    checkEndsWithPage(database, file);
    return database.prepare("SELECT 1 FROM block_log LIMIT 1").get() !== undefined;
  } catch (thrown) {
    throw failureOf(thrown, database);
  } finally {
    database.close();
  }
}

function foundIn(database: Database, mark: number): string {
  if ((mark & ~0xff) === MARK) {
    return `a ledger of format ${mark & 0xff}, which another version of Moneta has made`;
  }
  const blocks = database
    .prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'block_log'")
    .get();
  return blocks === undefined
    ? "a database that is no ledger of Moneta"
    : "a ledger that a development build of Moneta has made";
}
