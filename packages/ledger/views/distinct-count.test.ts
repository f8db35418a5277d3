import assert from "node:assert/strict";
import { test } from "node:test";
import { DistinctCount } from "./distinct-count.ts";

const counted = (from: number, to: number): DistinctCount => {
  const count = new DistinctCount();
  for (let one = from; one < to; one += 1) {
    count.add(one);
  }
  return count;
};

test("a few are counted nearly exactly, each once", () => {
  const count = counted(0, 20);
  assert.ok(Math.abs(count.count - 20) <= 1);
  assert.equal(count.add(7), false);
  assert.equal(new DistinctCount().count, 0);
});

for (const many of [100, 3_000, 6_000, 100_000, 1_000_000]) {
  test(`${many} are counted within 7 %, three times the standard error`, () => {
    const { count } = counted(0, many);
    assert.ok(Math.abs(count / many - 1) < 0.07, String(count));
  });
}

test("joined counts are the count of all, those of both once", () => {
  const joined = counted(0, 3000);
  joined.join(counted(2000, 5000));
  assert.deepEqual(joined.registers, counted(0, 5000).registers);
});
