import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { DERIVED_OPERATIONS, OPERATIONS, READS, signersOf } from "@moneta/protocol";
import { Actor, Moneta } from "./index.ts";
import { formattedApi } from "./making/formatted-api.ts";

test("api.ts is what the descriptions make: npm run api writes it", () => {
  const written = readFileSync(new URL("./api.ts", import.meta.url), "utf8");
  assert.equal(written, formattedApi());
});

for (const description of [...OPERATIONS, ...DERIVED_OPERATIONS, ...READS]) {
  const { name, kind } = description;
  test(`${name} can be called`, () => {
    // What several sign comes signed.
    const owner: object = signersOf(description).length === 1 ? Actor.prototype : Moneta.prototype;
    assert.equal(typeof (owner as Record<string, unknown>)[name], "function", kind);
  });
}
