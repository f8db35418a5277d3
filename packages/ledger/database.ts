import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname, resolve } from "node:path";
import { backup, DatabaseSync, type StatementSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { SyncFailure, syncFile } from "./sync-failure.ts";
import { UnusableLedger } from "./unusable-ledger.ts";

/** `node:sqlite` still changes between releases of Node, so no other file imports it. */
export type Database = DatabaseSync;
export type Statement = StatementSync;
export type Row = Record<string, null | number | bigint | string | NodeJS.NonSharedUint8Array>;

/** How long a reader waits for a lock, which only recovery after a crash takes. */
const BUSY_TIMEOUT_MS = 5000;

/**
 * FULL: a commit is durable when it returns. NORMAL: a power cut may remove the newest ones, for a
 * ledger that gets its blocks from a shared log. Source: cluster §2.
 */
export type Synchronous = "FULL" | "NORMAL";

/** Opens the one connection that writes. `isHeld`: `holdOpen` has written the WAL again. */
export function openForWriting(
  file: string,
  synchronous: Synchronous = "FULL",
  { isHeld = false }: { readonly isHeld?: boolean } = {},
): Database {
  assertWritable(file);
  if (!isHeld) {
    rewriteLog(`${file}-wal`);
  }
  const database = opened(file, { timeout: BUSY_TIMEOUT_MS });
  try {
    // FULL: a commit returns when the WAL is durable (conventions §2.6).
    database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous};`);
    // SQLite's own checkpoints discard the result of their fsync.
    database.exec(
      "PRAGMA wal_autocheckpoint = 0; PRAGMA cache_size = -65536; PRAGMA temp_store = MEMORY;",
    );
    // Without a limit the log of changes keeps the size of its largest moment for ever.
    database.exec("PRAGMA journal_size_limit = 67108864;");
  } catch (thrown) {
    throw failureOf(thrown, database);
  }
  return database;
}

/** SQLite opens a file that it may only read all the same, and then refuses every write. */
function assertWritable(file: string): void {
  try {
    accessSync(file, constants.W_OK);
  } catch (thrown) {
    const { code, message } = thrown as NodeJS.ErrnoException;
    if (code !== "ENOENT") {
      throw new StorageFailure(`${file} cannot be written: ${message}`, { cause: thrown });
    }
  }
}

/**
 * Keeps the database open: closing its last connection would checkpoint and remove the log of
 * changes. Close it with `closeWhole`.
 */
export function holdOpen(file: string): Database {
  const database = openForWriting(file);
  try {
    database.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").get();
  } catch (thrown) {
    throw failureOf(thrown, database);
  }
  return database;
}

const REWRITTEN_TOGETHER = 1 << 20;

/**
 * Writes the log of changes again and syncs it: after a failed sync the kernel may hold, as clean,
 * pages that never reached the disk.
 */
function rewriteLog(file: string): void {
  let descriptor: number;
  try {
    descriptor = openSync(file, "r+");
  } catch {
    return; // It is missing or not writable, which SQLite will report.
  }
  try {
    const piece = Buffer.alloc(REWRITTEN_TOGETHER);
    for (let position = 0; ; ) {
      const length = readSync(descriptor, piece, 0, piece.length, position);
      if (length === 0) {
        break;
      }
      // Both calls may process a part.
      position += writeSync(descriptor, piece, 0, length, position);
    }
    syncFile(descriptor, file);
  } finally {
    closeSync(descriptor);
  }
}

/** For `checkpoint` beside the connection that writes. It commits nothing. */
export function openForCheckpoints(file: string): Database {
  return opened(file, { timeout: BUSY_TIMEOUT_MS });
}

/** Throws `StorageFailure` if nothing was written, and `SyncFailure` if that is not certain. */
export function commit(database: Database): void {
  try {
    database.exec("COMMIT");
  } catch (thrown) {
    const failure = failureOf(thrown, database);
    // Anything else may fail after the last frame was written: recovery would find the transaction.
    throw failure instanceof StorageFailure && !REFUSED_WRITES.has(extendedCode(thrown) ?? -1)
      ? unsynced(database, thrown)
      : failure;
  }
}

/** The state of the WAL: its pages, and how many of them a WAL flush has copied and synced. */
export interface LogState {
  readonly pages: number;
  readonly copied: number;
}

export function logState(database: Database): LogState {
  return checkpointed(database, "NOOP");
}

/**
 * Copies the log of changes into the database as far as readers permit. Throws `SyncFailure`, or
 * `StorageFailure`: then the log still has everything.
 */
export function checkpoint(database: Database): LogState {
  return checkpointed(database, "PASSIVE");
}

/**
 * `checkpoint`, but waits up to so many ms for readers, so that the WAL is reused on a busy node.
 */
export function checkpointPast(database: Database, readersMs: number): LogState {
  database.exec(`PRAGMA busy_timeout = ${readersMs}`);
  try {
    return checkpointed(database, "RESTART");
  } finally {
    database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  }
}

function checkpointed(
  database: Database,
  mode: "NOOP" | "PASSIVE" | "RESTART" | "TRUNCATE",
): LogState {
  try {
    const row = database.prepare(`PRAGMA wal_checkpoint(${mode})`).get();
    // -1 where the database has no log of changes: in memory, or a scratch file.
    return {
      pages: Math.max(row?.["log"] as number, 0),
      copied: Math.max(row?.["checkpointed"] as number, 0),
    };
  } catch (thrown) {
    throw failureOf(thrown, database);
  }
}

/**
 * Checks that the disk takes so many bytes, by a file and by an empty commit. Throws
 * `StorageFailure` or `SyncFailure`.
 */
export function probeStorage(database: Database, bytes: number): void {
  try {
    const file = database.location();
    if (file !== null) {
      probeFile(`${file}-probe`, bytes);
    }
    const version = database.prepare("PRAGMA user_version").get()?.["user_version"];
    database.exec("BEGIN IMMEDIATE");
    try {
      database.exec(`PRAGMA user_version = ${version}`);
      commit(database);
    } catch (thrown) {
      if (database.isTransaction) {
        database.exec("ROLLBACK");
      }
      throw thrown;
    }
  } catch (thrown) {
    throw failureOf(thrown, database);
  }
}

/** Its sync may fail without consequence: the file is not used. */
function probeFile(file: string, bytes: number): void {
  try {
    writeFileSync(file, Buffer.alloc(bytes, 1), { flush: true, mode: 0o600 });
  } catch (cause) {
    throw new StorageFailure(`${file} cannot be written: ${(cause as Error).message}`, { cause });
  } finally {
    try {
      rmSync(file, { force: true });
    } catch {
      // On a disk that is read-only.
    }
  }
}

function opened(file: string, options: ConstructorParameters<typeof DatabaseSync>[1]): Database {
  try {
    return new DatabaseSync(file, options);
  } catch (thrown) {
    const failure = storageFailure(thrown);
    throw failure === undefined
      ? thrown
      : new StorageFailure(
          `${file} cannot be opened: ${(thrown as Error).message}${remedyOf(thrown)}`,
          { cause: systemCause(thrown, file) },
        );
  }
}

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

/**
 * Closes it with all of it in the one file, if no reader is left. After a failed sync it stays
 * open. Throws `SyncFailure`.
 */
export function closeWhole(database: Database): void {
  if (UNSYNCED.has(database)) {
    return;
  }
  try {
    checkpointed(database, "TRUNCATE");
  } catch (thrown) {
    if (thrown instanceof SyncFailure) {
      throw thrown;
    }
    // A full disk, or a reader: the WAL stays beside the file.
  }
  database.close();
}

/**
 * The name that opens an unchanging file on a disk without writes. Undefined if the log of changes
 * or the redo log has content: it may not be on the disk.
 */
export function immutableName(file: string): string | undefined {
  const hasMore = ["-wal", "-redo"].some(
    (suffix) => (statSync(`${file}${suffix}`, { throwIfNoEntry: false })?.size ?? 0) > 0,
  );
  return hasMore ? undefined : `${pathToFileURL(resolve(file)).href}?immutable=1`;
}

export function openForReading(file: string): Database {
  const database = opened(file, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
  try {
    database.exec("PRAGMA cache_size = -65536; PRAGMA temp_store = MEMORY;");
  } catch (thrown) {
    const failure = failureOf(thrown, database);
    database.close();
    throw failure;
  }
  return database;
}

/**
 * Rolls back the remains of a process killed while it created the database, which a read-only
 * connection cannot undo.
 */
export function rollBackUnfinished(file: string): void {
  if (!existsSync(`${file}-journal`)) {
    return;
  }
  const database = opened(file, { timeout: BUSY_TIMEOUT_MS });
  try {
    database.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").get();
  } catch (thrown) {
    throw failureOf(thrown, database);
  } finally {
    database.close();
  }
}

/** Opens a scratch database that ends with the process. */
export function openScratch(file: string): Database {
  const database = new DatabaseSync(file);
  database.exec(
    "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -262144;",
  );
  return database;
}

/**
 * Takes a lock that ends with the process; undefined if another process excludes it. A shared lock
 * needs no right to write the file.
 */
export function takeLock(
  file: string,
  kind: "exclusive" | "shared" = "exclusive",
): Database | undefined {
  const database = opened(file, { readOnly: kind === "shared" });
  try {
    if (kind === "shared") {
      database.exec("BEGIN");
      database.prepare("SELECT 1 FROM sqlite_schema").get();
    } else {
      // Nothing is ever written to it, so it needs no journal.
      database.exec(
        "PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE",
      );
    }
    return database;
  } catch (thrown) {
    const failure = failureOf(thrown, database);
    database.close();
    if (((extendedCode(thrown) ?? 0) & 0xff) === BUSY) {
      return undefined;
    }
    throw failure instanceof UnusableLedger
      ? new UnusableLedger(
          `${file} is no lock of a node: ${(thrown as Error).message}; nothing is ever stored in it, so remove it if no node runs on this directory`,
        )
      : failure;
  }
}

/** SQLite's error for a failure of the machine: no space, no permission, a broken disk. */
export class StorageFailure extends Error {
  override readonly name: string = "StorageFailure";

  /** For clients: without file names. */
  get reason(): string {
    const { code } = (this.cause ?? {}) as NodeJS.ErrnoException;
    const sqlite = extendedCode(this.cause) ?? 0;
    if (sqlite === FULL || sqlite === IOERR_SHMSIZE || code === "ENOSPC" || code === "EDQUOT") {
      return "the disk is full";
    }
    if ((sqlite & 0xff) === READONLY || code === "EROFS") {
      return "the disk is read-only";
    }
    return (sqlite & 0xff) === PERM || code === "EACCES" || code === "EPERM"
      ? "the node may not write its own files"
      : "the disk refuses to be written";
  }
}

// Primary result codes of sqlite3.h.
const BUSY = 5;
const READONLY = 8;
const IOERR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const NOTADB = 26;
const PERM = 3;
const MACHINE_FAILURES: ReadonlySet<number> = new Set([PERM, READONLY, IOERR, FULL, CANTOPEN]);
const NO_RIGHT: ReadonlySet<number> = new Set([PERM, READONLY, CANTOPEN]);
const DAMAGE: ReadonlySet<number> = new Set([CORRUPT, NOTADB]);

// Extended ones: the operation of the file system that has failed.
const IOERR_WRITE = IOERR | (3 << 8);
const IOERR_FSYNC = IOERR | (4 << 8);
const IOERR_DIR_FSYNC = IOERR | (5 << 8);
const IOERR_SHMSIZE = IOERR | (19 << 8);
const FAILED_SYNCS: ReadonlySet<number> = new Set([IOERR_FSYNC, IOERR_DIR_FSYNC]);
/**
 * Failures of a COMMIT that leave its last frame incomplete, so that recovery ignores all of it.
 */
const REFUSED_WRITES: ReadonlySet<number> = new Set([FULL, IOERR_WRITE]);

/**
 * Connections with a failed sync, held because garbage collection would close them, and closing
 * checkpoints.
 */
const UNSYNCED: Set<Database> = new Set();

/** Undefined for anything else, such as a bug or a failed sync. */
export function storageFailure(thrown: unknown, database?: Database): StorageFailure | undefined {
  if (thrown instanceof StorageFailure) {
    return thrown;
  }
  const code = extendedCode(thrown);
  return code !== undefined && MACHINE_FAILURES.has(code & 0xff) && !FAILED_SYNCS.has(code)
    ? new StorageFailure(
        `${database === undefined ? "the disk" : nameOf(database)} cannot be written or read: ${(thrown as Error).message}${remedyOf(thrown)}`,
        { cause: systemCause(thrown, database?.isOpen ? database.location() : null) },
      )
    : undefined;
}

/** The system's error: SQLite does not distinguish a read-only disk from missing permissions. */
function systemCause(thrown: unknown, file: string | null): unknown {
  if (file !== null && NO_RIGHT.has((extendedCode(thrown) ?? 0) & 0xff)) {
    try {
      accessSync(dirname(file), constants.W_OK);
      accessSync(file, constants.R_OK | constants.W_OK);
    } catch (refused) {
      return (refused as NodeJS.ErrnoException).code === "ENOENT" ? thrown : refused;
    }
  }
  return thrown;
}

function remedyOf(thrown: unknown): string {
  const code = extendedCode(thrown) ?? 0;
  if (code === IOERR_SHMSIZE) {
    return ". The disk may be full";
  }
  return NO_RIGHT.has(code & 0xff)
    ? ". The user of this process must be allowed to read and write it, and to make files beside it"
    : "";
}

/** The exception as `StorageFailure`, `SyncFailure` or `UnusableLedger`, or itself. */
export function failureOf(thrown: unknown, database: Database | undefined): unknown {
  const code = extendedCode(thrown) ?? 0;
  if (FAILED_SYNCS.has(code)) {
    return unsynced(database, thrown);
  }
  return DAMAGE.has(code & 0xff)
    ? damaged(database, (thrown as Error).message)
    : (storageFailure(thrown, database) ?? thrown);
}

/** Reads the whole database: call it only when the process cannot continue. */
export function damageOf(database: Database): UnusableLedger | undefined {
  try {
    const found = database.prepare("PRAGMA integrity_check(1)").get()?.["integrity_check"];
    return found === "ok" ? undefined : damaged(database, String(found).split("\n").join(" "));
  } catch (thrown) {
    const failure = failureOf(thrown, database);
    return failure instanceof UnusableLedger ? failure : undefined;
  }
}

/**
 * Throws `UnusableLedger` if the file ends within a page, whose missing part SQLite reads as zeros.
 */
export function checkEndsWithPage(database: Database, file: string): void {
  const pageBytes = database.prepare("PRAGMA page_size").get()?.["page_size"] as number;
  const hasLog = (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
  if (!hasLog && statSync(file).size % pageBytes !== 0) {
    throw damaged(database, "it is cut off within a page");
  }
}

function damaged(database: Database | undefined, reason: string): UnusableLedger {
  const damage = `${nameOf(database)} is damaged: ${reason}`;
  return new UnusableLedger(
    `${damage}; moneta verify says whether its blocks are sound, and moneta rebuild then rebuilds the rest; or restore the newest copy`,
    damage,
  );
}

function unsynced(database: Database | undefined, cause: unknown): SyncFailure {
  if (database !== undefined) {
    UNSYNCED.add(database);
  }
  return new SyncFailure(
    `${nameOf(database)} could not be synced to the disk: ${(cause as Error).message}`,
    { cause },
  );
}

function nameOf(database: Database | undefined): string {
  return (database?.isOpen && database.location()) || "a database of the data directory";
}

function extendedCode(thrown: unknown): number | undefined {
  return thrown instanceof Error && "errcode" in thrown && typeof thrown.errcode === "number"
    ? thrown.errcode
    : undefined;
}

/**
 * Copies a database in one transaction: in steps it would start again at every write. `onProgress`
 * gets the copied and the total pages.
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

/**
 * A bound row number of an index of full-text search. A JavaScript number is a REAL to SQLite, and
 * the index would be read to its end.
 */
export const ROW_NUMBER = "CAST(? AS INTEGER)";

/** Yields the words of a full-text index, each with its documents in order. Read it to the end. */
export function* wordsOf(
  database: Database,
  index: string,
): Generator<{ readonly term: string; readonly doc: number }> {
  const words = `temp.${index}_words`;
  database.exec(`CREATE VIRTUAL TABLE ${words} USING fts5vocab(main, ${index}, instance)`);
  for (const { term, doc } of database.prepare(`SELECT term, doc FROM ${words}`).iterate()) {
    yield { term: term as string, doc: doc as number };
  }
  database.exec(`DROP TABLE ${words}`);
}
