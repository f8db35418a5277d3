import { type Database, type Statement, Statements } from "../database.ts";

/**
 * What blocks have changed, until the state tree has it: the text that each header's `changes` is
 * the hash of. Blocks follow each other without a gap.
 */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS changed_entries (
    height INTEGER PRIMARY KEY,
    -- Bytes of this text and of all before it, since it is kept.
    total INTEGER NOT NULL,
    changes TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS keeps_changes (only INTEGER PRIMARY KEY CHECK (only = 0)) STRICT;
`;

/**
 * Most that is kept, bytes. Where the tree is further behind, nothing of it is, and the tree is made
 * from all entries again.
 */
const KEPT_MAX = 256 * 2 ** 20;

/** Rows that go with a block, at most: at full load the tree has those of a thousand blocks at once. */
const DROPPED_TOGETHER = 4;

/** What a block has changed. */
export interface ChangedEntriesOfBlock {
  readonly height: number;
  /** JCS of the changed entries by their keys, null for those that are gone. Source: chain §4.6. */
  readonly changes: string;
}

/** Changes of blocks that wait for the state tree. Source: proofs §2. */
export class ChangedEntries {
  readonly #statements: Statements;
  readonly #keptMax: number;
  #insert: Statement | undefined;
  /** Undefined before the first block. */
  #isKept: boolean | undefined;
  /** Bytes of all texts since they are kept, and those before the first that still is. */
  #total = 0;
  #dropped = 0;
  /** The first block whose changes are kept. */
  #first = 0;
  /** Up to which block the tree has them. */
  #inTree = -1;

  static create(database: Database): void {
    database.exec(SCHEMA);
  }

  constructor(database: Database, keptMax: number = KEPT_MAX) {
    this.#statements = new Statements(database);
    this.#keptMax = keptMax;
  }

  /** Whether changes are kept from now on; those that were kept go if not. */
  keep(isKept: boolean): void {
    const sql = isKept
      ? ["INSERT OR IGNORE INTO keeps_changes VALUES (0)"]
      : ["DELETE FROM keeps_changes", "DELETE FROM changed_entries"];
    for (const statement of sql) {
      this.#statements.prepare(statement).run();
    }
    this.#isKept = undefined;
  }

  /** The state tree has the changes of all blocks up to one: they go, a few with each block. */
  noteInTree(height: number): void {
    this.#inTree = height;
  }

  /** Notes what the next block has changed. */
  put({ height, changes }: ChangedEntriesOfBlock): void {
    this.#isKept ??= this.#begin(height);
    if (!this.#isKept) {
      return;
    }
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

  /** What the blocks behind one have changed, in their order. */
  *after(height: number): Generator<ChangedEntriesOfBlock> {
    const rows = this.#statements
      .prepare("SELECT height, changes FROM changed_entries WHERE height > ? ORDER BY height")
      .iterate(height);
    for (const row of rows) {
      yield row as unknown as ChangedEntriesOfBlock;
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

  /** Before the first block: what the table has. */
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
