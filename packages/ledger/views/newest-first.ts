import { type Database, type Row, Statements } from "../database.ts";

/** Documents of a table, by the columns of one of its indexes. Of a column several values may be wanted, at least one. */
export interface Wanted {
  readonly table: string;
  readonly columns: { readonly [name: string]: readonly (string | number)[] };
  /** Only documents that came to be before the one with this number. */
  readonly before: number | undefined;
  readonly limit: number;
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

  /**
   * Each combination of the values that are wanted is looked up in the index by itself, which has it in order already; so a page costs the same
   * however many documents there are.
   */
  page({ table, columns, before, limit }: Wanted): Page {
    const names = Object.keys(columns);
    const where = names.map((name) => `${name} = ?`).join(" AND ") || "TRUE";
    const one = `SELECT * FROM (SELECT number, value FROM ${table} WHERE ${where} AND number < ? ORDER BY number DESC LIMIT ?)`;
    const combinations = combinationsOf(names.map((name) => columns[name] ?? []));
    const sql = `${combinations.map(() => one).join(" UNION ALL ")} ORDER BY number DESC LIMIT ?`;
    const rows = this.#statements
      .prepare(sql)
      .all(
        ...combinations.flatMap((values) => [
          ...values,
          before ?? Number.MAX_SAFE_INTEGER,
          limit + 1,
        ]),
        limit + 1,
      );
    const shown = rows.slice(0, limit);
    return {
      items: shown.map((row) => row["value"] as string),
      cursor: rows.length > limit ? numberOf(shown.at(-1)) : undefined,
    };
  }
}

function numberOf(row: Row | undefined): number | undefined {
  return row?.["number"] as number | undefined;
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
