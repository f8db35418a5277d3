import assert from "node:assert/strict";
import { test } from "node:test";
import type { TokenTrade } from "@moneta/sdk";
import { merged, pricesOf, tradePrice } from "./trade-prices.ts";

const trade = (id: number, amount: bigint, payment: bigint): TokenTrade =>
  ({ transaction_id: String(id), timestamp: id, amount, payment }) as TokenTrade;

test("the price of a trade is that of one whole token in whole tokens of the payment", () => {
  // 5 BEAN with 2 decimals for 2.25 TST with 8.
  const price = tradePrice(trade(1, 500n, 225_000_000n), { ofToken: 2, ofPayment: 8 });
  assert.ok(Math.abs(price - 0.45) < 1e-12);
  const huge = tradePrice(trade(1, 10n ** 40n, 2n * 10n ** 40n), { ofToken: 0, ofPayment: 0 });
  assert.ok(Math.abs(huge - 2) < 1e-12);
});

test("a chart has each trade once, the oldest first", () => {
  const [a, b, c] = [trade(1, 1n, 3n), trade(2, 1n, 5n), trade(3, 1n, 4n)] as const;
  const all = merged([c, b], [b, a], ({ transaction_id }) => transaction_id);
  assert.deepEqual(pricesOf(all, { ofToken: 0, ofPayment: 0 }), {
    times: [1, 2, 3],
    prices: [3, 5, 4],
  });
});
