import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { accepted, answerTo } from "../../testing/requests.ts";
import { Refused } from "../faults.ts";
import { read } from "../operation.ts";
import { optional } from "../parameter.ts";
import { pattern, text } from "../parameters/texts.ts";
import { url } from "../parameters/urls.ts";
import type { RawValue } from "../raw-parameters.ts";
import { readTexts } from "../request-reader.ts";
import { jsonObject } from "./json-object.ts";

const sample = read({
  name: "sample",
  route: "GET /sample",
  about: "Stands for what takes objects.",
  parameters: {
    links: optional(jsonObject({ lengthMax: 60, value: url({ use: "page", max: 30 }) })),
    words: optional(
      jsonObject({ lengthMax: 60, value: text({ max: 3 }), names: pattern(/^(?!wrong)/, "right") }),
    ),
  },
  cache: "never",
  result: { kind: "text", about: "", example: "" },
});

const answer = (words: RawValue): string => answerTo(sample, { words });
const wholeOf = (words: RawValue): unknown => accepted(sample, { words }).values["words"];

for (const { words, situation } of [
  { words: "x", situation: "no JSON" },
  { words: "[]", situation: "an array" },
  { words: '"a"', situation: "a text" },
  { words: "null", situation: "null" },
  { words: '{"a":1}', situation: "a number in it" },
  { words: '{"a":null}', situation: "null in it" },
  { words: '{"a":{"b":"c"}}', situation: "an object in it" },
  { words: '{"a":["b"]}', situation: "an array in it" },
  { words: '{"a":"b","a":"b"}', situation: "a name twice" },
  { words: { kind: "number", source: "5" }, situation: "a number of a JSON body" },
  { words: { kind: "json", text: "[]" }, situation: "an array of a JSON body" },
] as const) {
  test(`conventions §1.8, mrc401 §3: ${situation} is no object of texts: 1007`, () =>
    assert.equal(answer(words).split(" ")[0], "1007"));
}

for (const { words, wanted } of [
  { words: '{"a":"long"}', wanted: "3005 words.a" },
  { words: '{"a":"b","c":""}', wanted: "3005 words.c" },
  { words: '{"a":"b","wrong":"b"}', wanted: "3005 words.wrong" },
  { words: '{"a":"\\u0000"}', wanted: "1006 words.a" },
  { words: '{"a":"\\ud800"}', wanted: "1006 words.a" },
  { words: `{"a":"b"${" ".repeat(51)}}`, wanted: "accepted" },
  { words: `{"a":"b"${" ".repeat(52)}}`, wanted: "3005 words" },
  // Code points count, not code units.
  { words: `{"${"𝄞".repeat(52)}":"b"}`, wanted: "accepted" },
  { words: `{"${"𝄞".repeat(53)}":"b"}`, wanted: "3005 words" },
  { words: "{}", wanted: "accepted" },
]) {
  test(`mrc401 §3: ${words} as text of at most 60 characters, in it texts of 1 to 3: ${wanted}`, () =>
    assert.equal(answer(words), wanted));
}

test("conventions §1.5: a name with half a surrogate pair or a control character is no text", () => {
  for (const words of ['{"\\ud800":"b"}', '{"\\u0007":"b"}']) {
    assert.match(answer(words), /^1006 words/);
  }
});

test("absent or empty, it has no value; `{}` is one", () => {
  const { values, params } = accepted(sample, { words: "", links: undefined });
  assert.deepEqual([values["words"], values["links"], params], [undefined, undefined, {}]);
  assert.deepEqual(wholeOf("{}"), { text: "{}", members: new Map() });
});

test("its text is kept as it was sent, its members in their order and with any name", () => {
  const words = ' { "toString" : "b" , "__proto__" : "\\u0063", "1" : "d" } ';
  assert.deepEqual(wholeOf(words), {
    text: words,
    members: new Map([
      ["toString", "b"],
      ["__proto__", "c"],
      ["1", "d"],
    ]),
  });
});

test("given as an object in a JSON body it stands for its compact text", () => {
  const json = { kind: "json", text: '{"a":"b"}' } as const;
  assert.deepEqual(wholeOf(json), { text: json.text, members: new Map([["a", "b"]]) });
});

test("chain §6.4: whether a value is a URL is asked on admission, and not when a block is replayed", () => {
  const links = '{"home":"no url"}';
  assert.equal(answerTo(sample, { links }), "3005 links.home");
  assert.equal(answerTo(sample, { links: '{"home":"https://a.example/"}' }), "accepted");
  assert.ok(!(readTexts(sample, { links }, "replay") instanceof Refused));
});

test("any object of texts is read as it is", () => {
  const short = fc.string({ unit: fc.constantFrom("a", "é", "𝄞"), minLength: 1, maxLength: 3 });
  const names = fc.constantFrom("a", "constructor", "1", "");
  fc.assert(
    fc.property(fc.uniqueArray(fc.tuple(names, short), { selector: ([name]) => name }), (all) => {
      const words = JSON.stringify(Object.fromEntries(all));
      fc.pre([...words].length <= 60);
      const { members } = wholeOf(words) as { readonly members: ReadonlyMap<string, string> };
      assert.deepEqual(Object.fromEntries(members), Object.fromEntries(all));
    }),
  );
});
