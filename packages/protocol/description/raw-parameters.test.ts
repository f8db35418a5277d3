import assert from "node:assert/strict";
import { test } from "node:test";
import { Refused } from "./faults.ts";
import { RawParameters, type RawValue, textOf } from "./raw-parameters.ts";

/** The text or code of `checkkey`, alias `tkey`, after all these have been added. */
function taken(...added: readonly (readonly [string, RawValue])[]): string | undefined {
  const raw = new RawParameters({ checkkey: { aliases: ["tkey"] } });
  for (const [name, value] of added) {
    raw.add(name, value);
  }
  const found = raw.take("checkkey", ["tkey"]);
  return found instanceof Refused ? found.fault.code : found && textOf(found);
}

const number = (source: string): RawValue => ({ kind: "number", source });

for (const { added, answer, situation } of [
  { situation: "nothing", added: [], answer: undefined },
  { situation: "an empty value", added: [["checkkey", ""]], answer: undefined },
  { situation: "one value", added: [["checkkey", "a"]], answer: "a" },
  { situation: "another name", added: [["tkey", "a"]], answer: "a" },
  {
    situation: "the same value twice",
    added: [
      ["checkkey", "a"],
      ["checkkey", "a"],
    ],
    answer: "a",
  },
  {
    situation: "the same value under both names",
    added: [
      ["tkey", "a"],
      ["checkkey", "a"],
    ],
    answer: "a",
  },
  {
    situation: "a number and its text",
    added: [
      ["checkkey", "5"],
      ["tkey", number("5")],
    ],
    answer: "5",
  },
  {
    situation: "two values",
    added: [
      ["checkkey", "a"],
      ["checkkey", "b"],
    ],
    answer: "1005",
  },
  {
    situation: "two values and the first again",
    added: [
      ["checkkey", "a"],
      ["checkkey", "b"],
      ["checkkey", "a"],
    ],
    answer: "1005",
  },
  {
    situation: "two values under two names",
    added: [
      ["checkkey", "a"],
      ["tkey", "b"],
    ],
    answer: "1005",
  },
  {
    situation: "two values under the other name",
    added: [
      ["tkey", "a"],
      ["tkey", "b"],
    ],
    answer: "1005",
  },
  {
    situation: "a value and an empty one",
    added: [
      ["checkkey", "a"],
      ["checkkey", ""],
    ],
    answer: "1005",
  },
  {
    situation: "unknown names with two values",
    added: [
      ["nonce", "a"],
      ["nonce", "b"],
      ["checkkey", "c"],
    ],
    answer: "c",
  },
] as const) {
  test(`conventions §1.1: ${situation}: ${answer ?? "absent"}`, () =>
    assert.equal(taken(...added), answer));
}

test("names that every object has are names like others", () => {
  const none = new RawParameters({});
  none.add("__proto__", "a");
  assert.equal(none.take("__proto__", ["constructor"]), undefined);
  const raw = new RawParameters({ constructor: { aliases: ["__proto__"] } });
  assert.equal(raw.take("constructor", ["__proto__"]), undefined);
  raw.add("__proto__", "a");
  assert.equal(raw.take("constructor", ["__proto__"]), "a");
});

for (const { source, text } of [
  { source: "0", text: "0" },
  { source: "300", text: "300" },
  { source: "-5", text: "-5" },
  { source: "9007199254740991", text: "9007199254740991" },
  { source: "9007199254740992", text: undefined },
  { source: "-9007199254740993", text: undefined },
  { source: "1.5", text: undefined },
  { source: "1e400", text: undefined },
  { source: "1e-400", text: undefined },
  { source: "-0.1e-400", text: undefined },
  { source: "0.0e-400", text: "0" },
  { source: "0e400", text: "0" },
]) {
  test(`conventions §1.6: the JSON number ${source} means ${text ?? "no text"}`, () =>
    assert.equal(textOf(number(source)), text));
}

test("a boolean, an array and an object mean no text", () => {
  assert.equal(textOf({ kind: "boolean", value: true }), undefined);
  assert.equal(textOf({ kind: "json", text: "[]" }), undefined);
});
