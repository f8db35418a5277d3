import assert from "node:assert/strict";
import { test } from "node:test";
import { shownDifference } from "./shown-difference.ts";

const same = "s".repeat(100);

for (const { what, one, other, shown } of [
  { what: "short texts are whole", one: "abc", other: "abd", shown: ["abc", "abd"] },
  {
    what: "equal texts show the beginning",
    one: same,
    other: same,
    shown: [0, 0].map(() => `${"s".repeat(37)}...`),
  },
  {
    what: "a difference in the beginning shows the beginning",
    one: `a${same}`,
    other: `b${same}`,
    shown: [`a${"s".repeat(36)}...`, `b${"s".repeat(36)}...`],
  },
  {
    what: "a late difference is shown with what stands before it",
    one: `${same}a${same}`,
    other: `${same}b`,
    shown: [`...${"s".repeat(20)}a${"s".repeat(13)}...`, `...${"s".repeat(20)}b`],
  },
  {
    what: "the end of the shorter one is a difference",
    one: same,
    other: `${same}b`,
    shown: [`...${"s".repeat(20)}`, `...${"s".repeat(20)}b`],
  },
]) {
  test(what, () => {
    assert.deepEqual(shownDifference(one, other, 40), shown);
    assert.deepEqual(shownDifference(other, one, 40), shown.toReversed());
  });
}
