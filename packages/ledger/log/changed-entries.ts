import { type Database, type Statement, Statements } from "../database.ts";
import { writeHash } from "../sha256.ts";

/**
 * The heights have no gap. Long values are hashes: a small request may change a long text's entry.
 */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS changed_entries (
    height INTEGER PRIMARY KEY,
    -- Bytes of this text and of all texts kept before it.
    total INTEGER NOT NULL,
    -- Lines "key":value with the JCS of both: null for removed entries, a string for the hash of a
    -- value. JCS has no line ends.
    changes TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS keeps_changes (only INTEGER PRIMARY KEY CHECK (only = 0)) STRICT;
`;

/** Bytes. If the tree lags further, all are dropped and the tree is rebuilt. */
const KEPT_MAX = 256 * 2 ** 20;

/** Rows per block. */
const DROPPED_TOGETHER = 4;

export interface ChangedEntriesOfBlock {
  readonly height: number;
  /** By key, texts for `changedHash`. */
  readonly changes: readonly (readonly [key: string, text: string])[];
}

/** Changes of blocks that the state tree does not have yet. Source: proofs §2. */
export class ChangedEntries {
  readonly #statements: Statements;
  readonly #keptMax: number;
  #insert: Statement | undefined;
  /** Undefined before the first block. */
  #isKept: boolean | undefined;
  /** Bytes of all texts ever kept, and dropped. */
  #total = 0;
  #dropped = 0;
  #first = 0;
  #inTree = -1;

  static create(database: Database): void {
    database.exec(SCHEMA);
  }

  constructor(database: Database, keptMax: number = KEPT_MAX) {
    this.#statements = new Statements(database);
    this.#keptMax = keptMax;
  }

  /** Turning it off deletes those kept. */
  keep(isKept: boolean): void {
    const sql = isKept
      ? ["INSERT OR IGNORE INTO keeps_changes VALUES (0)"]
      : ["DELETE FROM keeps_changes", "DELETE FROM changed_entries"];
    for (const statement of sql) {
      this.#statements.prepare(statement).run();
    }
    this.#isKept = undefined;
  }

  /** `put` deletes them, a few per block. */
  noteInTree(height: number): void {
    this.#inTree = height;
  }

  /** `makeText` is `State.shortenedChanges`. */
  put(height: number, makeText: () => string): void {
    this.#isKept ??= this.#begin(height);
    if (!this.#isKept) {
      return;
    }
    const changes = makeText();
    this.#total += Buffer.byteLength(changes);
    this.#drop(Math.min(this.#inTree, this.#first + DROPPED_TOGETHER - 1));
    if (this.#total - this.#dropped > this.#keptMax) {
      this.#drop(height);
      this.#dropped = this.#total;
      return;
    }
    this.#insert ??= this.#statements.prepare("INSERT INTO changed_entries VALUES (?, ?, ?)");
    this.#insert.run(height, this.#total, changes);
  }

  *after(height: number): Generator<ChangedEntriesOfBlock> {
    const rows = this.#statements
      .prepare("SELECT height, changes FROM changed_entries WHERE height > ? ORDER BY height")
      .iterate(height);
    for (const { height: of, changes } of rows) {
      const lines = (changes as string).split("\n").filter((line) => line !== "");
      yield { height: of as number, changes: lines.map(entryIn) };
    }
  }

  #drop(last: number): void {
    if (last < this.#first) {
      return;
    }
    const before = this.#statements
      .prepare("SELECT total FROM changed_entries WHERE height <= ? ORDER BY height DESC LIMIT 1")
      .get(last);
    this.#dropped = (before?.["total"] as number | undefined) ?? this.#dropped;
    this.#statements.prepare("DELETE FROM changed_entries WHERE height <= ?").run(last);
    this.#first = last + 1;
  }

  /** Loads the bounds of the table. Returns whether changes are kept. */
  #begin(height: number): boolean {
    const row = this.#statements
      .prepare(
        "SELECT min(height) AS first, min(total) AS dropped, max(total) AS total FROM changed_entries",
      )
      .get() as { first: number | null; dropped: number | null; total: number | null };
    this.#first = row.first ?? height;
    this.#dropped = row.dropped ?? 0;
    this.#total = row.total ?? 0;
    return this.#statements.prepare("SELECT only FROM keeps_changes").get() !== undefined;
  }
}

const KEY = /^"(?:[^"\\]|\\.)*"/;

/** The tree hashes the value's text. */
function entryIn(line: string): readonly [key: string, text: string] {
  const end = line.indexOf('":');
  const key = line.slice(1, end);
  if (!key.includes("\\")) {
    return [key, line.slice(end + 2)];
  }
  const [escaped] = KEY.exec(line) ?? [""];
  return [JSON.parse(escaped) as string, line.slice(escaped.length + ":".length)];
}

const HASH_BYTES = 32;

/**
 * SHA-256 of a changed value's JCS, undefined for a removed entry; written into `to`, so nothing is
 * allocated.
 */
export function changedHash(
  text: string,
  to: Buffer = Buffer.allocUnsafe(HASH_BYTES),
): Buffer | undefined {
  if (text === "null") {
    return undefined;
  }
  if (text.startsWith('"')) {
    to.write(text.slice(1, -1), "hex");
  } else {
    writeHash(text, to);
  }
  return to;
}

/** Each hash is valid until the next one. */
export function* changedHashes(
  changes: Iterable<readonly [key: string, text: string]>,
): Generator<readonly [key: string, valueHash: Buffer | undefined]> {
  const hash = Buffer.allocUnsafe(HASH_BYTES);
  for (const [key, text] of changes) {
    yield [key, changedHash(text, hash)];
  }
}
