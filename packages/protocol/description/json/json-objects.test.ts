import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { anyText } from "../../testing/any-text.ts";
import { accepted, answerTo } from "../../testing/requests.ts";
import type { Json } from "../../text/canonical-json.ts";
import { read } from "../operation.ts";
import { optional } from "../parameter.ts";
import { tokenId } from "../parameters/ids.ts";
import type { RawValue } from "../raw-parameters.ts";
import { NO_ENTRIES } from "./json-list.ts";
import { jsonObjects } from "./json-objects.ts";

const sampleOf = (max: number, lengthMax: number) =>
  read({
    name: "sample",
    route: "GET /sample",
    about: "Stands for what takes objects.",
    parameters: { list: optional(jsonObjects({ max, lengthMax }), NO_ENTRIES), token: tokenId() },
    cache: "never",
    result: { kind: "text", about: "", example: "" },
  });
const sample = sampleOf(3, 60);
const large = sampleOf(1000, 1e9);

const code = (list: RawValue | undefined): string =>
  answerTo(sample, { list, token: "0" }).slice(0, 4);
const entries = (list: RawValue | undefined): unknown =>
  (accepted(sample, { list, token: "0" }).values["list"] as { readonly entries: unknown }).entries;

for (const { list, reason } of [
  { list: "x", reason: "no JSON" },
  { list: "{}", reason: "an object" },
  { list: "null", reason: "null" },
  { list: '"[]"', reason: "a string" },
  { list: "5", reason: "a number" },
  { list: "[1]", reason: "a number in it" },
  { list: "[{},null]", reason: "null in it" },
  { list: "[[]]", reason: "an array in it" },
  { list: '["{}"]', reason: "a text in it" },
  { list: '[{"a":1,"a":1}]', reason: "a key twice" },
  { list: `[{"x":${"[".repeat(7)}${"]".repeat(7)}}]`, reason: "depth 9" },
  { list: "[{},{},{},{}]", reason: "one entry too many" },
  { list: `[{"a":"${"é".repeat(51)}"}]`, reason: "61 characters" },
  { list: `[]${" ".repeat(59)}`, reason: "61 characters, most of them blanks" },
  { list: '[{"a":1.5}]', reason: "a number that is no integer" },
  { list: '[{"a":-1}]', reason: "a number below 0" },
  { list: '[{"a":9007199254740992}]', reason: "a number above 2^53 - 1" },
  { list: '[{"a":1e400}]', reason: "a number that no double holds" },
  { list: '[{"a":1e-400}]', reason: "a number that a double holds only as 0" },
  { list: '[{"a":[{"b":[0.5]}]}]', reason: "a number that is no integer further in" },
  { list: { kind: "number", source: "5" }, reason: "a number of a JSON body" },
  { list: { kind: "boolean", value: true }, reason: "a boolean of a JSON body" },
  { list: { kind: "json", text: "{}" }, reason: "an object of a JSON body" },
] as const) {
  test(`tokens §3, conventions §1.8, chain §1.3: ${reason}: 1007`, () =>
    assert.equal(code(list), "1007"));
}

for (const { list, what } of [
  { list: '[{"a":"\\u0000"}]', what: "an escaped control character" },
  { list: '[{"\\u0007":1}]', what: "an escaped control character in a key" },
  { list: '[{"a":["\\ud834"]}]', what: "half a surrogate pair" },
  { list: '[{"\\udd1e":1}]', what: "half a surrogate pair in a key" },
]) {
  test(`conventions §1.5: ${what} is refused`, () =>
    assert(["1006", "1007"].includes(code(list)), code(list)));
}

for (const { list, what, value } of [
  { what: "nothing sent", list: undefined, value: [] },
  { what: "an empty text", list: "", value: [] },
  { what: "an empty list", list: "[]", value: [] },
  { what: "as many entries as may be", list: "[{},{},{}]", value: [{}, {}, {}] },
  {
    what: "60 characters, each of two code units",
    list: `[{"a":"${"𝄞".repeat(50)}"}]`,
    value: [{ a: "𝄞".repeat(50) }],
  },
  { what: "depth 8", list: `[{"x":[[[[[[]]]]]]}]`, value: [{ x: [[[[[[]]]]]] }] },
  {
    what: "any values",
    list: '[{"a":null,"b":[true,false,{}],"c":""}]',
    value: [{ a: null, b: [true, false, {}], c: "" }],
  },
  {
    what: "0 and 2^53 - 1",
    list: '[{"a":0,"b":9007199254740991}]',
    value: [{ a: 0, b: 2 ** 53 - 1 }],
  },
  {
    what: "integers in other words",
    list: '[{"a":1e2,"b":2.0,"c":-0}]',
    value: [{ a: 100, b: 2, c: 0 }],
  },
  { what: "escapes", list: '[{"\\u0061":"\\ud834\\udd1e\\n"}]', value: [{ a: "𝄞\n" }] },
  { what: "an array of a JSON body", list: { kind: "json", text: '[{"a":1}]' }, value: [{ a: 1 }] },
] as const) {
  test(`tokens §3, conventions §1.8: ${what} is taken`, () =>
    assert.deepEqual(entries(list), value));
}

test("a member named __proto__ is a member like others", () => {
  const [entry] = entries('[{"__proto__":{"a":1}}]') as [object];
  assert.deepEqual(Object.keys(entry), ["__proto__"]);
  assert.equal(JSON.stringify(entry), '{"__proto__":{"a":1}}');
  assert.equal("a" in entry, false);
});

test("conventions §1.8: the text is kept as it was sent, and signatures cover it", () => {
  const list = ' [ {"b" : 1e0,"a":"\\u0061"} ]';
  const { params, values } = accepted(sample, { list, token: "0" });
  assert.equal(params["list"], list);
  assert.deepEqual(values["list"], { text: list, entries: [{ b: 1, a: "a" }] });
});

test("tokens §3: to leave the list out is to send an empty one", () => {
  const [absent, empty] = [undefined, "[]"].map(
    (list) => accepted(sample, { list, token: "0" }).values["list"],
  );
  assert.deepEqual(absent, empty);
});

const cleanText = anyText().map((text) => text.replaceAll(/\p{Cc}/gu, ""));

const { json } = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4 },
    cleanText,
    fc.maxSafeNat(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("json"), { maxLength: 3 }),
    fc.dictionary(fc.string({ unit: "grapheme-ascii" }), tie("json"), { maxKeys: 3 }),
  ),
}));
const objects = fc.array(fc.dictionary(cleanText, json, { maxKeys: 4 }));

test("every list of objects that the chain can hold is read as it was printed", () =>
  fc.assert(
    fc.property(objects, fc.constantFrom(0, 1, "\t"), (all, indent) => {
      const list = JSON.stringify(all, null, indent);
      const { values } = accepted(large, { list, token: "0" });
      const { entries: read } = values["list"] as { readonly entries: unknown };
      assert.deepEqual(read, JSON.parse(list));
    }),
  ));
