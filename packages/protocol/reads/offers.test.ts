import assert from "node:assert/strict";
import { test } from "node:test";
import { PRINT, SWORD } from "../description/examples.ts";
import { ALICE, answerTo, BOB } from "../testing/requests.ts";
import { itemOffers, unitOffers } from "./offers.ts";

for (const { sent, answer } of [
  { sent: { holder: ALICE, buyer: BOB, token: "0", state: "open" }, answer: "accepted" },
  { sent: { holder: ALICE, state: "all" }, answer: "3005 holder" },
  { sent: { holder: ALICE, order: "price", token: "0" }, answer: "3005 holder" },
  { sent: { order: "price" }, answer: "1000 token" },
]) {
  test(`offers §7: ${JSON.stringify(sent)}: ${answer}`, () => {
    assert.equal(answerTo(itemOffers, sent), answer);
    assert.equal(answerTo(unitOffers, sent), answer);
  });
}

for (const [list, other] of [
  [itemOffers, { id: SWORD }],
  [itemOffers, { groupid: "swords" }],
  [unitOffers, { id: PRINT }],
] as const) {
  test(`offers §7: no holder with ${JSON.stringify(other)}`, () =>
    assert.equal(answerTo(list, { holder: ALICE, ...other }), "3005 holder"));
}
