import assert from "node:assert/strict";
import { test } from "node:test";
import { RECORD_TYPES } from "@moneta/protocol";
import { typesOf } from "./testing/catalogue.ts";

test("chain §9: each type of record is in one section of the catalogue, and every section has some", () => {
  const sections = [
    ...(["ledger", "authority", "grants", "tokens", "items", "units", "protocols"] as const),
  ];
  const types = sections.map((section) => [...typesOf(section)]);
  assert.deepEqual(types.flat().sort(), [...RECORD_TYPES].sort());
  assert.ok(types.every(({ length }) => length > 0));
});
