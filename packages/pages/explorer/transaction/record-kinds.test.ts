import assert from "node:assert/strict";
import { test } from "node:test";
import { RECORD_TYPES, recordKind } from "@moneta/sdk";
import { en } from "../../texts/en.ts";
import { typesOfKind } from "./record-kinds.ts";

test("every kind that a filter names has types, and every kind of types is in the filter", () => {
  const kinds = RECORD_TYPES.map(recordKind).filter((kind) => kind !== undefined);
  assert.deepEqual([...new Set(kinds)].sort(), Object.keys(en.explorer.records.kinds).sort());
  for (const kind of kinds) {
    const types = RECORD_TYPES.filter((type) => recordKind(type) === kind);
    assert.equal(typesOfKind(kind), types.join(","));
  }
  assert.equal(typesOfKind("constructor"), undefined);
});
