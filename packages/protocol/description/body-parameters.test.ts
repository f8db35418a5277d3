import assert from "node:assert/strict";
import { test } from "node:test";
import { addJsonBody, elementText, PARAMETERS_MAX } from "./body-parameters.ts";
import { Refused } from "./faults.ts";
import { jsonList } from "./json/json-list.ts";
import { jsonTexts } from "./json/json-texts.ts";
import { aliased, optional } from "./parameter.ts";
import { amount } from "./parameters/amounts.ts";
import { text } from "./parameters/texts.ts";
import { RawParameters } from "./raw-parameters.ts";

const parameters = {
  memo: optional(text(), ""),
  list: aliased(jsonList({ min: 1, max: 3, members: { amount: amount({ min: 0n }) } }), "list[]"),
  names: jsonTexts({ min: 1, max: 2, of: "names" }),
};

function merged(body: string): RawParameters | string {
  const raw = new RawParameters(parameters);
  const refused = addJsonBody(raw, body, parameters);
  if (refused === undefined) {
    return raw;
  }
  const { fault } = refused;
  return `${fault.code} ${("parameter" in fault && fault.parameter) || ""}`.trim();
}

function members(count: number): string {
  return Array.from({ length: count }, (_, n) => `"x${n}":${n}`).join(",");
}

test(`a JSON body has at most ${PARAMETERS_MAX} members, known or not`, () => {
  assert.ok(merged(`{${members(PARAMETERS_MAX)}}`) instanceof RawParameters);
  assert.equal(merged(`{${members(PARAMETERS_MAX + 1)}}`), "9413");
  // What follows is not even read.
  assert.equal(merged(`{${members(PARAMETERS_MAX)},"y"`), "9413");
});

test("what no parameter is called is checked and not kept", () => {
  const raw = merged('{"memo":"a","other":{"list":[1]},"memo2":"b"}') as RawParameters;
  assert.deepEqual(
    ["memo", "other", "memo2"].map((name) => raw.take(name)),
    ["a", undefined, undefined],
  );
  assert.equal(merged('{"other":[1,]}'), "1007");
  assert.equal(merged('{"other":1,"other":2}'), "1007");
  assert.equal(merged('{"other":{"a":1,"a":2}}'), "1007");
});

for (const { body, wanted } of [
  { body: '{"list":[{},{},{},', wanted: "3002 list" },
  { body: '{"list[]":[{},{},{},', wanted: "3002 list" },
  { body: '{"names":["a","b",', wanted: "3002 names" },
  { body: '{"list":[{},1,{},', wanted: "1007 list" },
  { body: '{"list":[{"amount":[]},{},{},', wanted: "3002 list" },
  { body: '{"list":[{},{},{}', wanted: "1007" },
]) {
  test(`conventions §1.8: a list is refused at its first element too many, unread: ${body}: ${wanted}`, () =>
    assert.equal(merged(body), wanted));
}

test("the text of a list in a body is its compact encoding, with what no operation knows in it", () => {
  const raw = merged('{"list":[ {"amount" : 1 ,"x": [ 1 , "  " ] } ]}') as RawParameters;
  const list = raw.take("list", []);
  assert.ok(typeof list === "object" && !(list instanceof Refused) && list.kind === "json");
  assert.equal(list.text, '[{"amount":1,"x":[1,"  "]}]');
});

test("the id of an element is found without reading what follows it", () => {
  const list = '[{"id":"a"},{"item_id":"b"},"c",{"id":1},';
  const names = ["id", "item_id"];
  assert.deepEqual(
    [0, 1, 2].map((index) => elementText(list, index, names)),
    ["a", "b", "c"],
  );
  assert.equal(elementText('[{"id":1}]', 0, names), undefined);
  assert.equal(elementText("no list", 0, names), undefined);
});
