import assert from "node:assert/strict";
import { test } from "node:test";
import { ALICE, answerTo } from "../../testing/requests.ts";
import { getkey, nonce } from "./temporary-key.ts";

for (const { row, sent, answer } of [
  { row: 8, sent: {}, answer: "accepted" },
  { row: 8, sent: { count: "3" }, answer: "accepted" },
  { row: 8, sent: { count: "1" }, answer: "accepted" },
  { row: 8, sent: { count: "1000" }, answer: "accepted" },
  { row: 8, sent: { count: "0" }, answer: "1101 count" },
  { row: 8, sent: { count: "1001" }, answer: "1101 count" },
  { row: 8, sent: { count: "x" }, answer: "1101 count" },
  { row: 9, sent: { address: "x", count: "x" }, answer: "3190 address" },
]) {
  test(`accounts §7 row ${row}: ${JSON.stringify(sent)}: ${answer}`, () => {
    assert.equal(answerTo(nonce, { address: ALICE, ...sent }), answer);
    assert.equal(answerTo(getkey, { kind: "transfer", address: ALICE, ...sent }), answer);
  });
}

for (const { kind, answer } of [
  { kind: "transfer", answer: "accepted" },
  { kind: "a_-9Z", answer: "accepted" },
  { kind: "k".repeat(32), answer: "accepted" },
  { kind: "k".repeat(33), answer: "3005 kind" },
  { kind: "a b", answer: "3005 kind" },
  { kind: "é", answer: "3005 kind" },
  { kind: "a\n", answer: "3005 kind" },
]) {
  test(`accounts §7: kind ${JSON.stringify(kind)}: ${answer}`, () =>
    assert.equal(answerTo(getkey, { kind, address: ALICE }), answer));
}

test("accounts §7: address, then kind, then count", () => {
  assert.equal(answerTo(getkey, { kind: "?", address: "x", count: "x" }), "3190 address");
  assert.equal(answerTo(getkey, { kind: "?", address: ALICE, count: "x" }), "3005 kind");
});
