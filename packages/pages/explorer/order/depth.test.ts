import assert from "node:assert/strict";
import { test } from "node:test";
import { deepLevels, depthOf, spreadOf } from "./depth.ts";

const level = (price: bigint, qtt: bigint) => ({ price, qtt, orders: 1 });

test("the depth of a level is what all levels down to it have, of any length", () => {
  const levels = [level(1n, 3n), level(2n, 10n ** 40n), level(9n, 4n)];
  assert.deepEqual(
    deepLevels(levels).map(({ sum }) => sum),
    [3n, 10n ** 40n + 3n, 10n ** 40n + 7n],
  );
  assert.deepEqual(deepLevels([]), []);
});

test("the spread is exact, and a share of the middle; a book of one side has none", () => {
  assert.deepEqual(spreadOf([level(90n, 1n)], [level(110n, 1n)]), { amount: 20n, ofMiddle: 0.2 });
  const [low, high] = [10n ** 40n - 1n, 10n ** 40n];
  assert.equal(spreadOf([level(low, 1n)], [level(high, 1n)])?.amount, 1n);
  assert.equal(spreadOf([], [level(110n, 1n)]), undefined);
  assert.equal(spreadOf([level(90n, 1n)], []), undefined);
});

test("the depth of a book has what each side trades down to a price, without far levels", () => {
  const bids = [level(100n, 1n), level(90n, 2n), level(49n, 9n)];
  const asks = [level(110n, 4n), level(220n, 8n), level(221n, 9n)];
  assert.deepEqual(depthOf(bids, asks), {
    prices: [90n, 100n, 110n, 220n],
    bids: [3n, 1n, undefined, undefined],
    asks: [undefined, undefined, 4n, 12n],
  });
  assert.deepEqual(depthOf([], asks.slice(0, 1)), {
    prices: [110n],
    bids: [undefined],
    asks: [4n],
  });
  assert.deepEqual(depthOf([], []), { prices: [], bids: [], asks: [] });
});
