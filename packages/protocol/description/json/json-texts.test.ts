import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { anyText } from "../../testing/any-text.ts";
import { accepted, answerTo } from "../../testing/requests.ts";
import { read } from "../operation.ts";
import { aliased, optional, type Parameter } from "../parameter.ts";
import { tokenId } from "../parameters/ids.ts";
import type { RawValue } from "../raw-parameters.ts";
import { type JsonList, NO_ENTRIES } from "./json-list.ts";
import { jsonTexts } from "./json-texts.ts";

const words = aliased(jsonTexts({ min: 1, max: 3, of: "words" }), "list[]");
const description = (list: Parameter<JsonList<string>>) =>
  read({
    name: "sample",
    route: "GET /sample",
    about: "Stands for what takes a list of texts.",
    parameters: {
      list,
      token: tokenId(),
    },
    cache: "never",
    result: { kind: "text", about: "", example: "" },
  });
const sample = description(words);

/** The code alone: the detail names the part of the list in words. */
const answer = (list: RawValue | undefined, token = "0"): string =>
  answerTo(sample, { list, token }).split(" ")[0] ?? "";
const wholeOf = (list: RawValue): unknown => accepted(sample, { list, token: "0" }).values["list"];

for (const { list, situation } of [
  { list: "x", situation: "no JSON" },
  { list: "{}", situation: "an object" },
  { list: '"a"', situation: "a text" },
  { list: "null", situation: "null" },
  { list: '["a",1]', situation: "a number in it" },
  { list: '["a",null]', situation: "null in it" },
  { list: '[["a"]]', situation: "an array in it" },
  { list: '[{"id":"a"}]', situation: "an object in it" },
  // The shape comes before the number of entries.
  { list: "[1,2,3,4]", situation: "too many numbers" },
  { list: { kind: "number", source: "5" }, situation: "a number of a JSON body" },
  { list: { kind: "boolean", value: true }, situation: "a boolean of a JSON body" },
  { list: { kind: "json", text: "{}" }, situation: "an object of a JSON body" },
] as const) {
  test(`mrc401 §1.1: ${situation} is no list of texts: 1007`, () =>
    assert.equal(answer(list), "1007"));
}

for (const { list, wanted } of [
  { list: undefined, wanted: "1000" },
  { list: "", wanted: "1000" },
  { list: "[]", wanted: "3002" },
  { list: '["a"]', wanted: "accepted" },
  { list: ' [ "a" , "b" , "c" ] ', wanted: "accepted" },
  { list: '["a","b","c","d"]', wanted: "3002" },
  { list: '["a","b","a"]', wanted: "3004" },
  { list: '["a","\\u0061"]', wanted: "3004" },
  { list: '["a","A"]', wanted: "accepted" },
  { list: '["a","a","a","a"]', wanted: "3002" },
  { list: { kind: "json", text: '["a","b"]' }, wanted: "accepted" },
] as const) {
  const shown = typeof list === "object" ? `${list.text} in a JSON body` : (list ?? "nothing");
  test(`mrc401 §1.1: ${shown || "an empty text"} where 1 to 3 texts are wanted: ${wanted}`, () =>
    assert.equal(answer(list), wanted));
}

test("a refusal names the entry that occurs twice", () =>
  assert.equal(answerTo(sample, { list: '["a","b","a"]', token: "0" }), "3004 list[2]"));

test("mrc401 §1.1: the list's text is kept as it was sent, and its entries are what it means", () => {
  const text = ' [ "a\\u0062" , "\\/" ] ';
  assert.deepEqual(wholeOf(text), { text, entries: ["ab", "/"] });
});

test("mrc401 §1.1: the other name serves too, but not for another list", () => {
  const token = "0";
  assert.equal(answerTo(sample, { "list[]": '["a"]', token }), "accepted");
  assert.equal(answerTo(sample, { list: '["a"]', "list[]": '["a"]', token }), "accepted");
  assert.equal(answerTo(sample, { list: '["a"]', "list[]": '["b"]', token }), "1005 list");
});

test("each text is checked for duplicates first, then by `each`", () => {
  const tokens = description(jsonTexts({ min: 1, max: 3, of: "tokens", each: tokenId() }));
  const answers = ['["1","2"]', '["1","01"]', '["01","01"]'].map((list) =>
    answerTo(tokens, { list, token: "0" }),
  );
  assert.deepEqual(answers, ["accepted", "1101 list[1]", "3004 list[1]"]);
});

test("a list that may be left out has no entries then", () => {
  const { values } = accepted(description(optional(words, NO_ENTRIES)), { token: "0" });
  assert.deepEqual((values["list"] as { readonly entries: unknown }).entries, []);
});

test("any distinct texts are read as they are", () =>
  fc.assert(
    fc.property(fc.uniqueArray(anyText(), { minLength: 1, maxLength: 3 }), (entries) => {
      const text = JSON.stringify(entries);
      assert.deepEqual(wholeOf(text), { text, entries });
    }),
  ));
