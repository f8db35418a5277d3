import assert from "node:assert/strict";
import { test } from "node:test";
import { headsWithoutRoom } from "./head-shares.ts";

const head = (client: string, bytes: number): { client: string; bytes: number } => ({
  client,
  bytes,
});

test("heads within the limit have room, a client's within half of it", () => {
  const heads = [head("a", 30), head("a", 20), head("b", 50)];
  assert.deepEqual(headsWithoutRoom(heads, 100), []);
});

test("of a client with more than half the largest heads have no room, and those of others have", () => {
  const heads = [head("a", 20), head("b", 25), head("a", 21), head("a", 22)];
  assert.deepEqual(headsWithoutRoom(heads, 100), [head("a", 22)]);
});

test("of many clients the largest heads have no room, whoever has sent them", () => {
  const heads = [head("a", 10), head("b", 40), head("c", 41), head("d", 42), head("e", 1)];
  assert.deepEqual(headsWithoutRoom(heads, 100), [head("d", 42)]);
  assert.deepEqual(headsWithoutRoom(heads, 84), [head("d", 42), head("c", 41)]);
});

test("what a client has too much of is no reason to refuse others", () => {
  const greedy = Array.from({ length: 20 }, () => head("a", 9));
  const heads = [...greedy, head("b", 40)];
  const refused = headsWithoutRoom(heads, 100);
  assert.ok(refused.every(({ client }) => client === "a"));
  assert.equal(refused.length, 15);
});
