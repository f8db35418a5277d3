import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { jsonDifference } from "./json-difference.ts";

for (const { served, computed, path } of [
  { served: { a: [1, { b: "x" }] }, computed: { a: [1, { b: "y" }] }, path: "a[1].b" },
  { served: { a: [1] }, computed: { a: [1, 2] }, path: "a[1]" },
  { served: { a: 1, c: 2 }, computed: { a: 1 }, path: "c" },
  { served: {}, computed: { a: 1 }, path: "a" },
  { served: [], computed: {}, path: "" },
  { served: null, computed: {}, path: "" },
  { served: { toString: 1 }, computed: {}, path: "toString" },
]) {
  test(`${JSON.stringify(served)} and ${JSON.stringify(computed)} differ at "${path}"`, () => {
    assert.equal(jsonDifference(served, computed)?.path, path);
    assert.equal(jsonDifference(computed, served)?.path, path);
  });
}

test("values differ exactly if their texts do, whatever the order of members", () =>
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
      assert.equal(jsonDifference(one, JSON.parse(JSON.stringify(one))), undefined);
      assert.equal(jsonDifference({ a: one, b: other }, { b: other, a: one }), undefined);
      const isSame = jsonDifference([one], [other]) === undefined;
      assert.equal(isSame, jsonDifference([other], [one]) === undefined);
      assert.ok(!isSame || JSON.stringify(one).length === JSON.stringify(other).length);
    }),
  ));
