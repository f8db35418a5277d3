import assert from "node:assert/strict";
import { test } from "node:test";
import { quickAction } from "./quick-action.ts";

const SALE = { side: "sell", hasBid: false, begins: 0, ends: 0 } as const;
const AUCTION = { side: "auction", hasBid: false, begins: 100, ends: 200 } as const;

test("what is on sale is bought, or taken back by its seller", () => {
  assert.equal(quickAction({ ...SALE, isOwn: false }, 50), "buy");
  assert.equal(quickAction({ ...SALE, isOwn: true }, 50), "take-back");
  assert.equal(quickAction({ ...SALE, side: "buy", isOwn: false }, 50), "accept");
  assert.equal(quickAction({ ...SALE, side: "buy", isOwn: true }, 50), "withdraw");
});

test("what is on sale is bought from the beginning of the sale until its end", () => {
  const sale = { ...SALE, isOwn: false, begins: 100, ends: 200 };
  const at = [99, 100, 199, 200].map((now) => quickAction(sale, now));
  assert.deepEqual(at, [undefined, "buy", "buy", undefined]);
});

test("an auction takes bids from its beginning on, and anybody closes it at its end", () => {
  const others = { ...AUCTION, isOwn: false };
  const at = [99, 100, 199, 200].map((now) => quickAction(others, now));
  assert.deepEqual(at, [undefined, "bid", "bid", "finish"]);
});

test("an auction of one's own can be cancelled until somebody bids, also before it begins", () => {
  const own = { ...AUCTION, isOwn: true };
  const at = [99, 100, 200].map((now) => quickAction(own, now));
  assert.deepEqual(at, ["cancel-auction", "cancel-auction", "finish"]);
  assert.equal(quickAction({ ...own, hasBid: true }, 150), undefined);
});
