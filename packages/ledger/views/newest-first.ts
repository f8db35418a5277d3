import { type Database, Statements } from "../database.ts";
import { invariant } from "../invariant.ts";
import { type DocumentTable, indexName } from "../state/entries.ts";

/** Documents of a table, by the columns of one of its indexes. Of a column several values may be wanted, at least one. */
export interface Wanted {
  readonly table: Pick<DocumentTable<never>, "name" | "indexes">;
  readonly columns: { readonly [name: string]: readonly (string | number)[] };
  /** What is read of each: a column, `value` unless told. */
  readonly text?: string;
  /** The last column of the index, which is what they are ordered by: the row's number unless told. */
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

/** Pages through documents, the newest first. A document that is added meanwhile neither shifts nor repeats others. Source: chain §10. */
export class NewestFirst {
  readonly #statements: Statements;

  constructor(database: Database) {
    this.#statements = new Statements(database);
  }

  page(wanted: Wanted): Page {
    return pageOf(this.places({ ...wanted, limit: wanted.limit + 1 }), wanted.limit);
  }

  /**
   * Each combination of the values that are wanted is looked up in the index by itself, which has it in order already; so a page costs the same
   * however many documents there are. The index is named, so that a list without one of its own fails at once instead of getting slow some day.
   */
  places({ table, columns, text = "value", order = "number", before, limit }: Wanted): Place[] {
    const names = Object.keys(columns);
    const from = `${table.name} ${indexFor(table, names, order)}`;
    const where = [...names.map((name) => `${name} = ?`), `${order} < ?`].join(" AND ");
    const combinations = combinationsOf(names.map((name) => columns[name] ?? []));
    const sql =
      combinations.length === 1
        ? `SELECT ${order} AS place, ${text} AS text FROM ${from} WHERE ${where} ORDER BY ${order} DESC LIMIT ?`
        : unionOf(
            `SELECT number, ${order} AS place FROM ${from} WHERE ${where} ORDER BY ${order} DESC LIMIT ?`,
            combinations.length,
            { table: table.name, text },
          );
    const rows = this.#statements
      .prepare(sql)
      .all(
        ...combinations.flatMap((values) => [...values, before ?? Number.MAX_SAFE_INTEGER, limit]),
        ...(combinations.length === 1 ? [] : [limit]),
      );
    return rows.map((row) => ({ order: row["place"] as number, text: row["text"] as string }));
  }
}

/** A page of `limit` documents, where one more has been looked for. */
export function pageOf(places: readonly Place[], limit: number): Page {
  const shown = places.slice(0, limit);
  return {
    items: shown.map(({ text }) => text),
    cursor: places.length > limit ? shown.at(-1)?.order : undefined,
  };
}

/** The newest of several lists. Documents are looked up last, so that those which are not shown are not read. */
function unionOf(
  one: string,
  count: number,
  { table, text }: { readonly table: string; readonly text: string },
): string {
  const union = Array.from({ length: count }, () => `SELECT * FROM (${one})`).join(" UNION ALL ");
  return `SELECT found.place, document.${text} AS text
    FROM (SELECT number, place FROM (${union}) ORDER BY place DESC LIMIT ?) AS found
    CROSS JOIN ${table} AS document ON document.number = found.number
    ORDER BY found.place DESC`;
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
