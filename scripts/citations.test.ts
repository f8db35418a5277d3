// Sections of the specification that code and documentation cite are there.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const SPECIFICATION = join(ROOT, "docs", "specification");
const LEFT_OUT = /(^|\/)(node_modules|data|dist|coverage|results|\.git)(\/|$)/;

/**
 * Sections of a chapter by number: `8` for a heading, `8.3` for a heading or for item 3 of section
 * 8.
 */
function sectionsOf(chapter: string): ReadonlySet<string> {
  const sections = new Set<string>();
  let section = "";
  for (const line of readFileSync(join(SPECIFICATION, chapter), "utf8").split("\n")) {
    const heading = /^#{2,3} ([0-9]+(?:\.[0-9]+)?) /.exec(line)?.[1];
    const item = /^([0-9]+)\. /.exec(line)?.[1];
    if (heading !== undefined) {
      section = heading;
      sections.add(heading);
    } else if (item !== undefined) {
      sections.add(`${section}.${item}`);
    }
  }
  return sections;
}

const chapters = new Map(
  readdirSync(SPECIFICATION)
    .filter((file) => !["README.md", "interface.md"].includes(file))
    .map((file) => [file.replace(".md", ""), sectionsOf(file)]),
);

/** Numbers of the rows in a section of a chapter; none of a chapter that does not exist. */
function rowsOf(chapter: string, section: string): ReadonlySet<string> {
  const file = join(SPECIFICATION, `${chapter}.md`);
  const text = chapters.has(chapter) ? readFileSync(file, "utf8") : "";
  const [, body = ""] = new RegExp(`^## ${section} (.*?)(?=^## |(?![^]))`, "ms").exec(text) ?? [];
  const rows = [...body.matchAll(/^```rows\n(.*?)^```/gms)].flatMap(([, lines = ""]) =>
    [...lines.matchAll(/^[0-9]+/gm)].map(([number]) => number),
  );
  return new Set(rows);
}

const NUMBER = String.raw`[0-9]+(?:\.[0-9]+)?`;
const CITATION = new RegExp(
  String.raw`\b(${[...chapters.keys()].join("|")}) §(${NUMBER}(?:(?:, | to | and )§${NUMBER})*)`,
  "g",
);

const files = readdirSync(ROOT, { recursive: true, encoding: "utf8" })
  .filter((file) => /\.(ts|mjs|py|md)$/.test(file) && !LEFT_OUT.test(file))
  .map((file) => join(ROOT, file));

test("every section of the specification that is cited exists", () => {
  let citations = 0;
  const missing: string[] = [];
  for (const file of files) {
    for (const [, chapter = "", numbers = ""] of readFileSync(file, "utf8").matchAll(CITATION)) {
      for (const number of numbers.matchAll(new RegExp(NUMBER, "g"))) {
        citations += 1;
        if (!chapters.get(chapter)?.has(number[0])) {
          missing.push(`${relative(ROOT, file)}: ${chapter} §${number[0]}`);
        }
      }
    }
  }
  assert.ok(citations > 1000, `${citations} citations`);
  assert.deepEqual([...new Set(missing)], []);
});

test("every row of the specification that is cited exists", () => {
  let citations = 0;
  const missing: string[] = [];
  for (const file of files) {
    for (const [citation, chapter = "", section = "", row = ""] of readFileSync(
      file,
      "utf8",
    ).matchAll(/\b([a-z]\w*) §([0-9]+),? rows? ([0-9]+)/g)) {
      citations += 1;
      if (!rowsOf(chapter, section).has(row)) {
        missing.push(`${relative(ROOT, file)}: ${citation}`);
      }
    }
  }
  assert.ok(citations > 50, `${citations} citations`);
  assert.deepEqual(missing, []);
});

test("no comment cites what a reader of the repository does not have", () => {
  const unreachable = files.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/Source: [^.\n]*\b(issue|design)\b[^.\n]*/g)].map(
      ([citation]) => `${relative(ROOT, file)}: ${citation}`,
    ),
  );
  assert.deepEqual(unreachable, []);
});
