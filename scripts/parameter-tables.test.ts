import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import {
  type AnyOperation,
  type AnyRead,
  DERIVED_OPERATIONS,
  OPERATIONS,
  type Parameter,
  READS,
} from "@moneta/protocol";

// The parameter tables of the specification and the descriptions say the same: names, other names,
// which are required, and bounds. Whatever is made from a description is thereby checked against the
// chapter, too.

const CHAPTERS = new URL("../docs/specification/", import.meta.url);

interface Row {
  readonly chapter: string;
  readonly description: AnyOperation | AnyRead;
  /** Whether no table before it has parameters of this operation. */
  readonly isOfFirstTable: boolean;
  /** Whether another operation of the heading has the parameter. */
  readonly isOfAnother: boolean;
  readonly name: string;
  readonly otherNames: readonly string[];
  readonly type: string;
  readonly required: string;
  readonly bounds: string;
}

const DESCRIPTIONS = new Map(
  [...OPERATIONS, ...DERIVED_OPERATIONS, ...READS].flatMap((one: AnyOperation | AnyRead) =>
    [one.route, ...(one.otherRoutes ?? []), one.sharedRoute?.route].map(
      (route): [string, AnyOperation | AnyRead] => [String(route), one],
    ),
  ),
);

const ROWS: readonly Row[] = readdirSync(CHAPTERS)
  .filter((name) => name.endsWith(".md") && name !== "interface.md")
  .flatMap((name) => rowsOf(name, readFileSync(new URL(name, CHAPTERS), "utf8")));

/** The rows of all parameter tables that stand below a heading with routes. */
function rowsOf(chapter: string, text: string): readonly Row[] {
  const seen = new Set<string>();
  return text.split(/^(?=#{2,3} )/m).flatMap((section) => {
    const [heading = ""] = section.split("\n", 1);
    const [, columns = "", table] =
      /^(\| Name[^\n]*\| Bounds[^\n]*)\n\|[-| ]+\n((?:\|.*\n)+)/m.exec(section) ?? [];
    return table === undefined
      ? []
      : descriptionsIn(heading).flatMap((description, _, all) => {
          const isOfFirstTable = !seen.has(description.name);
          seen.add(description.name);
          return table
            .trim()
            .split("\n")
            .flatMap((line) => rowsIn(line, cellsOf(columns)))
            .map((row) => ({
              ...row,
              chapter,
              description,
              isOfFirstTable,
              isOfAnother: all.some(({ parameters }) => row.name in parameters),
            }));
        });
  });
}

function descriptionsIn(heading: string): readonly (AnyOperation | AnyRead)[] {
  const routes = heading.matchAll(/(GET|POST|PUT) (\/[^\s,]*)/g);
  return [...new Set([...routes].map(([route]) => DESCRIPTIONS.get(route)))].filter(
    (description) => description !== undefined,
  );
}

function cellsOf(line: string): readonly string[] {
  return line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim());
}

/**
 * A line of a table has several names if their types or bounds are in the same order. Without a column
 * *Required* a parameter is required if it has a type and no default.
 */
function rowsIn(
  line: string,
  columns: readonly string[],
): Pick<Row, "name" | "otherNames" | "type" | "required" | "bounds">[] {
  const cells = cellsOf(line);
  const cell = (column: string): string | undefined => cells[columns.indexOf(column)];
  const [names = "", type = ""] = cells;
  const bounds = cell("Bounds") ?? "";
  const standard = cell("Default") ?? "";
  const isOpen = type === "" || standard.includes("required");
  const required = cell("Required") ?? (isOpen ? "" : standard === "" ? "yes" : "no");
  const [, also = ""] = /\((?:[^)]*; )?also ([^)]+)\)/.exec(names) ?? [];
  const all = names
    .replaceAll(/\([^)]*\)/g, "")
    .split(", ")
    .map((name) => name.trim());
  const each = (cell: string, at: number): string => {
    const parts = cell.split(", ");
    return parts.length === all.length ? (parts[at] ?? "") : cell;
  };
  return all
    .filter((name) => /^\w+$/.test(name))
    .map((name, at) => ({
      name,
      otherNames: all.length === 1 && also !== "" ? also.split(/, | or /) : [],
      type: each(type, at),
      required,
      bounds: each(bounds, at),
    }));
}

test("the chapters have tables of most operations", () => {
  const names = new Set(ROWS.map(({ description }) => description.name));
  assert.ok(
    names.size >= 30 && ROWS.length >= 200,
    `${names.size} operations, ${ROWS.length} rows`,
  );
});

test("each parameter of a chapter's table is one of the description, with its other names and bounds", () => {
  assert.deepEqual(ROWS.flatMap(differences), []);
});

function differences(row: Row): readonly string[] {
  const { chapter, description, name, otherNames, required, isOfFirstTable } = row;
  const parameter: Parameter<unknown> | undefined = description.parameters[name];
  const place = `${chapter} ${description.name}.${name}`;
  if (parameter === undefined) {
    return row.isOfAnother ? [] : [`${place}: the description lacks it`];
  }
  const { aliases, optional } = parameter;
  // Which parameters are required may depend on the form of the request.
  const isFixed = isOfFirstTable && description.checkMissing === undefined;
  return [
    ...otherNames
      .filter((other) => !aliases.includes(other))
      .map((other) => `${place}: the description lacks the name ${other}`),
    ...aliases
      // Conventions §1.8 has this name for all operations.
      .filter((other) => other !== "itemdata[]" && required !== "" && !otherNames.includes(other))
      .map((other) => `${place}: the chapter lacks the name ${other}`),
    ...(isFixed && required === "yes" && optional ? [`${place} is optional`] : []),
    ...(required === "no" && !optional ? [`${place} is required`] : []),
    ...boundsOf(row)
      .filter(({ isAccepted, text }) => isAccepted !== accepts(parameter, text, name))
      .map(
        ({ isAccepted, text }) =>
          `${place} ${isAccepted ? "refuses" : "accepts"} ${text.length > 60 ? `${text.length} characters` : text}`,
      ),
  ];
}

function accepts(parameter: Parameter<unknown>, text: string, name: string): boolean {
  const value = parameter.read(text, name);
  if (parameter.cutAt !== undefined) {
    return value === text;
  }
  return !(typeof value === "object" && value !== null && "fault" in value);
}

interface Bound {
  readonly text: string;
  readonly isAccepted: boolean;
}

function boundsOf({ type, bounds }: Row): readonly Bound[] {
  const [, from, to] = /^(\d+) to (10\^40|\d+)\b/.exec(bounds) ?? [];
  const [, upTo = to] = /^(?:up to|first) (\d+)\b/.exec(bounds) ?? [];
  if (/×|digits/.test(bounds)) {
    return [];
  }
  if (/^(integer|quantity)/.test(type) && from !== undefined && to !== undefined) {
    const max = to === "10^40" ? 10n ** 40n : BigInt(to);
    return [
      { text: from, isAccepted: true },
      ...(from === "0" ? [] : [{ text: String(BigInt(from) - 1n), isAccepted: false }]),
      { text: String(max), isAccepted: true },
      { text: String(max + 1n), isAccepted: false },
    ];
  }
  if (/^(text|URL)/.test(type) && upTo !== undefined) {
    const ofLength = (length: number): string =>
      type.startsWith("URL") ? "https://a.example/".padEnd(length, "a") : "a".repeat(length);
    return [
      { text: ofLength(Number(upTo)), isAccepted: true },
      { text: ofLength(Number(upTo) + 1), isAccepted: false },
    ];
  }
  return [];
}
