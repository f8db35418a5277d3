import assert from "node:assert/strict";
import { test } from "node:test";
import { tradePrice } from "./trade-prices.ts";

test("the price of a trade is that of one whole token in whole tokens of the payment", () => {
  // 5 BEAN with 2 decimals for 2.25 TST with 8.
  const price = tradePrice({ amount: 500n, payment: 225_000_000n }, { ofToken: 2, ofPayment: 8 });
  assert.ok(Math.abs(price - 0.45) < 1e-12);
  const huge = tradePrice(
    { amount: 10n ** 40n, payment: 2n * 10n ** 40n },
    { ofToken: 0, ofPayment: 0 },
  );
  assert.ok(Math.abs(huge - 2) < 1e-12);
});
