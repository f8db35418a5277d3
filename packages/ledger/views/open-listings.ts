import { type Database, Statements } from "../database.ts";
import { invariant } from "../invariant.ts";
import { type DocumentTable, indexName } from "../state/entries.ts";
import { PAGE_BYTES_MAX } from "./newest-first.ts";

/** How many listings a page reads at most, so that rare ones cost no more than others. */
const EXAMINED_MAX = 1000;

/** Where an open listing stands in the order of a list. */
export interface ListingPlace {
  /** When the auction ends, Unix seconds; of an offer its price, see `priceText`. */
  readonly at: number | string;
  /** The number of its row. */
  readonly number: number;
}

/** What a page of open listings is asked for. */
export interface WantedListings {
  /**
   * Auctions that end first, or offers of the lowest price, and of two alike the older one; or the
   * newest auctions.
   */
  readonly order: "end" | "price" | "new";
  /** Who has the highest bid; undefined for whoever it is, which the newest are not found by. */
  readonly bidderNumber: number | undefined;
  readonly after: ListingPlace | undefined;
  readonly limit: number;
}

/** A page of listings. `next` is the last that was read where there may be more. */
export interface ListingPage {
  readonly items: readonly string[];
  readonly next: ListingPlace | undefined;
}

type Table = Pick<DocumentTable<never>, "name">;
type Columns = { readonly [name: string]: string | number | undefined };
type ListingRow = Readonly<Record<string, unknown>>;

/**
 * Pages through open listings by one of three indexes: that of the ends of auctions, by which due
 * auctions are found, that of their bidders, and that of the prices of offers. Combinations of
 * filters have no indexes, which every listing would have to write: a page ends early after so many
 * listings. Source: chain §10.
 */
export class OpenListings {
  readonly #statements: Statements;
  readonly #examinedMax: number;

  constructor(database: Database, examinedMax: number = EXAMINED_MAX) {
    this.#statements = new Statements(database);
    this.#examinedMax = examinedMax;
  }

  page({
    table,
    columns,
    priced = [],
    show,
    wanted: { order, bidderNumber, after, limit },
  }: {
    readonly table: Table;
    /** What stands in columns of those that are wanted; undefined for whatever it is. */
    readonly columns: Columns;
    /** The columns that prices are ordered within, which must be given for `order` `price`. */
    readonly priced?: readonly string[];
    readonly show: (text: string) => string;
    readonly wanted: WantedListings;
  }): ListingPage {
    const given = { ...columns, bidder: bidderNumber };
    const filters = Object.entries(given).filter(([, value]) => value !== undefined);
    const names = filters.map(([name]) => name);
    const place = order === "price" ? "price" : "auction_end";
    const rows =
      order === "new"
        ? this.#newestOf(bidderNumber, { table, names }, after)
        : this.#lowestFirst(place, order === "price" ? priced : [], given, { table, names }, after);
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
      last = { at: row[place] as number | string, number: row["number"] as number };
      examined += 1;
      if (examined === this.#examinedMax) {
        return { items, next: last };
      }
    }
    return { items, next: undefined };
  }

  /** Those at the place of the last one first: however many are there, they are sought. */
  *#lowestFirst(
    place: "auction_end" | "price",
    within: readonly string[],
    given: Columns,
    { table, names }: { readonly table: Table; readonly names: readonly string[] },
    after: ListingPlace | undefined,
  ): Generator<ListingRow> {
    const from = fromIndex(table, [place, ...names], [...within, place]);
    const values = within.map((name) => {
      const value = given[name];
      invariant(value !== undefined, "prices are of one token");
      return value;
    });
    const where = `WHERE ${within.map((name) => `${name} = ? AND `).join("")}${place}`;
    if (after !== undefined) {
      yield* this.#statements
        .prepare(`${from} ${where} = ? AND number > ? ORDER BY number LIMIT ?`)
        .iterate(...values, after.at, after.number, this.#examinedMax);
    }
    const lowest = place === "price" ? "" : 0;
    yield* this.#statements
      .prepare(`${from} ${where} > ? ORDER BY ${place}, number LIMIT ?`)
      .iterate(...values, after?.at ?? lowest, this.#examinedMax);
  }

  #newestOf(
    bidderNumber: number | undefined,
    { table, names }: { readonly table: Table; readonly names: readonly string[] },
    after: ListingPlace | undefined,
  ): Iterable<ListingRow> {
    invariant(bidderNumber !== undefined, "the newest are those of a bidder");
    const from = fromIndex(table, ["auction_end", ...names], ["bidder"]);
    return this.#statements
      .prepare(`${from} WHERE bidder = ? AND number < ? ORDER BY number DESC LIMIT ?`)
      .iterate(bidderNumber, after?.number ?? Number.MAX_SAFE_INTEGER, this.#examinedMax);
  }
}

function fromIndex(table: Table, names: readonly string[], indexed: readonly string[]): string {
  const columns = new Set(["number", ...names]);
  return `SELECT ${[...columns].join(", ")} FROM ${table.name} INDEXED BY ${indexName(table, indexed)}`;
}
