import { type Database, Statements } from "../database.ts";
import { type DocumentTable, indexName } from "../state/entries.ts";
import { PAGE_BYTES_MAX } from "./newest-first.ts";

/** How many auctions a page looks at, so that rare ones cost no more than others. */
const EXAMINED_MAX = 1000;

/** Where an auction stands in the order of their ends. */
export interface EndPlace {
  /** Unix seconds. */
  readonly end: number;
  /** Of two with the same end the older one comes first. */
  readonly number: number;
}

/** A page of auctions. `next` is the last that was looked at where there may be more. */
export interface EndingPage {
  readonly items: readonly string[];
  readonly next: EndPlace | undefined;
}

/**
 * Pages through open auctions, those that end first before others. It needs no index for each
 * combination of filters, which every auction would have to write: it goes through the one by which
 * due auctions are found, and a page ends early after so many of them. Source: chain §10.
 */
export class EndingAuctions {
  readonly #statements: Statements;

  constructor(database: Database) {
    this.#statements = new Statements(database);
  }

  page({
    table,
    columns,
    after,
    limit,
    show,
  }: {
    readonly table: Pick<DocumentTable<never>, "name">;
    /** What stands in columns of those that are wanted; undefined for whatever it is. */
    readonly columns: { readonly [name: string]: string | number | undefined };
    readonly after: EndPlace | undefined;
    readonly limit: number;
    readonly show: (text: string) => string;
  }): EndingPage {
    const wanted = Object.entries(columns).filter(([, value]) => value !== undefined);
    const document = this.#statements.prepare(`SELECT value FROM ${table.name} WHERE number = ?`);
    const items: string[] = [];
    let bytes = 0;
    let examined = 0;
    let last = after;
    for (const row of this.#rows(table, Object.keys(columns), after)) {
      if (wanted.every(([name, value]) => row[name] === value)) {
        if (items.length === limit) {
          return { items, next: last };
        }
        const text = show(document.get(row["number"] as number)?.["value"] as string);
        bytes += Buffer.byteLength(text);
        if (bytes > PAGE_BYTES_MAX && items.length > 0) {
          return { items, next: last };
        }
        items.push(text);
      }
      last = { end: row["auction_end"] as number, number: row["number"] as number };
      examined += 1;
      if (examined === EXAMINED_MAX) {
        return { items, next: last };
      }
    }
    return { items, next: undefined };
  }

  /** Those with the end of the last one first: however many have the same, they are sought. */
  *#rows(
    table: Pick<DocumentTable<never>, "name">,
    columns: readonly string[],
    after: EndPlace | undefined,
  ): Generator<Readonly<Record<string, unknown>>> {
    const from = `SELECT ${["number", "auction_end", ...columns].join(", ")} FROM ${table.name} INDEXED BY ${indexName(table, ["auction_end"])}`;
    if (after !== undefined) {
      yield* this.#statements
        .prepare(`${from} WHERE auction_end = ? AND number > ? ORDER BY number LIMIT ?`)
        .iterate(after.end, after.number, EXAMINED_MAX);
    }
    yield* this.#statements
      .prepare(`${from} WHERE auction_end > ? ORDER BY auction_end, number LIMIT ?`)
      .iterate(after?.end ?? 0, EXAMINED_MAX);
  }
}
