import assert from "node:assert/strict";
import { test } from "node:test";
import type { Item, TokenListing } from "@moneta/sdk";
import { actOn } from "./act-on.ts";

const NOW = 1000;
const NO_BID = { auction_current_bidder: "", auction_buynow_price: 0n };
const item = (own: Partial<Item>) =>
  actOn({ ...NO_BID, sell_date: 0, auction_date: 0, auction_end: 0, ...own } as Item, NOW);
const listing = (own: Partial<TokenListing>) =>
  actOn(
    {
      ...NO_BID,
      state: "open",
      auction_start_date: 0,
      auction_end_date: 0,
      ...own,
    } as TokenListing,
    NOW,
  );

test("anybody can buy from an open sale, bid while an auction is open, and sell to a request", () => {
  assert.equal(item({}), undefined);
  assert.equal(item({ sell_date: 1 }), "buy");
  assert.equal(item({ sell_date: 1, sell_start: NOW + 1 }), undefined);
  assert.equal(item({ sell_date: 1, sell_end: NOW }), undefined);
  assert.equal(item({ auction_date: 1, auction_end: NOW + 1 }), "bid");
  assert.equal(item({ auction_date: 1, auction_end: NOW }), undefined);
  assert.equal(listing({ side: "sell" }), "buy");
  assert.equal(listing({ side: "buy" }), "accept");
  assert.equal(listing({ side: "auction", auction_end_date: NOW + 1 }), "bid");
  assert.equal(
    listing({ side: "auction", auction_start_date: NOW + 1, auction_end_date: NOW + 2 }),
    undefined,
  );
  assert.equal(listing({ side: "sell", state: "sold" }), undefined);
});
