import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { recordTypesPage } from "./record-types-page.ts";

test("docs/record-types.md is what the forms of records make: npm run record-types writes it", () => {
  const written = readFileSync(new URL("../docs/record-types.md", import.meta.url), "utf8");
  assert.equal(written, recordTypesPage());
});
