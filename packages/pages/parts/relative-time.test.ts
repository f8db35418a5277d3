import assert from "node:assert/strict";
import { test } from "node:test";
import { eventTime, relativeTime } from "./relative-time.ts";

const AT = 1_790_000_000;

for (const [after, text, event = text] of [
  [0, "now"],
  [-0.4, "now"],
  [-1, "1 sec. ago"],
  [-59, "59 sec. ago"],
  [-60, "1 min. ago"],
  [-7199, "1 hr. ago"],
  [-86_400, "yesterday"],
  [-31_556_952, "last yr."],
  [3, "in 3 sec.", "now"],
  [5, "in 5 sec.", "now"],
  [6, "in 6 sec."],
  [172_800, "in 2 days"],
] as const) {
  test(`${after} seconds after the clock is "${text}", for an event "${event}"`, () => {
    assert.equal(relativeTime(AT + after, AT, "en"), text);
    assert.equal(eventTime(AT + after, AT, "en"), event);
  });
}
