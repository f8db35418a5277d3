import assert from "node:assert/strict";
import { test } from "node:test";
import { answerTo } from "../../testing/requests.ts";
import { block, blockRaw } from "./block.ts";

for (const { name, answer } of [
  { name: "0", answer: "accepted" },
  { name: "a".repeat(64), answer: "accepted" },
  { name: "01", answer: "6001" },
  { name: "-1", answer: "6001" },
  { name: "x", answer: "6001" },
  { name: "A".repeat(64), answer: "6001" },
]) {
  test(`chain §2: block ${name}: ${answer}`, () => {
    assert.equal(answerTo(block, { block: name }), answer);
    assert.equal(answerTo(blockRaw, { block: name }), answer);
  });
}
