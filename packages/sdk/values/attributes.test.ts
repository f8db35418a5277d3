import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { attributeText, attributeValue } from "./attributes.ts";

for (const [text, value] of [
  ["7", 7],
  ["007", "007"],
  ["-7", "-7"],
  ["9007199254740992", "9007199254740992"],
  ["true", true],
  ["True", "True"],
  ['"7"', "7"],
  ['"', '"'],
  ["fire and ice", "fire and ice"],
] as const) {
  test(`mrc401 §19: the text ${text} is the value ${JSON.stringify(value)}`, () =>
    assert.equal(attributeValue(text), value));
}

test("mrc401 §19: the text of every value is read back as this value", () =>
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.boolean(), fc.maxSafeNat()), (value) =>
      assert.equal(attributeValue(attributeText(value)), value),
    ),
  ));
