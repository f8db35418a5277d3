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
  assert.ok(readAmounts(answer, "items.balance items.price reserve.*"));
  assert.deepEqual(answer, {
    items: [
      { balance: 5n, token: "7", price: undefined },
      { balance: 0n, token: "8", price: 3n },
    ],
    reserve: { "0": 490n, "7": 980n },
    tier: [{ balance: "not an amount" }],
  });
});

test("a list at the top and members that are missing are no trouble", () => {
  const answer = [{ balance: "1" }, {}, null];
  assert.ok(readAmounts(answer, "balance locked.amount"));
  assert.deepEqual(answer, [{ balance: 1n }, {}, null]);
});

test("what is no amount where one must be is found, and keys of prototypes are keys like others", () => {
  assert.ok(!readAmounts({ items: [{ balance: "1" }, { balance: "1.5" }] }, ">balance"));
  const answer = JSON.parse('{"reserve":{"__proto__":"5","constructor":"6"}}') as object;
  assert.ok(readAmounts(answer, "reserve.*"));
  const { reserve } = answer as { readonly reserve: object };
  assert.deepEqual(Object.values(reserve), [5n, 6n]);
  assert.equal(Object.getPrototypeOf(reserve), Object.prototype);
});
