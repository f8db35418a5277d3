import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Address } from "@moneta/protocol";
import { ItemTrade } from "../../testing/trade/item-trade.ts";

let trade: ItemTrade;
let a: Address;
before(async () => {
  trade = await ItemTrade.open({ tokens: 9 });
  ({ a } = trade.cast);
});
after(() => trade[Symbol.dispose]());

test("mrc401 §18 row 61: unsell of X not on sale 7106, on auction too; itemdata absent 1000; an element of 80 characters 6004", async () => {
  const x = await trade.x();
  assert.equal((await trade.unsell(a, x)).outcome, "409 7106");
  const auctioned = await trade.onAuction();
  assert.equal((await trade.unsell(a, auctioned)).outcome, "409 7106");
  assert.equal((await trade.send("mrc401unsell", a, {})).said, "400 1000 itemdata");
  const sold = await trade.onSale();
  assert.equal((await trade.unsell(a, sold, x.slice(1))).said, "404 6004 itemdata[1]");
});

test("mrc401 §11: unsell: as before the sale, but for nothing", async () => {
  const x = await trade.x();
  const item = trade.shown(x);
  assert.equal((await trade.sell(a, x, { token: "9" })).code, "done");
  trade.assertItem(x, { sell_token: "9" });
  trade.now += 5;
  assert.equal((await trade.unsell(a, x)).outcome, "done");
  assert.deepEqual(trade.shown(x), item);
});
