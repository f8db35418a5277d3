import assert from "node:assert/strict";
import { test } from "node:test";
import { ALICE, accepted, answerTo, TEST_KEY } from "../../testing/requests.ts";
import { addressByKey } from "./address-by-key.ts";

for (const { row, sent, answer } of [
  { row: 1, sent: { publickey: TEST_KEY }, answer: "accepted" },
  { row: 1, sent: { publickey: TEST_KEY, limit: "2", after: ALICE }, answer: "accepted" },
  { row: 1, sent: { publickey: TEST_KEY, limit: "1000" }, answer: "accepted" },
  { row: 2, sent: { publickey: "hello" }, answer: "accepted" },
  { row: 3, sent: {}, answer: "1000 publickey" },
  { row: 3, sent: { limit: "x" }, answer: "1000 publickey" },
  { row: 3, sent: { publickey: TEST_KEY, limit: "0" }, answer: "1101 limit" },
  { row: 3, sent: { publickey: TEST_KEY, limit: "1001" }, answer: "1101 limit" },
  { row: 3, sent: { publickey: TEST_KEY, limit: "x", after: "x" }, answer: "1101 limit" },
  { row: 3, sent: { publickey: TEST_KEY, after: "x" }, answer: "3190 after" },
]) {
  test(`accounts §6 row ${row}: ${JSON.stringify(sent).slice(-60)}: ${answer}`, () =>
    assert.equal(answerTo(addressByKey, sent), answer));
}

test("accounts §6: an unreadable key is no malformed parameter but a key without addresses", () =>
  assert.equal(accepted(addressByKey, { publickey: "hello" }).values["publickey"], "hello"));
