import type { Json, TokenId } from "@moneta/protocol";
import { type Database, Statements } from "../database.ts";
import { indexName } from "../state/entries.ts";
import {
  type BookSide,
  LEVEL,
  lineOf,
  ORDER,
  type OrderSide,
  type OrderState,
  PENDING,
  rankOf,
} from "../state/order-entry.ts";
import { NewestFirst, type Page } from "./newest-first.ts";

const SIDES: readonly OrderSide[] = ["SELL", "BUY"];
const STATES: readonly OrderState[] = ["open", "complete", "cancel"];

/** Entries as JSON texts, and whether there are more behind them. */
export interface Part {
  readonly items: readonly string[];
  readonly hasMore: boolean;
}

/** Lists orders, their levels, and what they hold. Source: protocols §10. */
export class OrderView {
  readonly #pages: NewestFirst;
  readonly #statements: Statements;

  constructor(database: Database) {
    this.#pages = new NewestFirst(database);
    this.#statements = new Statements(database);
  }

  /** A page of the orders that pass all the filters that are given. */
  list(filters: {
    readonly ownerNumber: number | undefined;
    readonly base: TokenId | undefined;
    readonly target: TokenId | undefined;
    readonly side: OrderSide | undefined;
    readonly state: OrderState | undefined;
    readonly before: number | undefined;
    readonly limit: number;
  }): Page {
    const { ownerNumber, base, target, side, state, before, limit } = filters;
    const wanted = {
      table: ORDER.table,
      columns: {
        ...(ownerNumber === undefined ? {} : { owner: [ownerNumber] }),
        ...(base === undefined ? {} : { base: [Number(base)] }),
        ...(target === undefined ? {} : { target: [Number(target)] }),
        side: side === undefined ? SIDES : [side],
        state: state === undefined ? STATES : [state],
      },
      before,
      limit,
    };
    return this.#pages.pageShown(wanted, (text) =>
      JSON.stringify(ORDER.json(ORDER.restore(JSON.parse(text) as Json))),
    );
  }

  /** Levels of a side, the best first: those behind a price, or the first. */
  levels(side: BookSide, after: bigint | undefined, limit: number): Part {
    const rank = after === undefined ? "" : rankOf(side.side, after as never);
    const index = indexName(LEVEL.table, ["line", "rank"]);
    const rows = this.#statements
      .prepare(
        `SELECT value FROM order_level INDEXED BY ${index} WHERE line = ? AND rank > ? ORDER BY rank LIMIT ?`,
      )
      .all(lineOf(side), rank, limit + 1);
    return partOf(rows, limit, (json) => LEVEL.json(LEVEL.restore(json)));
  }

  /** What waiting orders of a numbered address hold, by token, from behind one on. */
  pending(address: number, after: TokenId | undefined, limit: number): Part {
    const index = indexName(PENDING.table, ["address", "token"]);
    const rows = this.#statements
      .prepare(
        `SELECT value FROM pending INDEXED BY ${index} WHERE address = ? AND token > ? ORDER BY token LIMIT ?`,
      )
      .all(address, after === undefined ? -1 : Number(after), limit + 1);
    return partOf(rows, limit, (json) => {
      const { token, amount, orders } = PENDING.restore(json);
      return { token, pending: String(amount), orders };
    });
  }
}

function partOf(
  rows: readonly Readonly<Record<string, unknown>>[],
  limit: number,
  show: (json: Json) => Json,
): Part {
  const items = rows
    .slice(0, limit)
    .map(({ value }) => JSON.stringify(show(JSON.parse(value as string) as Json)));
  return { items, hasMore: rows.length > limit };
}
