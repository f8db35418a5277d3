import type { Database } from "../database.ts";
import { type BookSide, LEVEL, lineOf, priceOfRank, rankOf } from "../state/order-entry.ts";
import type { StateTables } from "../state/tables/tables.ts";
import { DOCUMENT_AND_BESIDE, IndexedRows } from "./lists/indexed-rows.ts";
import { type Page, pageOf } from "./lists/list-page.ts";

export class OrderBook {
  readonly #rows: IndexedRows;

  constructor(database: Database, past?: StateTables) {
    this.#rows = new IndexedRows(database, past);
  }

  /** JSON texts, best first, after a price. `next` is the price after which more may follow. */
  levels(side: BookSide, after: bigint | undefined, limit: number): Page {
    const places = this.#rows.places({
      ...{ kind: LEVEL, table: LEVEL.table, text: DOCUMENT_AND_BESIDE },
      ...{ order: "rank", ascending: true, columns: { line: [lineOf(side)] } },
      after: after === undefined ? "" : rankOf(side.side, after),
      limit: limit + 1,
    });
    const { items, next } = pageOf(places, (text) => JSON.stringify(JSON.parse(text)[0]), limit);
    return { items, next: next && String(priceOfRank(side.side, next as string)) };
  }
}
