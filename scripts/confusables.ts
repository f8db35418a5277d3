// node scripts/confusables.ts FILE: makes packages/sdk/values/confusables.ts from Unicode's
// confusables.txt.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { skeletonOf } from "../packages/sdk/look-alike.ts";

const LINE_UNITS = 80;

const [, , file = ""] = process.argv;
const text = readFileSync(file, "utf8");
const [, version] = /^# Version: ([0-9.]+)/m.exec(text) ?? [];
const characters = (codes: string): string =>
  String.fromCodePoint(
    ...codes
      .trim()
      .split(" ")
      .map((code) => Number.parseInt(code, 16)),
  );
const all = new Map(
  [...text.matchAll(/^([0-9A-F]+) ;\t([0-9A-F ]+) ;/gm)].map(([, from = "", to = ""]) => [
    characters(from),
    characters(to),
  ]),
);

const needed = new Map(all);
for (const [from, to] of all) {
  needed.delete(from);
  if (skeletonOf(from, needed) !== skeletonOf(from, all)) {
    needed.set(from, to);
  }
}
for (const from of all.keys()) {
  if (skeletonOf(from, needed) !== skeletonOf(from, all)) {
    throw new Error(`${from} needs an entry that was left out`);
  }
}

const byPrototype = Map.groupBy([...needed], ([, to]) => to);
const words = [...byPrototype].flatMap(([to, entries]) => [
  to,
  entries.map(([from]) => from).join(""),
]);
const lines: string[] = [];
for (const word of words) {
  const line = lines.at(-1);
  if (line === undefined || line.length > LINE_UNITS) {
    lines.push(word);
  } else {
    lines[lines.length - 1] = `${line} ${word}`;
  }
}
/** Characters that an editor does not show alone and from left to right are escaped. */
const literal = (line: string): string =>
  JSON.stringify(line).replaceAll(
    /[^\p{L}\p{N}\p{P}\p{S} ]|[\p{Default_Ignorable_Code_Point}\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
writeFileSync(
  fileURLToPath(new URL("../packages/sdk/values/confusables.ts", import.meta.url)),
  `// Written by scripts/confusables.ts from confusables.txt of Unicode ${version}.
// Copyright (c) 1991-2026 Unicode, Inc. Unicode License v3.

/** A prototype, then the characters that look like it, and so on, with blanks between them. */
export const CONFUSABLES: string = [
${lines.map((line) => `  ${literal(line)},`).join("\n")}
].join(" ");
`,
);
