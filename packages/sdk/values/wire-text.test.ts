import assert from "node:assert/strict";
import { test } from "node:test";
import { readAmounts, wireTexts } from "./wire-text.ts";

test("integers of all kinds are their digits, texts go as they are, and what is absent or empty is left out", () => {
  assert.deepEqual(
    wireTexts({ a: 10n ** 40n, b: 7, c: " x|é ", d: undefined, e: null, f: "", g: 0 }, true),
    { a: `1${"0".repeat(40)}`, b: "7", c: " x|é ", g: "0" },
  );
});

test("writes take lists and objects as JSON with amounts as texts", () => {
  assert.deepEqual(
    wireTexts({ list: [{ amount: 5n, unlockdate: 0 }], reserve: { "0": 3n } }, true),
    { list: '[{"amount":"5","unlockdate":0}]', reserve: '{"0":"3"}' },
  );
});

test("reads take lists with commas", () => {
  assert.deepEqual(wireTexts({ type: ["transfer", "receive"], token: [0, "7"] }, false), {
    type: "transfer,receive",
    token: "0,7",
  });
});

test("amounts are read where the paths say, in lists, under any name, and nowhere else", () => {
  const answer = {
    items: [
      { balance: "5", token: "7", price: "" },
      { balance: "0", token: "8", price: "3" },
    ],
    reserve: { "0": "490", "7": "980" },
    tier: [{ balance: "not an amount" }],
  };
  assert.deepEqual(readAmounts(answer, "items.balance items.price reserve.*"), {
    items: [
      { balance: 5n, token: "7", price: undefined },
      { balance: 0n, token: "8", price: 3n },
    ],
    reserve: { "0": 490n, "7": 980n },
    tier: [{ balance: "not an amount" }],
  });
});

test("a list at the top and members that are missing are no trouble", () => {
  assert.deepEqual(readAmounts([{ balance: "1" }, {}, null], "balance locked.amount"), [
    { balance: 1n },
    {},
    null,
  ]);
});
