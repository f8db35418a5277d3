import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { priceStep } from "./price-step.ts";

describe("a price for one whole token", () => {
  // Decimals, price of a whole token, step and its price.
  const ROWS: readonly (readonly [number, bigint, readonly [bigint, bigint] | undefined])[] = [
    [0, 3n, [1n, 3n]],
    [2, 300n, [1n, 3n]],
    [2, 3n, [100n, 3n]],
    [2, 30n, [10n, 3n]],
    [8, 1n, [100_000_000n, 1n]],
    [8, 150_000_000n, [10n, 15n]],
    [18, 10n ** 18n, [1n, 1n]],
    [18, 10n ** 10n, [100_000_000n, 1n]],
    [18, 10n ** 9n, undefined],
    [9, 15n, undefined],
  ];
  for (const [decimals, price, step] of ROWS) {
    test(`${price} with ${decimals} decimals is paid in steps of ${step?.[0] ?? "none"}`, () => {
      const found = priceStep(price, decimals);
      assert.deepEqual(found && [found.unit, found.price], step);
    });
  }
});
