import assert from "node:assert/strict";
import { test } from "node:test";
import { ALICE, accepted, answerTo } from "../../testing/requests.ts";
import { balance, balanceOfToken } from "./balance.ts";

for (const { sent, answer } of [
  { sent: { limit: "1" }, answer: "accepted" },
  { sent: { limit: "10000" }, answer: "accepted" },
  { sent: { limit: "0" }, answer: "1101 limit" },
  { sent: { limit: "10001" }, answer: "1101 limit" },
  { sent: { limit: "x", after: "x" }, answer: "1101 limit" },
  { sent: { after: "x" }, answer: "3005 after" },
  { sent: { after: "9:0" }, answer: "accepted" },
]) {
  test(`accounts §9: ${JSON.stringify(sent)}: ${answer}`, () => {
    assert.equal(answerTo(balance, { address: ALICE, ...sent }), answer);
    assert.equal(answerTo(balanceOfToken, { address: ALICE, token: "9", ...sent }), answer);
  });
}

for (const { sent, answer } of [
  { sent: { token: "x" }, answer: "1101 token" },
  { sent: { token: "x", limit: "x", after: "x" }, answer: "1101 token" },
  { sent: { address: "x", token: "x" }, answer: "3190 address" },
]) {
  test(`accounts §9 row 4: checks answer in their order: ${answer}`, () =>
    assert.equal(answerTo(balanceOfToken, { address: ALICE, ...sent }), answer));
}

test("accounts §9: without limit and after the whole list is requested", () => {
  const { limit, after } = accepted(balance, { address: ALICE }).values;
  assert.deepEqual([limit, after], [undefined, undefined]);
});
