import type { Database, Statements } from "../../database.ts";
import { startOf, startsOf, wordsOf } from "./words.ts";

export const NAMED_KINDS = { token: 0, project: 1, item: 2, unitItem: 3, attribute: 4 } as const;

export type NamedKind = keyof typeof NAMED_KINDS;

export interface NamesOf<V> {
  readonly kind: Exclude<NamedKind, "attribute">;
  number(value: V): number;
  readonly from: readonly string[];
  of(value: V): readonly string[];
}

export const NAME_TABLE = {
  table: "name",
  key: "kind, start, number, attribute",
  columns: "*",
} as const;

export function createNameTable(database: Database): void {
  database.exec(`
    CREATE TABLE IF NOT EXISTS name (
      kind INTEGER NOT NULL,
      -- The name from one of its words on, as words are compared.
      start TEXT NOT NULL,
      -- Of the token, or the row of the project or item; of an attribute, the project.
      number INTEGER NOT NULL,
      -- "level:7", or empty.
      attribute TEXT NOT NULL,
      PRIMARY KEY (kind, start, number, attribute)
    ) STRICT, WITHOUT ROWID;
  `);
}

export function saveNames<V>(
  statements: Statements,
  named: NamesOf<V>,
  before: V | undefined,
  after: V,
): void {
  const [was, is] = [before, after] as (Readonly<Record<string, unknown>> | undefined)[];
  if (was !== undefined && named.from.every((member) => was[member] === is?.[member])) {
    return;
  }
  const names = named.of(after);
  const earlier = before === undefined ? [] : named.of(before);
  if (names.join("\n") !== earlier.join("\n")) {
    const starts = new Set(names.flatMap(startsOf));
    const had = new Set(earlier.flatMap(startsOf));
    const place = { kind: named.kind, number: named.number(after), attribute: "" } as const;
    removeStarts(statements, place, had.difference(starts));
    insertStarts(statements, place, starts.difference(had));
  }
}

interface NamePlace {
  readonly kind: NamedKind;
  readonly number: number;
  readonly attribute: string;
}

function insertStarts(
  statements: Statements,
  { kind, number, attribute }: NamePlace,
  starts: Iterable<string>,
): void {
  const insert = statements.prepare("INSERT OR IGNORE INTO name VALUES (?, ?, ?, ?)");
  for (const start of starts) {
    insert.run(NAMED_KINDS[kind], start, number, attribute);
  }
}

function removeStarts(
  statements: Statements,
  { kind, number, attribute }: NamePlace,
  starts: Iterable<string>,
): void {
  const remove = statements.prepare(
    "DELETE FROM name WHERE kind = ? AND start = ? AND number = ? AND attribute = ?",
  );
  for (const start of starts) {
    remove.run(NAMED_KINDS[kind], start, number, attribute);
  }
}

export function addAttributeName(statements: Statements, project: number, attribute: string): void {
  const place = { kind: "attribute", number: project, attribute } as const;
  insertStarts(statements, place, attributeStarts(attribute));
}

export function removeAttributeName(
  statements: Statements,
  project: number,
  attribute: string,
): void {
  const place = { kind: "attribute", number: project, attribute } as const;
  removeStarts(statements, place, attributeStarts(attribute));
}

const OWN_WORDS = /^(?:name|description):/;

/** Of "hair:dark red": from its name on, and from a distinctive value on. */
function attributeStarts(attribute: string): ReadonlySet<string> {
  if (OWN_WORDS.test(attribute)) {
    return new Set();
  }
  const value = attribute.slice(attribute.indexOf(":") + 1);
  const saysSomething = /\p{L}/u.test(value) && value !== "true" && value !== "false";
  const texts = [attribute, ...(saysSomething ? [value] : [])];
  return new Set(texts.map((text) => startOf(wordsOf(text))));
}
