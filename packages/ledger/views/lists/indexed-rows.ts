import type { Address } from "@moneta/protocol";
import { type Database, type Row, type Statement, Statements } from "../../database.ts";
import { invariant } from "../../invariant.ts";
import { type DocumentKind, type DocumentTable, indexName } from "../../state/entries.ts";
import { cellOf, pastListName, restored } from "../../state/tables/document-tables.ts";
import type { ListedPlace } from "../../state/tables/earlier-entries.ts";
import type { StateTables } from "../../state/tables/tables.ts";
import type { Place } from "./list-page.ts";
import { pastPlaces } from "./past-rows.ts";

export interface IndexedTable {
  readonly table: Pick<DocumentTable<never>, "name" | "indexes">;
  /** Column or SQL expression: `SHOWN_DOCUMENT` by default. */
  readonly text?: string;
  /** The index's last column, by default the row's number. */
  readonly order?: string;
  /** By default the highest do. */
  readonly ascending?: boolean;
  /** The table's primary key needs no index. */
  readonly isKey?: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: a list of any kind.
  readonly kind?: DocumentKind<any>;
}

/** SQL of a JSON array. Joins texts, because SQLite's functions would parse them. */
export const DOCUMENT_AND_BESIDE = "'[' || value || ',' || ifnull(beside, 'null') || ']'";

/** SQL, for kinds that store only `order` beside the document. */
export const SHOWN_DOCUMENT = "json_remove(value, '$.order')";

export type Columns = { readonly [name: string]: readonly (string | number)[] };

export interface WantedRows extends IndexedTable {
  readonly columns: Columns;
  readonly after: string | number;
  readonly from?: number | undefined;
  readonly limit: number;
}

/**
 * In the order of an index. A row added meanwhile neither shifts nor repeats others.
 * Source: chain §10.
 */
export class IndexedRows {
  readonly #statements: Statements;
  readonly #past: StateTables | undefined;

  constructor(database: Database, past?: StateTables) {
    this.#statements = new Statements(database);
    this.#past = past;
  }

  /**
   * Each combination is looked up in the index, in order: a page costs the same however many rows
   * there are. Naming the index makes a list without one fail at once.
   */
  *places(wanted: WantedRows): Generator<Place<string>> {
    if (this.#past !== undefined) {
      yield* this.#pastPlaces(wanted, this.#past);
      return;
    }
    const { table, columns, text = SHOWN_DOCUMENT, order = "number", after, from, limit } = wanted;
    const names = Object.keys(columns);
    const [beyond, direction] = wanted.ascending === true ? [">", ""] : ["<", " DESC"];
    const conditions = [...names.map((name) => `${name} = ?`), `${order} ${beyond} ?`];
    const bounds = from === undefined ? [after] : [after, from];
    const where = [...conditions, ...(from === undefined ? [] : [`${order} >= ?`])].join(" AND ");
    const found = `FROM ${table.name} ${indexFor(wanted, names)} WHERE ${where} ORDER BY ${order}${direction} LIMIT ?`;
    const combinations = combinationsOf(Object.values(columns));
    const [values] = combinations;
    if (values !== undefined && combinations.length === 1) {
      const rows = this.#statements
        .prepare(`SELECT ${order} AS place, ${text} AS text ${found}`)
        .iterate(...values, ...bounds, limit);
      for (const row of rows) {
        yield placeOf(row, row["text"]);
      }
      return;
    }
    const one = `SELECT * FROM (SELECT number, ${order} AS place ${found})`;
    const union = Array.from(combinations, () => one).join(" UNION ALL ");
    const rows = this.#statements
      .prepare(`SELECT number, place FROM (${union}) ORDER BY place${direction} LIMIT ?`)
      .all(...combinations.flatMap((each) => [...each, ...bounds, limit]), limit);
    // Looked up last, so that only shown documents are read.
    const document: Statement = this.#statements.prepare(
      `SELECT ${text} AS text FROM ${table.name} WHERE number = ?`,
    );
    for (const row of rows) {
      yield placeOf(row, document.get(row["number"] as number)?.["text"]);
    }
  }

  *#pastPlaces(wanted: WantedRows, tables: StateTables): Generator<Place<string>> {
    const { kind, columns, order = "number", ascending: isAscending = false, after } = wanted;
    const list = kind?.table.pastLists?.find(
      (one) => columns[one.column] !== undefined && one.order === order,
    );
    const [value, ...others] = list === undefined ? [] : (columns[list.column] ?? []);
    invariant(kind !== undefined && list !== undefined, "the list is shown as of earlier blocks");
    if (value === undefined) {
      return;
    }
    invariant(others.length === 0, "such a list is of one value");
    const numberOf = (address: Address): number | undefined => tables.addresses.numberOf(address);
    const { column } = list;
    const [beyond, direction] = isAscending ? [">", ""] : ["<", " DESC"];
    const index = isAscending || order !== "number" ? indexFor(wanted, [column]) : "";
    const sql = `SELECT ${order} AS place, key FROM ${kind.table.name} ${index} WHERE ${column} = ? AND ${order} ${beyond} ? ORDER BY ${order}${direction}`;
    yield* pastPlaces({
      ...{ tables, isAscending, after, limit: wanted.limit },
      name: pastListName(kind.table, column, value),
      current: this.#statements
        .prepare(sql)
        .iterate(value, after) as unknown as Iterable<ListedPlace>,
      read: ({ key }) => {
        const row = tables.documents.get(kind, key);
        if (row === undefined) {
          return undefined;
        }
        const entry = restored(kind, row, () => tables.documents.texts(kind, key));
        const isIn = Object.entries(columns).every(([name, values]) =>
          values.includes(cellOf(kind.table, name, entry, numberOf) ?? ""),
        );
        return !isIn ? undefined : wanted.text === "key" ? key : `[${row.value},${row.beside}]`;
      },
    });
  }
}

function placeOf({ place }: Row, text: unknown): Place<string> {
  return { at: place as string | number, entry: text as string };
}

function indexFor(
  { table, order = "number", isKey = order === "number" }: IndexedTable,
  names: readonly string[],
): string {
  if (names.length === 0 && isKey) {
    return "NOT INDEXED";
  }
  const last = isKey || names.includes(order) ? [] : [order];
  const index = table.indexes.find(
    (columns) =>
      columns.length === names.length + last.length &&
      [...names, ...last].every((name) => columns.includes(name)) &&
      last.every((name) => columns.at(-1) === name),
  );
  invariant(index !== undefined, `${table.name} has an index of ${names.join(", ")} by ${order}`);
  return `INDEXED BY ${indexName(table, index)}`;
}

function combinationsOf(
  lists: readonly (readonly (string | number)[])[],
): readonly (readonly (string | number)[])[] {
  return lists.reduce<readonly (readonly (string | number)[])[]>(
    (combinations, values) =>
      combinations.flatMap((combination) => values.map((value) => [...combination, value])),
    [[]],
  );
}
