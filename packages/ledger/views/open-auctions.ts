import { type Database, Statements } from "../database.ts";
import { invariant } from "../invariant.ts";
import { type DocumentTable, indexName } from "../state/entries.ts";
import { PAGE_BYTES_MAX } from "./newest-first.ts";

/** How many auctions a page looks at, so that rare ones cost no more than others. */
const EXAMINED_MAX = 1000;

/** Where an open auction stands in the order of a list. */
export interface AuctionPlace {
  /** When it ends, Unix seconds. */
  readonly end: number;
  /** The number of its row. */
  readonly number: number;
}

/** What a page of open auctions is asked for. */
export interface WantedAuctions {
  /** Those that end first, and of two with the same end the older one; or the newest first. */
  readonly order: "end" | "new";
  /** Who has the highest bid; undefined for whoever it is, which the newest are not found by. */
  readonly bidderNumber: number | undefined;
  readonly after: AuctionPlace | undefined;
  readonly limit: number;
}

/** A page of auctions. `next` is the last that was looked at where there may be more. */
export interface AuctionPage {
  readonly items: readonly string[];
  readonly next: AuctionPlace | undefined;
}

/**
 * Pages through open auctions by one of two indexes: that of their ends, by which due auctions are
 * found, and that of their bidders. Combinations of filters have no indexes, which every auction
 * would have to write: a page ends early after so many auctions. Source: chain §10.
 */
export class OpenAuctions {
  readonly #statements: Statements;
  readonly #examinedMax: number;

  constructor(database: Database, examinedMax: number = EXAMINED_MAX) {
    this.#statements = new Statements(database);
    this.#examinedMax = examinedMax;
  }

  page({
    table,
    columns,
    show,
    wanted: { order, bidderNumber, after, limit },
  }: {
    readonly table: Pick<DocumentTable<never>, "name">;
    /** What stands in columns of those that are wanted; undefined for whatever it is. */
    readonly columns: { readonly [name: string]: string | number | undefined };
    readonly show: (text: string) => string;
    readonly wanted: WantedAuctions;
  }): AuctionPage {
    const filters = Object.entries({ ...columns, bidder: bidderNumber }).filter(
      ([, value]) => value !== undefined,
    );
    const names = filters.map(([name]) => name);
    invariant(order === "end" || bidderNumber !== undefined, "the newest are those of a bidder");
    const rows =
      order === "end"
        ? this.#endingFirst(table, names, after)
        : this.#newestOf(bidderNumber as number, table, names, after);
    const document = this.#statements.prepare(`SELECT value FROM ${table.name} WHERE number = ?`);
    const items: string[] = [];
    let bytes = 0;
    let examined = 0;
    let last = after;
    for (const row of rows) {
      if (filters.every(([name, value]) => row[name] === value)) {
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
      if (examined === this.#examinedMax) {
        return { items, next: last };
      }
    }
    return { items, next: undefined };
  }

  /** Those with the end of the last one first: however many have the same, they are sought. */
  *#endingFirst(
    table: Pick<DocumentTable<never>, "name">,
    names: readonly string[],
    after: AuctionPlace | undefined,
  ): Generator<AuctionRow> {
    const from = fromIndex(table, names, "auction_end");
    if (after !== undefined) {
      yield* this.#statements
        .prepare(`${from} WHERE auction_end = ? AND number > ? ORDER BY number LIMIT ?`)
        .iterate(after.end, after.number, this.#examinedMax);
    }
    yield* this.#statements
      .prepare(`${from} WHERE auction_end > ? ORDER BY auction_end, number LIMIT ?`)
      .iterate(after?.end ?? 0, this.#examinedMax);
  }

  #newestOf(
    bidderNumber: number,
    table: Pick<DocumentTable<never>, "name">,
    names: readonly string[],
    after: AuctionPlace | undefined,
  ): Iterable<AuctionRow> {
    const from = fromIndex(table, names, "bidder");
    return this.#statements
      .prepare(`${from} WHERE bidder = ? AND number < ? ORDER BY number DESC LIMIT ?`)
      .iterate(bidderNumber, after?.number ?? Number.MAX_SAFE_INTEGER, this.#examinedMax);
  }
}

type AuctionRow = Readonly<Record<string, unknown>>;

function fromIndex(
  table: Pick<DocumentTable<never>, "name">,
  names: readonly string[],
  indexed: "auction_end" | "bidder",
): string {
  const columns = new Set(["number", "auction_end", ...names]);
  return `SELECT ${[...columns].join(", ")} FROM ${table.name} INDEXED BY ${indexName(table, [indexed])}`;
}
