import type { Database, Statement } from "../database.ts";

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS transaction_group (
    id TEXT PRIMARY KEY,
    first_transaction INTEGER NOT NULL,
    count INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
`;

export interface StoredGroup {
  readonly first: number;
  readonly count: number;
}

/** Source: batches §2.4. */
export class GroupView {
  readonly #insert: Statement | undefined;
  readonly #select: Statement;

  static create(database: Database): void {
    database.exec(SCHEMA);
  }

  constructor(database: Database, access: "read" | "write") {
    this.#insert =
      access === "write"
        ? database.prepare("INSERT INTO transaction_group VALUES (?, ?, ?)")
        : undefined;
    this.#select = database.prepare(
      "SELECT first_transaction, count FROM transaction_group WHERE id = ?",
    );
  }

  insert(id: string, { first, count }: StoredGroup): void {
    this.#insert?.run(id, first, count);
  }

  get(id: string): StoredGroup | undefined {
    const row = this.#select.get(id);
    return row && { first: row["first_transaction"] as number, count: row["count"] as number };
  }
}
