import { type Database, Statements } from "../../database.ts";
import { invariant } from "../../invariant.ts";
import { attributeTable, type DocumentTable, indexName } from "../../state/entries.ts";
import type { Columns } from "./indexed-rows.ts";
import { SHOWN_DOCUMENT } from "./indexed-rows.ts";
import type { Place } from "./list-page.ts";

/** By a page, so that rare ones cost no more. */
const EXAMINED_MAX = 1000;

/** The position of an open listing in the order of a list. */
export interface ListingPlace {
  /** The auction's end, Unix seconds; an offer's `priceText`. */
  readonly at: number | string;
  readonly number: number;
}

export interface WantedListings {
  readonly table: Pick<DocumentTable<never>, "name">;
  readonly text: string | undefined;
  readonly columns: Columns;
  /** Required for `order` `price`. */
  readonly priced: readonly string[];
  /** Auctions by end, offers by price, of two alike the older; or a bidder's newest auctions. */
  readonly order: "end" | "price" | "new";
  readonly after: ListingPlace | undefined;
  /** Ledger time: `order` `price` leaves out sales that ended by then. */
  readonly time: number;
}

type ListingRow = Readonly<Record<string, unknown>>;

/**
 * By one of three indexes: ends of auctions, their bidders, prices of offers. Combinations have
 * none, which every listing would write: a page ends early. Source: chain §10.
 */
export class OpenListings {
  readonly #statements: Statements;
  readonly #examinedMax: number;

  constructor(database: Database, examinedMax: number = EXAMINED_MAX) {
    this.#statements = new Statements(database);
    this.#examinedMax = examinedMax;
  }

  /** JSON texts, each with its row's number and end or price. */
  *places(wanted: WantedListings): Generator<Place<string>> {
    const { table, text = SHOWN_DOCUMENT, order, after, time } = wanted;
    const { attribute, ...columns } = wanted.columns;
    const filters = Object.entries(columns);
    const place = order === "price" ? "price" : "auction_end";
    const listings = { ...wanted, columns };
    const rows =
      order === "new" ? this.#newestOf(listings, after) : this.#lowestFirst(place, listings, after);
    const document = this.#statements.prepare(
      `SELECT ${text} AS text FROM ${table.name} AS listing WHERE number = ?${attribute === undefined ? "" : ` AND EXISTS (SELECT 1 FROM ${attributeTable(table)} WHERE project = ? AND attribute = ? AND number = listing.number)`}`,
    );
    const having =
      attribute === undefined ? [] : [columns["project"]?.[0] ?? null, attribute[0] ?? null];
    let examined = 0;
    for (const row of rows) {
      const number = row["number"] as number;
      const passes =
        filters.every(([name, values]) => values.includes(row[name] as number)) &&
        !(typeof row["sell_end"] === "number" && row["sell_end"] <= time);
      examined += 1;
      yield {
        at: `${row[place]}_${number}`,
        entry: passes ? (document.get(number, ...having)?.["text"] as string) : undefined,
        endsPage: examined === this.#examinedMax,
      };
    }
  }

  *#lowestFirst(
    place: "auction_end" | "price",
    { table, columns, priced }: WantedListings,
    after: ListingPlace | undefined,
  ): Generator<ListingRow> {
    const within = place === "price" ? priced : [];
    const names = [place, ...Object.keys(columns), ...(place === "price" ? ["sell_end"] : [])];
    const from = fromIndex(table, names, [...within, place]);
    const values = within.map((name) => {
      const value = columns[name]?.[0];
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
    { table, columns }: WantedListings,
    after: ListingPlace | undefined,
  ): Iterable<ListingRow> {
    const bidder = columns["bidder"]?.[0];
    invariant(bidder !== undefined, "the newest are those of a bidder");
    const from = fromIndex(table, ["auction_end", ...Object.keys(columns)], ["bidder"]);
    return this.#statements
      .prepare(`${from} WHERE bidder = ? AND number < ? ORDER BY number DESC LIMIT ?`)
      .iterate(bidder, after?.number ?? Number.MAX_SAFE_INTEGER, this.#examinedMax);
  }
}

function fromIndex(
  table: WantedListings["table"],
  names: readonly string[],
  indexed: readonly string[],
): string {
  const columns = new Set(["number", ...names]);
  return `SELECT ${[...columns].join(", ")} FROM ${table.name} INDEXED BY ${indexName(table, indexed)}`;
}
