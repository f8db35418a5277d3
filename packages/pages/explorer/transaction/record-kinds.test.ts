import assert from "node:assert/strict";
import { test } from "node:test";
import { RECORD_TYPES } from "@moneta/sdk";
import { RECORD_FORMS } from "../../../protocol/records/record-types.ts";
import { en } from "../../texts/en.ts";
import { RECORD_KINDS, recordKind, typesOfKind } from "./record-kinds.ts";

test("every type that a history of an address has belongs to one kind, and no other type does", () => {
  for (const type of RECORD_TYPES) {
    const isInHistories = RECORD_FORMS[type].some(({ filed }) => filed.M ?? filed.A);
    assert.equal(recordKind(type) !== undefined, isInHistories, type);
  }
  const all = Object.values(RECORD_KINDS).flat();
  assert.equal(new Set(all).size, all.length);
});

test("every kind has a name and no more types than a list takes", () => {
  for (const [kind, types] of Object.entries(RECORD_KINDS)) {
    assert.ok(types.length <= 20, kind);
    assert.ok(Object.hasOwn(en.explorer.records.kinds, kind), kind);
    assert.equal(typesOfKind(kind), types.join(","));
  }
  assert.equal(typesOfKind("constructor"), undefined);
});
