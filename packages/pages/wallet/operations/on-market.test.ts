import assert from "node:assert/strict";
import { test } from "node:test";
import { marketAction, type OnMarket } from "./on-market.ts";

const SALE: OnMarket = {
  ...{ side: "sell", begins: 0, ends: 0 },
  ...{ token: "0", bidder: "", start: 1n, unit: 1n, current: 0n, buyNow: 0n },
};
const AUCTION: OnMarket = { ...SALE, side: "auction", begins: 100, ends: 200 };

const at = (what: OnMarket, isOwn: boolean, ...times: readonly number[]) =>
  times.map((now) => marketAction(what, isOwn, { address: "MTme", now }));

test("what is on sale is bought, or taken back by its seller", () => {
  assert.deepEqual(at(SALE, false, 50), ["buy"]);
  assert.deepEqual(at(SALE, true, 50), ["take-back"]);
  assert.deepEqual(at({ ...SALE, side: "buy" }, false, 50), ["accept"]);
  assert.deepEqual(at({ ...SALE, side: "buy" }, true, 50), ["withdraw"]);
});

test("what is on sale is bought from the beginning of the sale until its end", () => {
  const sale = { ...SALE, begins: 100, ends: 200 };
  assert.deepEqual(at(sale, false, 99, 100, 199, 200), [undefined, "buy", "buy", undefined]);
});

test("an auction takes bids from its beginning on, and anybody closes it at its end", () => {
  assert.deepEqual(at(AUCTION, false, 99, 100, 199, 200), [undefined, "bid", "bid", "finish"]);
  const own = { ...AUCTION, bidder: "MTme" };
  assert.deepEqual(at(own, false, 150), [undefined]);
  assert.deepEqual(at({ ...own, buyNow: 5n }, false, 150), ["bid"]);
});

test("an auction of one's own can be cancelled until the first bid, also before it begins", () => {
  assert.deepEqual(at(AUCTION, true, 99, 100, 200), ["cancel-auction", "cancel-auction", "finish"]);
  assert.deepEqual(at({ ...AUCTION, bidder: "MTyou" }, true, 150), [undefined]);
});
