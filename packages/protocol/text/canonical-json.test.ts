import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { anyText } from "../testing/any-text.ts";
import { canonicalJson, type Json } from "./canonical-json.ts";

/** RFC 8785 without a thought for speed. */
function naive(value: Json): string {
  if (typeof value !== "object" || value === null) {
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) {
    return `[${value.map(naive).join(",")}]`;
  }
  const members = Object.entries(value as Readonly<Record<string, Json>>);
  members.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${naive(member)}`).join(",")}}`;
}

function jsonValues(): fc.Arbitrary<Json> {
  return fc.letrec<{ readonly value: Json }>((tie) => ({
    value: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      anyText(),
      fc.maxSafeNat(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie("value")),
      fc.dictionary(
        fc.oneof(anyText(), fc.string({ maxLength: 1 }), fc.nat(20).map(String)),
        tie("value"),
      ),
    ),
  })).value;
}

test("agrees with sorting and printing every object by itself", () =>
  fc.assert(
    fc.property(jsonValues(), (value) => assert.equal(canonicalJson(value), naive(value))),
  ));

test("does not depend on the order in which members were set", () =>
  fc.assert(
    fc.property(fc.dictionary(fc.string(), jsonValues()), (object) => {
      const reversed = Object.fromEntries(Object.entries(object).reverse());
      assert.equal(canonicalJson(reversed), canonicalJson(object));
    }),
  ));

for (const [name, value] of [
  ["a negative number", -1],
  ["a fraction", 0.5],
  ["2^53", 2 ** 53],
  ["NaN", Number.NaN],
  ["an infinite number", Number.POSITIVE_INFINITY],
  ["a lone high surrogate", "\ud800"],
  ["a lone low surrogate", "a\udc00"],
  ["undefined", undefined as unknown as Json],
  ["a bigint", 1n as unknown as Json],
] as const) {
  test(`${name} is a bug, wherever it stands`, () => {
    assert.throws(() => canonicalJson(value));
    assert.throws(() => canonicalJson([value]));
    assert.throws(() => canonicalJson({ a: value }));
    assert.throws(() => canonicalJson({ b: 1, a: value }));
  });
}
