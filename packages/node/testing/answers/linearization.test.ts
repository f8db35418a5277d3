import assert from "node:assert/strict";
import { test } from "node:test";
import { type Call, linearize } from "./linearization.ts";

/** A register that is written and read: `w1` and `r1` are a write and a read of 1. */
function register(name: string, begin: number, end: number): Call<number> {
  const value = Number(name.slice(1));
  return {
    ...{
      name: () => name,
      begin,
      end,
      isOptional: name.startsWith("w") && end === Number.POSITIVE_INFINITY,
    },
    after: (state) => (name.startsWith("w") || state === value ? value : undefined),
  };
}

const NEVER = Number.POSITIVE_INFINITY;

for (const { name, calls, kind, order } of [
  {
    name: "a read during a write may show what was before it",
    calls: [register("w1", 0, 10), register("r0", 1, 9)],
    ...{ kind: "explained", order: "r0 w1" },
  },
  {
    name: "a read that was sent after the answer of a write shows it",
    calls: [register("w1", 0, 10), register("r0", 11, 12)],
    ...{ kind: "unexplained", order: "w1" },
  },
  {
    name: "once a read has shown a write, no later one shows what was before it",
    calls: [register("w1", 0, 10), register("r1", 1, 3), register("r0", 4, 6)],
    ...{ kind: "unexplained", order: "w1 r1" },
  },
  {
    name: "a write without an answer may have happened at any later time",
    calls: [register("w1", 0, NEVER), register("r0", 5, 6), register("r1", 7, 8)],
    ...{ kind: "explained", order: "r0 w1 r1" },
  },
  {
    name: "or not at all",
    calls: [register("w1", 0, NEVER), register("r0", 5, 6)],
    ...{ kind: "explained", order: "r0" },
  },
  {
    name: "but not twice",
    calls: [0, 5, 7, 9].map((begin, n) =>
      register(["w1", "r1", "w2", "r1"][n] as string, begin, n === 0 ? NEVER : begin + 1),
    ),
    ...{ kind: "unexplained", order: "w1 r1 w2" },
  },
] as const) {
  test(name, () => {
    const found = linearize(calls, { initial: 0, keyOf: String });
    assert.equal(found.kind, kind);
    assert.equal(found.order.map((call) => call.name()).join(" "), order);
  });
}

test("reads are no choices: any number at the same time, and one that is wrong, are decided", () => {
  const reads = Array.from({ length: 200 }, (_, n) => register(`r${n === 150 ? 2 : 1}`, 5, 20));
  const calls = [register("w1", 0, 3), ...reads];
  const found = linearize(calls, { initial: 0, keyOf: String, statesMax: 1000 });
  assert.equal(found.kind, "unexplained");
  assert.deepEqual(
    found.next.map((call) => call.name()),
    ["r2"],
  );
});

test("the search ends after so many states, undecided", () => {
  const calls = Array.from({ length: 12 }, (_, n) => register(`w${n}`, 0, 10));
  const all = [...calls, register("r99", 11, 12)];
  const { kind } = linearize(all, { initial: 0, keyOf: String, statesMax: 100 });
  assert.equal(kind, "undecided");
});
