import { type Database, type Row, wordsOf } from "./database.ts";
import { COMPARED_TABLES, type ComparedTable } from "./tables.ts";

export interface Difference {
  readonly table: string;
  /** The row that should be there or should not. */
  readonly row: string;
  readonly kind: "missing" | "unexpected";
}

/** The first row in which two databases differ. `onRow` gets the number of compared rows. */
export function firstDifference(
  served: Database,
  computed: Database,
  onRow: (compared: number) => void,
): Difference | undefined {
  let count = 0;
  for (const compared of COMPARED_TABLES) {
    const { table } = compared;
    const theirs = texts(served, compared);
    const ours = texts(computed, compared);
    for (;;) {
      const their = theirs.next();
      const our = ours.next();
      if (their.done === true && our.done === true) {
        break;
      }
      if (their.value !== our.value) {
        return our.done === true || our.value === undefined
          ? { table, row: String(their.value), kind: "unexpected" }
          : { table, row: our.value, kind: "missing" };
      }
      count += 1;
      onRow(count);
    }
  }
  return undefined;
}

function* texts(
  database: Database,
  { table, where, key, columns = "*" }: ComparedTable,
): Generator<string, undefined> {
  const rows =
    key === "words"
      ? wordsOf(database, table)
      : database.prepare(`SELECT ${columns} FROM ${table} ${where} ORDER BY ${key}`).iterate();
  for (const row of rows) {
    yield textOf(row);
  }
  return undefined;
}

function textOf(row: Row): string {
  return JSON.stringify(row, (_, value) =>
    value instanceof Uint8Array ? Buffer.from(value).toString("hex") : value,
  );
}
