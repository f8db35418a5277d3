// The steps of "How to add an operation" in CONTRIBUTING.md hold for every operation.
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { isSigned, OPERATIONS } from "@moneta/protocol";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const [, section = ""] = readFileSync(join(ROOT, "CONTRIBUTING.md"), "utf8").split(
  /^## How to add an operation$/m,
);
const [list = ""] = section.split(/^## /m);

/** The places that each step names: paths, with placeholders. */
const steps = list
  .split(/^(?=\d+\. )/m)
  .filter((step) => /^\d+\. /.test(step))
  .map((step) => [...step.matchAll(/`([\w<>*./-]+\/[\w<>*./-]+)`/g)].map(([, path]) => path ?? ""));

const texts = new Map<string, string>();

function textOf(file: string): string {
  const text = texts.get(file) ?? readFileSync(join(ROOT, file), "utf8");
  texts.set(file, text);
  return text;
}

const described = new Map(
  globSync("packages/protocol/operations/*/*.ts", { cwd: ROOT })
    .filter((file) => !file.endsWith(".test.ts"))
    .flatMap((file) =>
      [...textOf(file).matchAll(/^export const (\w+) = (?:co)?signedOperation\(/gm)].map(
        ([, name = ""]) => [name, file] as const,
      ),
    ),
);

test("there are nine steps, each of which names a place", () => {
  assert.equal(steps.length, 9);
  assert.deepEqual(
    steps.filter((places) => places.length === 0),
    [],
  );
});

test("the steps are followed for every signed operation", () => {
  assert.equal(described.size, OPERATIONS.filter(isSigned).length);
});

for (const [constant, file] of described) {
  const [, chapter = ""] = /Source: (\w+) §/.exec(textOf(file)) ?? [];
  const [, own = ""] = textOf(file).split(`const ${constant} = `);
  const [, wire] = /\bname: "(\w+)"/.exec(own) ?? [];
  const [, route] = /\broute: "\w+ ([^"{]+?)\/?(?:\{|")/.exec(own) ?? [];
  const inCode = new RegExp(`\\b${constant}(?:Rule)?\\b|"${wire}"|\\b${wire}\\(`);
  const inTexts = new RegExp(`[^\\w/]${route}(?![\\w-])|_${wire}\\b`);

  /**
   * Whether one of the files that a place means names the operation: its constant, its name on the
   * wire or its route, a record of it, or in the name of a test.
   */
  const isNamedAt = (place: string): boolean =>
    globSync(
      place
        .replace("<room>", basename(dirname(file)))
        .replace("<name>", basename(file, ".ts"))
        .replace("<chapter>", chapter)
        .replaceAll(/<\w+>/g, "*"),
      { cwd: ROOT },
    ).some(
      (one) =>
        basename(one) === `${basename(file, ".ts")}.test.ts` ||
        (!one.endsWith(".md") && inCode.test(textOf(one))) ||
        (/\.(md|test\.ts)$/.test(one) && inTexts.test(textOf(one))),
    );

  test(`every place of the steps names ${wire}`, () => {
    assert.ok(wire !== undefined && route !== undefined, file);
    // Every rule has a test beside it; not every operation has one that is about HTTP.
    const missing = steps.flatMap((places, index) =>
      places
        .filter((place) => !place.startsWith("packages/node/http/"))
        .filter((place) => !isNamedAt(place))
        .map((place) => `step ${index + 1}: ${place}`),
    );
    assert.deepEqual(missing, []);
  });
}
