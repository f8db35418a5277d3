import assert from "node:assert/strict";
import { test } from "node:test";
import { distinctKeys } from "./distinct-keys.ts";

test("entries of one bundle have keys of their own, which stay when newer entries come", () => {
  const keysOf = (ids: string) => distinctKeys(ids.split(""), (id) => id);
  assert.deepEqual(keysOf("abab"), ["a", "b", "a 1", "b 1"]);
  assert.deepEqual(keysOf("cabab").slice(1), keysOf("abab"));
});
