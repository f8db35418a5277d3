import type { Database, Row, Statement } from "../database.ts";

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS transaction_record (
    number INTEGER PRIMARY KEY,
    content_hash TEXT NOT NULL,
    record TEXT NOT NULL
  ) STRICT;
`;

/** A transaction as readers look it up. */
export interface StoredTransaction {
  /** The first 40 hex digits of the content's hash, which close its id. */
  readonly contentHash: string;
  /** JCS of the record object. */
  readonly record: string;
}

/**
 * Records of all transactions under their running number, which is their place in the ledger tree: rows are stored in order, and the number
 * follows from the id, so that finding one needs no index. Source: chain §4.3, design.
 */
export class TransactionView {
  static readonly tables: readonly string[] = ["transaction_record"];
  readonly #insert: Statement | undefined;
  readonly #select: Statement;
  readonly #hashes: Statement;
  readonly #range: Statement;

  static create(database: Database): void {
    database.exec(SCHEMA);
  }

  constructor(database: Database, access: "read" | "write") {
    this.#insert =
      access === "write"
        ? database.prepare("INSERT INTO transaction_record VALUES (?, ?, ?)")
        : undefined;
    this.#select = database.prepare(
      "SELECT content_hash, record FROM transaction_record WHERE number = ?",
    );
    this.#hashes = database.prepare(
      "SELECT content_hash FROM transaction_record WHERE number >= ? AND number < ? ORDER BY number",
    );
    this.#range = database.prepare(
      "SELECT content_hash, record FROM transaction_record WHERE number >= ? AND number < ? ORDER BY number",
    );
  }

  insert(number: number, { contentHash, record }: StoredTransaction): void {
    this.#insert?.run(number, contentHash, record);
  }

  at(number: number): StoredTransaction | undefined {
    const row: Row | undefined = this.#select.get(number);
    return row && { contentHash: row["content_hash"] as string, record: row["record"] as string };
  }

  /** The transactions from one number to before another, one after the other as they are asked for. */
  *range(from: number, to: number): Iterable<StoredTransaction> {
    for (const row of this.#range.iterate(from, to)) {
      yield { contentHash: row["content_hash"] as string, record: row["record"] as string };
    }
  }

  /** Content hashes of the transactions from one number to before another. */
  contentHashes(from: number, to: number): string[] {
    return this.#hashes.all(from, to).map((row) => row["content_hash"] as string);
  }
}
