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

test("RFC 8785 §3.2.3: members are ordered by UTF-16 code units", () => {
  const object = {
    "\u20ac": "Euro Sign",
    "\r": "Carriage Return",
    "\ufb33": "Hebrew Letter Dalet With Dagesh",
    "1": "One",
    "\ud83d\ude00": "Emoji: Grinning Face",
    "\u0080": "Control",
    "\u00f6": "Latin Small Letter O With Diaeresis",
  };
  const values = Object.values(JSON.parse(canonicalJson(object).replace('"1"', '"_"')));
  assert.deepEqual(values, [
    "Carriage Return",
    "One",
    "Control",
    "Latin Small Letter O With Diaeresis",
    "Euro Sign",
    "Emoji: Grinning Face",
    "Hebrew Letter Dalet With Dagesh",
  ]);
});

for (const { holds, value, text } of [
  {
    holds: "strings are escaped as in RFC 8785 §3.2.2.2",
    value: '\u20ac$\u000f\nA\'B"\\\\"/\u007f',
    text: '"\u20ac$\\u000f\\nA\'B\\"\\\\\\\\\\"/\u007f"',
  },
  {
    holds: "keys that look like numbers are ordered as text",
    value: { "10": 1, "9": 2 },
    text: '{"10":1,"9":2}',
  },
  { holds: "an empty key comes first", value: { a: 1, "": 2 }, text: '{"":2,"a":1}' },
  {
    holds: "an object deep inside is ordered",
    value: [{ a: [{ c: 1, b: 2 }] }],
    text: '[{"a":[{"b":2,"c":1}]}]',
  },
  { holds: "0 and 2^53 - 1 are integers", value: [0, 2 ** 53 - 1], text: "[0,9007199254740991]" },
  { holds: "literals stay", value: [null, true, false, ""], text: '[null,true,false,""]' },
]) {
  test(holds, () => assert.equal(canonicalJson(value as Json), text));
}

test("a key `__proto__` is a key like others", () =>
  assert.equal(
    canonicalJson(JSON.parse('{"b":1,"__proto__":{"z":1,"a":2}}')),
    '{"__proto__":{"a":2,"z":1},"b":1}',
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

test("a lone surrogate in a key is a bug", () => {
  assert.throws(() => canonicalJson({ "\ud800": 1 }));
  assert.throws(() => canonicalJson({ "\ud800": 1, a: 1 }));
});
