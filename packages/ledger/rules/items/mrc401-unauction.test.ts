import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Address } from "@moneta/protocol";
import { ItemTrade } from "../../testing/trade/item-trade.ts";

let trade: ItemTrade;
let o: Address;
let a: Address;
before(async () => {
  trade = await ItemTrade.open({ tokens: 9 });
  ({ o, a } = trade.cast);
});
after(() => trade[Symbol.dispose]());

test("mrc401 §18 row 75: unauction with a bid 7104; of X not on auction 7106, on sale too; auctionfinish of X not on auction 7106", async () => {
  const x = await trade.row68();
  assert.equal((await trade.unauction(a, x)).outcome, "409 7104");
  trade.untilEnd(x);
  assert.equal((await trade.unauction(a, x)).outcome, "409 7104");
  for (const idle of [await trade.x(), await trade.onSale(), await trade.fresh()]) {
    const by = trade.shown(idle).owner === "" ? o : a;
    assert.equal((await trade.unauction(by, idle)).outcome, "409 7106");
    assert.equal((await trade.finish(idle)).outcome, "409 7106");
  }
});
