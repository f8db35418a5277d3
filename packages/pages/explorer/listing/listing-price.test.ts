import assert from "node:assert/strict";
import { test } from "node:test";
import type { TokenListing } from "@moneta/sdk";
import { payTokenOf, priceOf } from "./listing-price.ts";

const listing = (own: Partial<TokenListing>): TokenListing =>
  ({
    side: "sell",
    amount: 5000n,
    min_trade_unit: 100n,
    sell_price: 3n,
    sell_token: "7",
    buy_token: "8",
    ...own,
  }) as TokenListing;

test("the price of an offer is that of one whole token, exactly", () => {
  assert.deepEqual(priceOf(listing({}), 2), { price: 3n, of: 100n });
  assert.deepEqual(priceOf(listing({ min_trade_unit: 1n }), 2), { price: 300n, of: 100n });
});

test("the price is that of a trade unit where a whole token is no multiple of it", () => {
  assert.deepEqual(priceOf(listing({}), 0), { price: 3n, of: 100n });
});

test("a request has its own price and token", () => {
  const request = listing({ side: "buy", buy_price: 4n, sell_price: undefined });
  assert.deepEqual(priceOf(request, 2), { price: 4n, of: 100n });
  assert.equal(payTokenOf(request), "8");
  assert.equal(payTokenOf(listing({})), "7");
});

test("the price of an auction is the highest bid, else the first, for the whole lot", () => {
  const auction = listing({ side: "auction", auction_start_price: 10n });
  assert.deepEqual(priceOf(auction, 2), { price: 10n, of: 5000n });
  const bid = { ...auction, auction_current_price: 12n };
  assert.deepEqual(priceOf(bid, 2), { price: 12n, of: 5000n });
});
