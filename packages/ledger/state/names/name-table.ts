import type { Database, Statements } from "../../database.ts";
import { startOf, startsOf, wordsOf } from "./words.ts";

export const NAMED_KINDS = {
  ...{ token: 0, project: 1, item: 2, unitItem: 3 },
  ...{ attribute: 4, groupid: 5 },
} as const;

export type NamedKind = keyof typeof NAMED_KINDS;

/** Named by a text of the project's items, while one of them has it. */
export type KindInProject = "attribute" | "groupid";

export interface NamesOf<V> {
  readonly kind: Exclude<NamedKind, KindInProject>;
  number(value: V): number;
  readonly from: readonly string[];
  of(value: V): readonly string[];
}

export const NAME_TABLE = {
  table: "name",
  key: "kind, start, number, text",
  columns: "*",
} as const;

export function createNameTable(database: Database): void {
  database.exec(`
    CREATE TABLE IF NOT EXISTS name (
      kind INTEGER NOT NULL,
      -- The name from one of its words on, as words are compared.
      start TEXT NOT NULL,
      -- Of the token, or the row of the project or item; of an attribute or a group, the project.
      number INTEGER NOT NULL,
      -- The attribute, as "level:7", or the group; empty for others.
      text TEXT NOT NULL,
      PRIMARY KEY (kind, start, number, text)
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
    const place = { kind: named.kind, number: named.number(after), text: "" } as const;
    removeStarts(statements, place, had.difference(starts));
    insertStarts(statements, place, starts.difference(had));
  }
}

interface NamePlace {
  readonly kind: NamedKind;
  readonly number: number;
  readonly text: string;
}

function insertStarts(
  statements: Statements,
  { kind, number, text }: NamePlace,
  starts: Iterable<string>,
): void {
  const insert = statements.prepare("INSERT OR IGNORE INTO name VALUES (?, ?, ?, ?)");
  for (const start of starts) {
    const { changes } = insert.run(NAMED_KINDS[kind], start, number, text);
    if (changes === 0) {
      // Another item has the same text: all its starts are there.
      return;
    }
  }
}

function removeStarts(
  statements: Statements,
  { kind, number, text }: NamePlace,
  starts: Iterable<string>,
): void {
  const remove = statements.prepare(
    "DELETE FROM name WHERE kind = ? AND start = ? AND number = ? AND text = ?",
  );
  for (const start of starts) {
    remove.run(NAMED_KINDS[kind], start, number, text);
  }
}

export interface NameInProject {
  readonly kind: KindInProject;
  readonly project: number;
  readonly text: string;
}

export function addNameInProject(
  statements: Statements,
  { kind, project, text }: NameInProject,
): void {
  insertStarts(statements, { kind, number: project, text }, STARTS_IN_PROJECT[kind](text));
}

export function removeNameInProject(
  statements: Statements,
  { kind, project, text }: NameInProject,
): void {
  removeStarts(statements, { kind, number: project, text }, STARTS_IN_PROJECT[kind](text));
}

const STARTS_IN_PROJECT = {
  attribute: attributeStarts,
  groupid: (name: string) => new Set(startsOf(name)),
} as const satisfies Record<KindInProject, (text: string) => ReadonlySet<string>>;

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
