import { type AnyListRead, Refused, refuse } from "@moneta/protocol";
import { type Database, Statements } from "../../database.ts";
import { invariant } from "../../invariant.ts";
import type { DocumentTable } from "../../state/entries.ts";
import type { StateTables } from "../../state/tables.ts";
import { AttributedItems } from "./attributed-items.ts";
import { type Columns, IndexedRows } from "./indexed-rows.ts";
import { ItemsNewestFirst } from "./items-newest-first.ts";
import { type Filter, type Selection, select } from "./list-filters.ts";
import { type Page, type Place, pageOf, type Weighed } from "./list-page.ts";
import type { ListedLedger } from "./listed-ledger.ts";
import { OpenListings } from "./open-listings.ts";
import { TokenHolders } from "./token-holders.ts";

/**
 * The request to a search: the selection of the filters, after the cursor, up to `limit` entries.
 */
export interface Wanted extends Selection {
  /** The position in the cursor. */
  readonly after: string | number | undefined;
  readonly limit: number;
  readonly order: Order;
}

/** The order of a list. */
type Order = "new" | "end" | "price" | "balance";

/** Finds entries in the order of the list. */
export type Search<E> = (wanted: Wanted, lists: ListView) => Iterable<Place<E>>;

/** A search that may take several event-loop turns: it may continue in a later one where it yields. */
export type SearchInTurns<E> = (
  wanted: Wanted,
  lists: ListView,
) => Generator<undefined, Iterable<Place<E>>>;

/** Makes a function that shows the entries of one page, each as JSON text. */
export type Show<E> = (
  lists: ListView,
  values: Readonly<Record<string, unknown>>,
) => (entry: E) => string | Weighed;

/** Orders of a list of listings beside that of their numbers, which have open listings alone. */
export interface OpenOrders {
  readonly table: Pick<DocumentTable<never>, "name">;
  /** The column or SQL expression that is read of each row: `value` by default. */
  readonly text?: string;
  /** Values of open auctions in columns, for lists by their ends or by bidder. */
  readonly auctions: { readonly [column: string]: string };
  /** Values of open offers in columns, for lists by price. */
  readonly offers: { readonly [column: string]: string };
  /** Parameters without which prices cannot be compared, and their columns. */
  readonly pricedIn: { readonly [parameter: string]: string };
}

export interface List {
  readonly read: AnyListRead;
  /** How each parameter selects entries; those without a filter select none. */
  // biome-ignore lint/suspicious/noExplicitAny: each filter knows the value of its own parameter.
  readonly filters: Readonly<Record<string, Filter<any>>>;
  // biome-ignore lint/suspicious/noExplicitAny: the entries that a search finds are those that are shown.
  readonly search?: Search<any>;
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  readonly searchInTurns?: SearchInTurns<any>;
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  readonly show: Show<any>;
  readonly open?: OpenOrders;
}

interface ListValues extends Readonly<Record<string, unknown>> {
  readonly order?: Order;
  readonly cursor?: { readonly last: string | number } | undefined;
}

const NO_ENTRIES: Page = { items: [], next: undefined };

/** Makes pages of the lists. Source: chain §10. */
export class ListView {
  readonly reader: ListedLedger;
  readonly statements: Statements;
  /** As of an earlier block. */
  readonly past: StateTables | undefined;
  readonly rows: IndexedRows;
  readonly items: ItemsNewestFirst;
  readonly attributed: AttributedItems;
  readonly holders: TokenHolders;
  readonly #open: OpenListings;

  /** `bounds` are for tests: the most that one turn or page may search. */
  constructor(
    database: Database,
    reader: ListedLedger,
    bounds: {
      readonly examinedMax?: number;
      readonly tokensTogether?: number;
      readonly sortedMax?: number;
    } = {},
    past?: StateTables,
  ) {
    this.past = past;
    this.reader = reader;
    this.statements = new Statements(database);
    this.rows = new IndexedRows(database, past);
    this.items = new ItemsNewestFirst(database, bounds);
    this.attributed = new AttributedItems(database, bounds.examinedMax);
    this.holders = new TokenHolders(database, past, bounds.sortedMax);
    this.#open = new OpenListings(database, bounds.examinedMax);
  }

  /**
   * A page of at most `limit` entries for the values of a request. When it yields, it may continue
   * in a later turn. Refused with 1000 for an order by price without its tokens, and with 3090,
   * 4001, 6001 or 6004 for a missing object of the list.
   */
  *page(list: List, values: ListValues, limit: number): Generator<undefined, Page | Refused> {
    const { order = "new", cursor } = values;
    const unpriced =
      order === "price" &&
      Object.keys(list.open?.pricedIn ?? {}).find((name) => values[name] === undefined);
    if (typeof unpriced === "string") {
      return refuse({ code: "1000", parameter: unpriced });
    }
    const selection = select(list.filters, values, this.reader);
    if (selection === undefined || selection instanceof Refused) {
      return selection ?? NO_ENTRIES;
    }
    const { columns } = selection;
    const after = cursor?.last;
    // One more than the page has, to see whether there are more.
    const wanted = { ...selection, after, limit: limit + 1, order };
    const places =
      list.open !== undefined &&
      order !== "balance" &&
      (order !== "new" || columns["bidder"] !== undefined)
        ? this.#openPlaces(list.open, columns, { order, after })
        : (list.search?.(wanted, this) ?? (yield* searchInTurns(list, wanted, this)));
    return pageOf(places, list.show(this, values), limit);
  }

  #openPlaces(
    { table, text, auctions, offers, pricedIn }: OpenOrders,
    columns: Columns,
    {
      order,
      after,
    }: { readonly order: "new" | "end" | "price"; readonly after: string | number | undefined },
  ): Iterable<Place<string>> {
    const fixed = order === "price" ? offers : auctions;
    const excludes = Object.entries(fixed).some(([name, value]) => !columns[name]?.includes(value));
    // Offers have no bidder.
    if (excludes || (order === "price" && columns["bidder"] !== undefined)) {
      return [];
    }
    const [at, number = "0"] = after === undefined ? [] : String(after).split("_");
    return this.#open.places({
      ...{ table, text, order, priced: Object.values(pricedIn), time: this.reader.state.time },
      columns: Object.fromEntries(Object.entries(columns).filter(([name]) => !(name in fixed))),
      after:
        at === undefined
          ? undefined
          : { at: order === "price" ? at : Number(at), number: Number(number) },
    });
  }
}

function searchInTurns(
  { searchInTurns: search }: List,
  wanted: Wanted,
  lists: ListView,
): Generator<undefined, Iterable<Place<unknown>>> {
  invariant(search !== undefined, "every list has a search");
  return search(wanted, lists);
}

/** The number in the cursor of a list that is in the order of a number. */
export function numberBehind(after: Wanted["after"]): number | undefined {
  // Only a checksum of its filters protects a cursor: it may have any text in place of a number.
  return after === undefined ? undefined : Number(String(after).split("_")[0]) || 0;
}
