import { backup, DatabaseSync, type StatementSync } from "node:sqlite";

/**
 * SQLite, and all that the rest of the code knows of it: how it is opened and how its failures look. `node:sqlite` still changes from one
 * release of Node to the next, so nothing else imports it.
 */
export type Database = DatabaseSync;
export type Statement = StatementSync;
export type Row = Record<string, null | number | bigint | string | NodeJS.NonSharedUint8Array>;

/** How long a reader waits for a lock, which only recovery after a crash takes. */
const BUSY_TIMEOUT_MS = 5000;

/** Opens the one connection that writes. */
export function openForWriting(file: string): Database {
  const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
  // FULL: a commit returns when the log of changes is on the disk, which is what an answered write promises (conventions §2.6).
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;");
  // A checkpoint writes each changed page once, however often it changed since the last: rarer is cheaper. 4,000 pages are 16 MB.
  database.exec(
    "PRAGMA wal_autocheckpoint = 4000; PRAGMA cache_size = -65536; PRAGMA temp_store = MEMORY;",
  );
  // Without a limit the log of changes keeps the size of its largest moment for ever.
  database.exec("PRAGMA journal_size_limit = 67108864;");
  return database;
}

/** Statements of a connection, each prepared once. */
export class Statements {
  readonly #database: Database;
  readonly #prepared: Map<string, Statement> = new Map();

  constructor(database: Database) {
    this.#database = database;
  }

  prepare(sql: string): Statement {
    let statement = this.#prepared.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql);
      this.#prepared.set(sql, statement);
    }
    return statement;
  }
}

/** Closes it with all of it in the one file, if no reader is left: a copy of that file is then whole. */
export function closeWhole(database: Database): void {
  try {
    database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  } catch {
    // A full disk, or a reader: the log of changes stays beside the file, and the next one to open it goes on with both.
  }
  database.close();
}

/** Opens a connection that only reads, beside the one that writes, in this process or in another. */
export function openForReading(file: string): Database {
  const database = new DatabaseSync(file, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
  database.exec("PRAGMA cache_size = -65536; PRAGMA temp_store = MEMORY;");
  return database;
}

/** Opens a database that ends with the process and never reaches the disk as more than a scratch file. */
export function openScratch(file: string): Database {
  const database = new DatabaseSync(file);
  database.exec(
    "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -262144;",
  );
  return database;
}

/**
 * Takes a lock that the operating system takes back when the process ends, however it ends; undefined if somebody holds it. To be closed.
 */
export function takeLock(file: string): Database | undefined {
  const database = new DatabaseSync(file);
  try {
    // Nothing is ever written to it, so it needs no journal, which a full disk would not let it have.
    database.exec("PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
    return database;
  } catch (thrown) {
    database.close();
    if (primaryCode(thrown) === BUSY) {
      return undefined;
    }
    throw storageFailure(thrown) ?? thrown;
  }
}

/** What SQLite throws when the machine fails and not the code: no space, no right to write, a broken disk. */
export class StorageFailure extends Error {
  override readonly name: string = "StorageFailure";
}

// Primary result codes of sqlite3.h.
const BUSY = 5;
const READONLY = 8;
const IOERR = 10;
const FULL = 13;
const CANTOPEN = 14;
const MACHINE_FAILURES: ReadonlySet<number> = new Set([READONLY, IOERR, FULL, CANTOPEN]);

/** The storage failure that an exception is, undefined if it is something else, a bug for one. */
export function storageFailure(thrown: unknown): StorageFailure | undefined {
  if (thrown instanceof StorageFailure) {
    return thrown;
  }
  const code = primaryCode(thrown);
  return code !== undefined && MACHINE_FAILURES.has(code)
    ? new StorageFailure(`the disk cannot be written or read: ${(thrown as Error).message}`, {
        cause: thrown,
      })
    : undefined;
}

/** The result code of SQLite in an exception, without the bits that say which kind of it. */
function primaryCode(thrown: unknown): number | undefined {
  return thrown instanceof Error && "errcode" in thrown && typeof thrown.errcode === "number"
    ? thrown.errcode & 0xff
    : undefined;
}

/**
 * Copies a database that may be in use, as it is at one moment, into a new file. `onProgress` is told pages done and in all.
 * It reads in one transaction: a copy made in steps would begin anew at every write, and never end on a busy node.
 */
export async function copyDatabase(
  from: string,
  to: string,
  onProgress: (done: number, total: number) => void,
): Promise<void> {
  const source = openForReading(from);
  try {
    source.exec("BEGIN");
    source.prepare("SELECT count(*) FROM sqlite_schema").get();
    await backup(source, to, {
      rate: 1000,
      progress: ({ totalPages, remainingPages }) =>
        onProgress(totalPages - remainingPages, totalPages),
    });
  } finally {
    source.close();
  }
}
