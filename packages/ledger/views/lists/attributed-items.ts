import { type Database, Statements } from "../../database.ts";
import { attributeTable, type DocumentTable } from "../../state/entries.ts";
import { type Columns, DOCUMENT_AND_BESIDE } from "./indexed-rows.ts";
import type { Place } from "./list-page.ts";

/** By a page, so that rare ones cost no more. */
const EXAMINED_MAX = 1000;

export interface WantedAttributed {
  readonly table: Pick<DocumentTable<never>, "name">;
  readonly columns: Columns;
  readonly before: number | undefined;
  /** Ledger time: sales that ended by then are left out; undefined leaves out none. */
  readonly endAfter?: number | undefined;
}

/**
 * Newest first. Other filters have no indexes with attributes: a page ends early after so many
 * items. Source: chain §10.
 */
export class AttributedItems {
  readonly #statements: Statements;
  readonly #examinedMax: number;

  constructor(database: Database, examinedMax: number = EXAMINED_MAX) {
    this.#statements = new Statements(database);
    this.#examinedMax = examinedMax;
  }

  *places({
    table,
    columns: { project, attribute, ...others },
    before = Number.MAX_SAFE_INTEGER,
    endAfter,
  }: WantedAttributed): Generator<Place<string>> {
    const filters = Object.entries(others);
    const read = [...Object.keys(others), ...(endAfter === undefined ? [] : ["sell_end"])];
    const rows = this.#statements
      .prepare(
        `SELECT ${["found.number", ...read].join(", ")} FROM ${attributeTable(table)} AS found CROSS JOIN ${table.name} AS item ON item.number = found.number WHERE found.project = ? AND found.attribute = ? AND found.number < ? ORDER BY found.number DESC LIMIT ?`,
      )
      .iterate(project?.[0] ?? null, attribute?.[0] ?? null, before, this.#examinedMax);
    const document = this.#statements.prepare(
      `SELECT ${DOCUMENT_AND_BESIDE} AS text FROM ${table.name} WHERE number = ?`,
    );
    let examined = 0;
    for (const row of rows) {
      const number = row["number"] as number;
      const end = row["sell_end"];
      const passes =
        filters.every(([name, values]) => values.includes(row[name] as number)) &&
        !(endAfter !== undefined && typeof end === "number" && end <= endAfter);
      examined += 1;
      yield {
        at: number,
        entry: passes ? (document.get(number)?.["text"] as string) : undefined,
        endsPage: examined === this.#examinedMax,
      };
    }
  }
}
