import assert from "node:assert/strict";
import { test } from "node:test";
import { RECORD_TYPES } from "@moneta/protocol";
import { typesOf } from "./testing/catalogue.ts";

test("chain §9: the types of records are those of the catalogue", () => {
  const sections = ["ledger", "tokens", "items", "units"] as const;
  const types = new Set(sections.flatMap((section) => [...typesOf(section)]));
  assert.deepEqual([...RECORD_TYPES].sort(), [...types].sort());
});
