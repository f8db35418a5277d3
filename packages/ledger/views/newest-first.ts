import { type Database, type Statement, Statements } from "../database.ts";
import { invariant } from "../invariant.ts";
import { type DocumentTable, indexName } from "../state/entries.ts";

/**
 * Documents of a table, by the columns of one of its indexes. Of a column several values may be
 * wanted, at least one.
 */
export interface Wanted {
  readonly table: Pick<DocumentTable<never>, "name" | "indexes">;
  readonly columns: { readonly [name: string]: readonly (string | number)[] };
  /** What is read of each: a column, `value` by default. */
  readonly text?: string;
  /**
   * The last column of the index, which is what they are ordered by: the row's number by default.
   */
  readonly order?: string;
  /** Only documents that come before the one with this number in that order. */
  readonly before: number | undefined;
  readonly limit: number;
}

/** A document, and where it stands in the order. */
export interface Place {
  readonly order: number;
  readonly text: string;
}

/** A page of a list. `cursor` is the number of the last document where there are more. */
export interface Page {
  /** JSON texts of the documents. */
  readonly items: readonly string[];
  readonly cursor: number | undefined;
}

/**
 * Pages through documents, the newest first. A document that is added meanwhile neither shifts nor
 * repeats others. Source: chain §10.
 */
export class NewestFirst {
  readonly #statements: Statements;

  constructor(database: Database) {
    this.#statements = new Statements(database);
  }

  page(wanted: Wanted): Page {
    return pageOf(this.places({ ...wanted, limit: wanted.limit + 1 }), wanted.limit);
  }

  /** A page of what `show` makes of each document. */
  pageShown(wanted: Wanted, show: (text: string) => string): Page {
    return pageOf(shown(this.places({ ...wanted, limit: wanted.limit + 1 }), show), wanted.limit);
  }

  /**
   * Each combination of the values that are wanted is looked up in the index by itself, which has
   * it in order already; so a page costs the same however many documents there are. The index is
   * named, so that a list without one of its own fails at once instead of getting slow some day.
   */
  *places({
    table,
    columns,
    text = "value",
    order = "number",
    before,
    limit,
  }: Wanted): Generator<Place> {
    const names = Object.keys(columns);
    const from = `${table.name} ${indexFor(table, names, order)}`;
    const where = [...names.map((name) => `${name} = ?`), `${order} < ?`].join(" AND ");
    const combinations = combinationsOf(names.map((name) => columns[name] ?? []));
    const prepared = (sql: string): Statement => this.#statements.prepare(sql);
    const lowest = before ?? Number.MAX_SAFE_INTEGER;
    const [values] = combinations;
    if (values !== undefined && combinations.length === 1) {
      const rows = prepared(
        `SELECT ${order} AS place, ${text} AS text FROM ${from} WHERE ${where} ORDER BY ${order} DESC LIMIT ?`,
      ).iterate(...values, lowest, limit);
      for (const row of rows) {
        yield { order: row["place"] as number, text: row["text"] as string };
      }
      return;
    }
    const found = prepared(
      unionOf(
        `SELECT number, ${order} AS place FROM ${from} WHERE ${where} ORDER BY ${order} DESC LIMIT ?`,
        combinations.length,
      ),
    ).all(...combinations.flatMap((each) => [...each, lowest, limit]), limit);
    // Looked up last, so that documents which are not shown are not read.
    const document = prepared(`SELECT ${text} AS text FROM ${table.name} WHERE number = ?`);
    for (const row of found) {
      const read = document.get(row["number"] as number);
      yield { order: row["place"] as number, text: read?.["text"] as string };
    }
  }
}

/** Where a page ends early. Source: chain §10. */
export const PAGE_BYTES_MAX = 4 << 20;

/**
 * A page of at most `limit` documents and, but for the first, 4 MiB. No more are read than it has,
 * and one that says that there are more.
 */
export function pageOf(places: Iterable<Place>, limit: number): Page {
  const items: string[] = [];
  let bytes = 0;
  let last: number | undefined;
  for (const { order, text } of places) {
    bytes += Buffer.byteLength(text);
    if (items.length === limit || (bytes > PAGE_BYTES_MAX && items.length > 0)) {
      return { items, cursor: last };
    }
    items.push(text);
    last = order;
  }
  return { items, cursor: undefined };
}

/** What `show` makes of documents, each when it is asked for. */
export function* shown(places: Iterable<Place>, show: (text: string) => string): Generator<Place> {
  for (const { order, text } of places) {
    yield { order, text: show(text) };
  }
}

/** The newest of several lists. */
function unionOf(one: string, count: number): string {
  const union = Array.from({ length: count }, () => `SELECT * FROM (${one})`).join(" UNION ALL ");
  return `SELECT number, place FROM (${union}) ORDER BY place DESC LIMIT ?`;
}

function indexFor(
  { name: table, indexes }: Wanted["table"],
  names: readonly string[],
  order: string,
): string {
  if (names.length === 0 && order === "number") {
    return "NOT INDEXED";
  }
  const last = order === "number" ? [] : [order];
  const index = indexes.find(
    (columns) =>
      columns.length === names.length + last.length &&
      [...names, ...last].every((name) => columns.includes(name)) &&
      last.every((name) => columns.at(-1) === name),
  );
  invariant(index !== undefined, `${table} has an index of ${names.join(", ")} by ${order}`);
  return `INDEXED BY ${indexName({ name: table }, index)}`;
}

/** Every way to take one value from each list. */
function combinationsOf(
  lists: readonly (readonly (string | number)[])[],
): readonly (readonly (string | number)[])[] {
  return lists.reduce<readonly (readonly (string | number)[])[]>(
    (combinations, values) =>
      combinations.flatMap((combination) => values.map((value) => [...combination, value])),
    [[]],
  );
}
