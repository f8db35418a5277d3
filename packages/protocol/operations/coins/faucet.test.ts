import assert from "node:assert/strict";
import { test } from "node:test";
import { ALICE, accepted, answerTo } from "../../testing/requests.ts";
import { faucet } from "./faucet.ts";

for (const { sent, answer } of [
  { sent: {}, answer: "1000 address" },
  { sent: { amount: "x" }, answer: "1000 address" },
  { sent: { address: "x", amount: "x" }, answer: "3190 address" },
  { sent: { address: ALICE, amount: "0" }, answer: "1101 amount" },
  { sent: { address: ALICE, amount: "x" }, answer: "1101 amount" },
  { sent: { address: ALICE, amount: "5" }, answer: "accepted" },
  { sent: { address: ALICE, amount: "" }, answer: "accepted" },
]) {
  test(`accounts §13: ${JSON.stringify(sent)}: ${answer}`, () =>
    assert.equal(answerTo(faucet, sent), answer));
}

test("accounts §13: without an amount the node chooses", () =>
  assert.equal(accepted(faucet, { address: ALICE }).values["amount"], undefined));
