import type { Header } from "@moneta/protocol";
import type { Database, Row, Statement } from "../database.ts";

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS block (
    height INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    first_transaction INTEGER NOT NULL UNIQUE,
    timestamp INTEGER NOT NULL,
    header TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS block_by_timestamp ON block (timestamp);
`;

export interface BlockSummary {
  readonly id: string;
  readonly header: Header;
}

export class BlockView {
  readonly #insert: Statement | undefined;
  readonly #byHeight: Statement;
  readonly #byId: Statement;
  readonly #byTransaction: Statement;
  readonly #newest: Statement;
  readonly #sinceTime: Statement;
  readonly #untilTime: Statement;

  static create(database: Database): void {
    database.exec(SCHEMA);
  }

  constructor(database: Database, access: "read" | "write") {
    this.#insert =
      access === "write" ? database.prepare("INSERT INTO block VALUES (?, ?, ?, ?, ?)") : undefined;
    this.#byHeight = database.prepare("SELECT id, header FROM block WHERE height = ?");
    this.#byId = database.prepare("SELECT id, header FROM block WHERE id = ?");
    this.#byTransaction = database.prepare(
      "SELECT id, header FROM block WHERE first_transaction <= ? ORDER BY first_transaction DESC LIMIT 1",
    );
    this.#newest = database.prepare("SELECT max(height) AS height FROM block");
    this.#sinceTime = database.prepare(
      "SELECT first_transaction FROM block WHERE timestamp >= ? ORDER BY timestamp, height LIMIT 1",
    );
    this.#untilTime = database.prepare(
      "SELECT height FROM block WHERE timestamp <= ? ORDER BY timestamp DESC, height DESC LIMIT 1",
    );
  }

  insert({ id, header }: BlockSummary): void {
    const { sn, timestamp } = header;
    this.#insert?.run(sn, id, firstTransaction(header), timestamp, JSON.stringify(header));
  }

  atHeight(height: number): BlockSummary | undefined {
    return summaryOf(this.#byHeight.get(height));
  }

  withId(id: string): BlockSummary | undefined {
    return summaryOf(this.#byId.get(id));
  }

  withTransaction(number: number): BlockSummary | undefined {
    return summaryOf(this.#byTransaction.get(number));
  }

  /** Whose ledger time is not before `time`. */
  firstTransactionSince(time: number): number | undefined {
    return this.#sinceTime.get(time)?.["first_transaction"] as number | undefined;
  }

  /** With a timestamp that is not later. */
  heightAt(time: number): number | undefined {
    return this.#untilTime.get(time)?.["height"] as number | undefined;
  }

  /** -1 if there is none. */
  height(): number {
    return (this.#newest.get()?.["height"] as number | null) ?? -1;
  }
}

export function firstTransaction(header: Header): number {
  return header.size - header.count;
}

export function placeIn(
  header: Header,
  number: number,
): { readonly height: number; readonly position: number } {
  return { height: header.sn, position: number - firstTransaction(header) };
}

function summaryOf(row: Row | undefined): BlockSummary | undefined {
  return row && summaryOfRow(row);
}

function summaryOfRow(row: Row): BlockSummary {
  return { id: row["id"] as string, header: JSON.parse(row["header"] as string) as Header };
}
