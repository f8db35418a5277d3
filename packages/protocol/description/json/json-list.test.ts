import assert from "node:assert/strict";
import { test } from "node:test";
import { accepted, answerTo } from "../../testing/requests.ts";
import { refuse } from "../faults.ts";
import { read } from "../operation.ts";
import { optional } from "../parameter.ts";
import { amount } from "../parameters/amounts.ts";
import { unlockDate } from "../parameters/dates.ts";
import { tokenId } from "../parameters/ids.ts";
import { text } from "../parameters/texts.ts";
import type { RawValue } from "../raw-parameters.ts";
import { jsonList } from "./json-list.ts";

const sample = read({
  name: "sample",
  route: "GET /sample",
  about: "Stands for what takes a list.",
  parameters: {
    list: jsonList({
      min: 1,
      max: 3,
      members: {
        amount: amount({ min: 1n }),
        until: unlockDate(),
        memo: optional(text({ cutAt: 2 }), ""),
      },
      checkEntry: ({ memo }, parameter, values) =>
        memo === values["token"]
          ? refuse({ code: "3005", parameter: `${parameter}.memo`, reason: "is the token" })
          : undefined,
    }),
    token: tokenId(),
  },
  cache: "never",
  result: { kind: "text", about: "", example: "" },
});

const answer = (list: RawValue, token = "0"): string => answerTo(sample, { list, token });
const entries = (list: RawValue): unknown =>
  (accepted(sample, { list, token: "0" }).values["list"] as { readonly entries: unknown }).entries;

const ENTRY = '{"amount":"1","until":"0"}';

for (const { list, reason } of [
  { list: "x", reason: "no JSON" },
  { list: "{}", reason: "an object" },
  { list: '"[]"', reason: "a string" },
  { list: "null", reason: "null" },
  { list: "5", reason: "a number" },
  { list: "[1]", reason: "an entry that is no object" },
  { list: "[null]", reason: "an entry that is null" },
  { list: "[[]]", reason: "an entry that is an array" },
  { list: `[${ENTRY},{"amount":"1","amount":"1","until":"0"}]`, reason: "a key twice" },
  {
    list: `[{"amount":"1","until":"0","x":${"[".repeat(7)}${"]".repeat(7)}}]`,
    reason: "depth 9",
  },
  { list: '[{"amount":"1","until":"0","memo":5}]', reason: "a text that is a number" },
  { list: '[{"amount":"1","until":"0","memo":null}]', reason: "a text that is null" },
  { list: '[{"amount":"1","until":"0","memo":["a"]}]', reason: "a text that is an array" },
  { list: { kind: "number", source: "5" }, reason: "a number of a JSON body" },
  { list: { kind: "boolean", value: true }, reason: "a boolean of a JSON body" },
  { list: { kind: "json", text: "{}" }, reason: "an object of a JSON body" },
] as const) {
  test(`conventions §1.8, accounts §11 row 7: ${reason}: 1007`, () =>
    assert.equal(answer(list), "1007 list"));
}

test("conventions §1.8: depth 8 is not too deep, and other keys are ignored", () =>
  assert.deepEqual(
    entries(`[{"amount":"1","until":"0","x":${"[".repeat(6)}${"]".repeat(6)}}]`),
    entries(`[${ENTRY}]`),
  ));

for (const { count, answer: wanted } of [
  { count: 0, answer: "3002 list" },
  { count: 1, answer: "accepted" },
  { count: 3, answer: "accepted" },
  { count: 4, answer: "3002 list" },
]) {
  test(`accounts §11 row 6: ${count} entries where 1 to 3 may be: ${wanted}`, () =>
    assert.equal(answer(`[${Array(count).fill(ENTRY).join(",")}]`), wanted));
}

for (const { list, answer: wanted, situation } of [
  { situation: "a key missing", list: '[{"amount":"1"}]', answer: "1000 list[0].until" },
  {
    situation: "a key empty",
    list: '[{"amount":"1","until":""}]',
    answer: "1000 list[0].until",
  },
  {
    situation: "what is missing before what is malformed",
    list: '[{"amount":"x"}]',
    answer: "1000 list[0].until",
  },
  {
    situation: "the first malformed member",
    list: '[{"memo":"\\u0000","until":"x","amount":"x"}]',
    answer: "1101 list[0].amount",
  },
  {
    situation: "the next malformed member",
    list: '[{"memo":"\\u0000","until":"x","amount":"1"}]',
    answer: "1102 list[0].until",
  },
  {
    situation: "a control character that was escaped",
    list: '[{"memo":"\\u0000","until":"0","amount":"1"}]',
    answer: "1006 list[0].memo",
  },
  {
    situation: "half a surrogate pair that was escaped",
    list: '[{"memo":"\\ud834","until":"0","amount":"1"}]',
    answer: "1006 list[0].memo",
  },
  {
    situation: "the entry that is to blame",
    list: `[${ENTRY},${ENTRY},{"amount":"0","until":"0"}]`,
    answer: "1101 list[2].amount",
  },
  {
    situation: "the rule of an entry before the form of the next",
    list: '[{"amount":"1","until":"0","memo":"0"},{"amount":"x","until":"0"}]',
    answer: "3005 list[0].memo",
  },
  {
    situation: "the form of an entry before the rule of the next",
    list: '[{"amount":"x","until":"0"},{"amount":"1","until":"0","memo":"0"}]',
    answer: "1101 list[0].amount",
  },
]) {
  test(`accounts §11: ${situation}: ${wanted}`, () => assert.equal(answer(list), wanted));
}

test("accounts §11: the shape of the list, then other parameters, then the entries", () => {
  assert.equal(answer("x", "x"), "1007 list");
  assert.equal(answer("[]", "x"), "3002 list");
  assert.equal(answer('[{"amount":"x","until":"0"}]', "x"), "1101 token");
});

test("accounts §11: an entry's amount of the wrong kind is a malformed amount", () => {
  assert.equal(answer('[{"amount":true,"until":0}]'), "1101 list[0].amount");
  assert.equal(answer('[{"amount":null,"until":0}]'), "1101 list[0].amount");
  assert.equal(answer('[{"amount":1,"until":[]}]'), "1102 list[0].until");
});
