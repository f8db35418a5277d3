import { type AnyListRead, Refused, refuse } from "@moneta/protocol";
import { type Database, Statements } from "../../database.ts";
import { invariant } from "../../invariant.ts";
import type { DocumentTable } from "../../state/entries.ts";
import type { StateTables } from "../../state/tables/tables.ts";
import { AttributedItems } from "./attributed-items.ts";
import { type Columns, IndexedRows } from "./indexed-rows.ts";
import { ItemsNewestFirst } from "./items-newest-first.ts";
import { type Filter, type Selection, select } from "./list-filters.ts";
import { type Page, type Place, pageOf, type Weighed } from "./list-page.ts";
import type { ListedLedger } from "./listed-ledger.ts";
import { OpenListings } from "./open-listings.ts";
import { TokenHolders } from "./token-holders.ts";

export interface Wanted extends Selection {
  readonly after: string | number | undefined;
  readonly limit: number;
  readonly order: Order;
}

type Order = "new" | "end" | "price" | "balance";

export type Search<E> = (wanted: Wanted, lists: ListView) => Iterable<Place<E>>;

/** It may continue in a later turn where it yields. */
export type SearchInTurns<E> = (
  wanted: Wanted,
  lists: ListView,
) => Generator<undefined, Iterable<Place<E>>>;

export type Show<E> = (
  lists: ListView,
  values: Readonly<Record<string, unknown>>,
) => (entry: E) => string | Weighed;

export interface OpenOrders {
  readonly table: Pick<DocumentTable<never>, "name">;
  /** Column or SQL expression: `value` by default. */
  readonly text?: string;
  /** Values of open auctions, by end or bidder. */
  readonly auctions: { readonly [column: string]: string };
  /** Values of open offers, by price. */
  readonly offers: { readonly [column: string]: string };
  /** Prices cannot be compared without these parameters; their columns. */
  readonly pricedIn: { readonly [parameter: string]: string };
}

export interface List {
  readonly read: AnyListRead;
  /** Parameters without a filter select nothing. */
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

export class ListView {
  readonly reader: ListedLedger;
  readonly statements: Statements;
  readonly past: StateTables | undefined;
  readonly rows: IndexedRows;
  readonly items: ItemsNewestFirst;
  readonly attributed: AttributedItems;
  readonly holders: TokenHolders;
  readonly #open: OpenListings;

  /** For tests: the most that a turn or page searches. */
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
   * It may continue in a later turn where it yields. Refused with 1000 for prices without their
   * tokens; 3090, 4001, 6001 or 6004 for a missing object.
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

export function numberBehind(after: Wanted["after"]): number | undefined {
  // Only a checksum of its filters protects a cursor: it may have any text.
  return after === undefined ? undefined : Number(String(after).split("_")[0]) || 0;
}
