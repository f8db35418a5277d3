import { type Database, Statements } from "../database.ts";
import { indexName } from "../state/entries.ts";
import { type BookSide, LEVEL, lineOf, rankOf } from "../state/order-entry.ts";

/** Reads the levels of order books. Source: protocols §10. */
export class OrderBook {
  readonly #statements: Statements;

  constructor(database: Database) {
    this.#statements = new Statements(database);
  }

  /** JSON texts of up to `limit` levels of a side, the best first: those behind a price. */
  levels(side: BookSide, after: bigint | undefined, limit: number): readonly string[] {
    const rank = after === undefined ? "" : rankOf(side.side, after as never);
    const index = indexName(LEVEL.table, ["line", "rank"]);
    return this.#statements
      .prepare(
        `SELECT value FROM order_level INDEXED BY ${index} WHERE line = ? AND rank > ? ORDER BY rank LIMIT ?`,
      )
      .all(lineOf(side), rank, limit)
      .map(({ value }) => value as string);
  }
}
