import assert from "node:assert/strict";
import { test } from "node:test";
import { ALICE, answerTo } from "../../testing/requests.ts";
import { addressRead } from "./address.ts";

for (const { sent, answer } of [
  { sent: { address: ALICE }, answer: "accepted" },
  { sent: { address: ALICE, view: "full" }, answer: "accepted" },
  { sent: { address: ALICE, view: "" }, answer: "accepted" },
  { sent: { address: ALICE, view: "short" }, answer: "3005 view" },
  { sent: { address: "x", view: "short" }, answer: "3190 address" },
]) {
  test(`accounts §5: ${JSON.stringify(sent)}: ${answer}`, () =>
    assert.equal(answerTo(addressRead, sent), answer));
}
