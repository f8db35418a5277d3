import { existsSync } from "node:fs";
import { type Block, NO_BLOCK } from "@moneta/protocol";
import { InvalidBlock } from "../chain/invalid-block.ts";
import { commit, type Database, type Statement } from "../database.ts";
import { invariant } from "../invariant.ts";
import type { BlockLog } from "./block-log.ts";
import { checkFormat, isBlank, markFormat } from "./ledger-format.ts";
import { RedoLog } from "./redo-log.ts";
import { blockOf, type StoredBlock, storedBlock } from "./stored-block.ts";

/** Its row survives a rebuild. */
export const PRUNED_TABLE = "pruned_log";

const SCHEMA = `
  CREATE TABLE block_log (
    height INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    header TEXT NOT NULL,
    operations TEXT NOT NULL
  ) STRICT;
`;

/** Exists only in a ledger that lacks blocks after block 0. */
const PRUNED = `
  CREATE TABLE IF NOT EXISTS ${PRUNED_TABLE} (
    only INTEGER PRIMARY KEY CHECK (only = 0),
    -- The first block after block 0 that is stored.
    first_kept INTEGER NOT NULL
  ) STRICT;
`;

/** Bytes of `blockText` besides header, id and operations. */
const FRAME_BYTES = '{"header":,"id":"","operations":[]}'.length;

export function redoFile(file: string): string {
  return `${file}-redo`;
}

/** The chain in the SQLite file of the views, so that one transaction stores both. */
export class LocalLog implements BlockLog {
  readonly redo: RedoLog | undefined;
  readonly #database: Database;
  readonly #insert: Statement | undefined;
  readonly #select: Statement;
  readonly #operations: Statement;
  readonly #size: Statement;
  readonly #newest: Statement;
  #firstKept: number;
  /** Blocks of the redo log that follow those of the table. */
  #redone: readonly Block[] = [];

  /** `write` creates the table. Throws `UnusableLedger` for another version's ledger. */
  constructor(database: Database, access: "read" | "write" = "write") {
    this.#database = database;
    if (access === "write" && isBlank(database)) {
      database.exec("BEGIN IMMEDIATE");
      markFormat(database);
      database.exec(SCHEMA);
      commit(database);
    }
    checkFormat(database);
    this.#insert =
      access === "write"
        ? database.prepare("INSERT INTO block_log VALUES (?, ?, ?, ?)")
        : undefined;
    this.#select = database.prepare("SELECT * FROM block_log WHERE height = ?");
    // As bytes: a block of 16 MiB as text takes 90 ms where it is not ASCII, its bytes 10 ms.
    this.#operations = database.prepare(
      "SELECT CAST(operations AS BLOB) AS operations FROM block_log WHERE height = ?",
    );
    // Lengths at the beginning of the row: texts are not read.
    this.#size = database.prepare(
      "SELECT octet_length(header) + octet_length(id) + octet_length(operations) AS bytes FROM block_log WHERE height = ?",
    );
    this.#newest = database.prepare("SELECT max(height) AS height FROM block_log");
    this.#firstKept = firstKeptIn(database);
    const file = access === "write" ? database.location() : null;
    if (file !== null) {
      this.takeRedo(file);
      RedoLog.remove(redoFile(file));
      this.redo = new RedoLog(redoFile(file));
    }
  }

  /** Read-only, with the redo log's blocks of a killed node. */
  static readWhole(database: Database): LocalLog {
    const log = new LocalLog(database, "read");
    log.#redone = log.#blocksOfRedo(database.location() ?? "");
    return log;
  }

  /** Adds the blocks of the redo log that this log lacks, for `read`. Returns their number. */
  takeRedo(file: string): number {
    const blocks = this.#blocksOfRedo(file);
    if (blocks.length > 0) {
      this.#database.exec("BEGIN IMMEDIATE");
      for (const block of blocks) {
        this.append(block);
      }
      commit(this.#database);
    }
    return blocks.length;
  }

  append(block: Block): StoredBlock {
    const row = storedBlock(block);
    const next = this.height() + 1;
    const expected = next === 0 ? 0 : Math.max(next, this.#firstKept);
    invariant(row.height === expected, "blocks are appended in their order");
    this.#insert?.run(row.height, row.id, row.header, row.operations);
    return row;
  }

  #blocksOfRedo(file: string): readonly Block[] {
    if (!existsSync(redoFile(file))) {
      return [];
    }
    const height = this.height();
    const newest = { height, id: this.block(height)?.id ?? NO_BLOCK };
    return [...RedoLog.blocksAfter(redoFile(file), newest)];
  }

  block(height: number): Block | undefined {
    const row = this.#select.get(height);
    return row === undefined
      ? this.#redone[height - this.#stored() - 1]
      : blockOf(row as unknown as StoredBlock);
  }

  operation(height: number, position: number): string | undefined {
    const bytes = this.#operations.get(height)?.["operations"] as Uint8Array | undefined;
    return bytes && lineOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), position);
  }

  size(height: number): number | undefined {
    const bytes = this.#size.get(height)?.["bytes"] as number | undefined;
    return bytes === undefined ? undefined : FRAME_BYTES + bytes;
  }

  *read(fromHeight: number): Iterable<Block> {
    for (let height = fromHeight; height <= this.height(); height += 1) {
      const block = this.block(height);
      if (block === undefined) {
        throw new InvalidBlock({ height }, "the log has later blocks, but not this one");
      }
      yield block;
    }
  }

  get firstKept(): number {
    return this.#firstKept;
  }

  /**
   * Notes that blocks after block 0 and before a height are not stored, in the caller's
   * transaction. Source: proofs §5.
   */
  keepFrom(height: number): void {
    this.#database.exec(PRUNED);
    this.#database.prepare(`INSERT OR REPLACE INTO ${PRUNED_TABLE} VALUES (0, ?)`).run(height);
    this.#firstKept = height;
  }

  /** Reads every row. */
  firstMissing(): number | undefined {
    const row = this.#database
      .prepare(
        "SELECT min(next) AS missing FROM (SELECT 0 AS next UNION ALL SELECT max(height + 1, ?1) FROM block_log) WHERE next < (SELECT max(height) FROM block_log) AND next NOT IN (SELECT height FROM block_log)",
      )
      .get(this.#firstKept);
    return (row?.["missing"] as number | null) ?? undefined;
  }

  /** In the caller's transaction. */
  cutBehind(height: number): void {
    this.#database.prepare("DELETE FROM block_log WHERE height > ?").run(height);
  }

  height(): number {
    return this.#stored() + this.#redone.length;
  }

  #stored(): number {
    return (this.#newest.get()?.["height"] as number | null) ?? -1;
  }
}

export function firstKeptIn(database: Database): number {
  const table = database
    .prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?")
    .get(PRUNED_TABLE);
  const row = table && database.prepare(`SELECT first_kept FROM ${PRUNED_TABLE}`).get();
  return (row?.["first_kept"] as number | undefined) ?? 1;
}

const LINE_END = 0x0a;

function lineOf(text: Buffer, position: number): string | undefined {
  let start = 0;
  for (let line = 0; line < position; line += 1) {
    const end = text.indexOf(LINE_END, start);
    if (end === -1) {
      return undefined;
    }
    start = end + 1;
  }
  const end = text.indexOf(LINE_END, start);
  return text.toString("utf8", start, end === -1 ? text.length : end);
}
