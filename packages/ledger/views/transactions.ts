import { ONLY_BY_NAME } from "@moneta/protocol";
import type { Database, Row, Statement } from "../database.ts";
import { typeNumber } from "./history.ts";
import { mergeNewest, type Source } from "./merge-newest.ts";

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS transaction_record (
    number INTEGER PRIMARY KEY,
    content_hash TEXT NOT NULL,
    leaf_hash BLOB NOT NULL,
    type INTEGER NOT NULL,
    token INTEGER NOT NULL,
    record TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS transaction_by_type ON transaction_record (type);
  CREATE INDEX IF NOT EXISTS transaction_by_type_and_token ON transaction_record (type, token);
`;

const ONLY_BY_NAME_NUMBER = typeNumber(ONLY_BY_NAME) as number;

export interface TransactionFilter {
  /** Types of M, by index; undefined for all except `ONLY_BY_NAME`. */
  readonly types: readonly number[] | undefined;
  readonly token: number | undefined;
  readonly from: number;
  readonly before: number;
}

export interface StoredTransaction {
  /** 40 hex digits, which close its id. */
  readonly contentHash: string;
  readonly record: string;
}

export interface NewTransaction extends StoredTransaction {
  readonly leafHash: Uint8Array;
  readonly type: number;
  readonly token: number;
}

/**
 * By running number, the place in the ledger tree: rows are in order, and the number follows from
 * the id, so no index is needed. Source: chain §4.3.
 */
export class TransactionView {
  readonly #insert: Statement | undefined;
  readonly #select: Statement;
  readonly #selectRange: Statement;
  readonly #hashes: Statement;
  readonly #all: Statement;
  readonly #ofType: Statement;
  readonly #ofTypeAndToken: Statement;
  readonly #types: Statement;

  static create(database: Database): void {
    database.exec(SCHEMA);
  }

  constructor(database: Database, access: "read" | "write") {
    this.#insert =
      access === "write"
        ? database.prepare("INSERT INTO transaction_record VALUES (?, ?, ?, ?, ?, ?)")
        : undefined;
    this.#select = database.prepare(
      "SELECT content_hash, record FROM transaction_record WHERE number = ?",
    );
    this.#selectRange = database.prepare(
      "SELECT content_hash, record FROM transaction_record WHERE number >= ? AND number < ? ORDER BY number",
    );
    this.#hashes = database.prepare(
      "SELECT content_hash FROM transaction_record WHERE number >= ? AND number < ? ORDER BY number",
    );
    this.#all = database.prepare(
      `SELECT number FROM transaction_record WHERE number >= ? AND number < ? AND type <> ${ONLY_BY_NAME_NUMBER} ORDER BY number DESC LIMIT ?`,
    );
    this.#ofType = database.prepare(
      `SELECT number FROM transaction_record INDEXED BY transaction_by_type
       WHERE type = ? AND number >= ? AND number < ? ORDER BY number DESC LIMIT ?`,
    );
    this.#ofTypeAndToken = database.prepare(
      `SELECT number FROM transaction_record INDEXED BY transaction_by_type_and_token
       WHERE type = ? AND token = ? AND number >= ? AND number < ? ORDER BY number DESC LIMIT ?`,
    );
    // Past all the rows of each type.
    this.#types = database.prepare(
      `WITH RECURSIVE found (type) AS (
         SELECT min(type) FROM transaction_record INDEXED BY transaction_by_type
         UNION ALL
         SELECT (SELECT min(type) FROM transaction_record INDEXED BY transaction_by_type WHERE type > found.type) FROM found
         WHERE found.type IS NOT NULL)
       SELECT type FROM found WHERE type IS NOT NULL`,
    );
  }

  insert(number: number, { contentHash, leafHash, type, token, record }: NewTransaction): void {
    this.#insert?.run(number, contentHash, leafHash, type, token, record);
  }

  page(filter: TransactionFilter, limit: number): readonly number[] {
    return [...mergeNewest(this.#sources(filter), { before: filter.before, limit })];
  }

  #sources({ types, token, from }: TransactionFilter): readonly Source[] {
    if (types === undefined && token === undefined) {
      return [(before, limit) => numbersOf(this.#all.all(from, before, limit))];
    }
    const all = (): number[] => this.#types.all().map((row) => row["type"] as number);
    const ofTypes = types ?? all().filter((type) => type !== ONLY_BY_NAME_NUMBER);
    return ofTypes.map(
      (type): Source =>
        (before, limit) =>
          numbersOf(
            token === undefined
              ? this.#ofType.all(type, from, before, limit)
              : this.#ofTypeAndToken.all(type, token, from, before, limit),
          ),
    );
  }

  at(number: number): StoredTransaction | undefined {
    const row: Row | undefined = this.#select.get(number);
    return row && transactionOf(row);
  }

  *range(from: number, to: number): Iterable<StoredTransaction> {
    for (const row of this.#selectRange.iterate(from, to)) {
      yield transactionOf(row);
    }
  }

  contentHashes(from: number, to: number): string[] {
    return this.#hashes.all(from, to).map((row) => row["content_hash"] as string);
  }
}

function numbersOf(rows: readonly Row[]): number[] {
  return rows.map((row) => row["number"] as number);
}

function transactionOf(row: Row): StoredTransaction {
  return { contentHash: row["content_hash"] as string, record: row["record"] as string };
}
