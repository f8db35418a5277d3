import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import type { Address } from "@moneta/protocol";
import { NOBODY } from "../../testing/trade/item-terms.ts";
import { NO_UNIT_ITEM } from "../../testing/trade/unit-terms.ts";
import { UnitTrade } from "../../testing/trade/unit-trade.ts";

let trade: UnitTrade;
let c: Address;
let a: Address;
beforeEach(async () => {
  trade = await UnitTrade.open({ coins: 1000n });
  ({ c, a } = trade.cast);
});
afterEach(() => trade[Symbol.dispose]());

test("mrc402 §18 row 7: X 10, A melted 4, C holds 6 and burns 6: totalsupply 4, E 0, owner BURNED, melting_date 0; mint 1: 7110", async () => {
  const x = await trade.x({ totalsupply: "10" }, { a: 4 });
  assert.equal((await trade.supply("melt", a, x, "4")).code, "done");
  assert.equal((await trade.supply("burn", c, x, "6")).outcome, "done: c -6 units");
  trade.assertItem(x, {
    totalsupply: "4",
    meltedamount: "4",
    burnedamount: "6",
    owner: "BURNED",
    holders: 0,
    melting_date: 0,
  });
  assert.equal((await trade.supply("mint", c, x, "1")).outcome, "409 7110");
});

for (const side of ["sell", "auction"] as const) {
  test(`mrc402 §18 row 14: C has 10, ${side === "sell" ? "sells" : "auctions"} 8 of them, burns 3: 7108; 2: accepted; 11: 5000`, async () => {
    const x = await trade.alone(c, { totalsupply: "10", initialreserve: { "0": "5" } });
    await trade.list(side, c, x, { amount: "8" });
    assert.equal((await trade.supply("burn", c, x, "3")).outcome, "409 7108");
    assert.equal((await trade.supply("burn", c, x, "10")).outcome, "409 7108");
    assert.equal((await trade.supply("burn", c, x, "11")).outcome, "400 5000");
    assert.equal((await trade.supply("burn", c, x, "2")).outcome, "done: c +10, c -2 units");
    assert.equal((await trade.supply("burn", c, x, "1")).outcome, "409 7108");
    assert.equal((await trade.supply("melt", c, x, "1")).outcome, "409 7108");
    trade.assertItem(x, { totalsupply: "8", owner: c });
  });
}

test("mrc402 §7: the order in which a burn refuses", async () => {
  const foreign = await trade.alone(a);
  const ended = await trade.alone(c);
  assert.equal((await trade.supply("burn", c, ended, "1")).code, "done");
  const listed = await trade.alone(c, { totalsupply: "4" });
  await trade.list("sell", c, listed, { amount: "2" });
  await trade.mending("burn", { by: c, stranger: a }, [
    [{ mrc402id: NO_UNIT_ITEM, address: NOBODY, memo: "m".repeat(1025) }, "400 1000"],
    [{ memo: "", amount: "x" }, "400 1101"],
    [{ amount: "0" }, "400 1206"],
    [{ amount: "3", memo: "m".repeat(1025) }, "400 3005"],
    [{ memo: "", address: "MTx" }, "400 3190"],
    [{ address: NOBODY }, "404 6004"],
    [{ mrc402id: foreign }, "404 3090"],
    [{ address: c }, "key"],
    [{}, "403 7002"],
    [{ mrc402id: ended }, "409 7110"],
    [{ mrc402id: listed }, "409 7108"],
    [{ amount: "5" }, "400 5000"],
    [{ amount: "2" }, "done"],
  ]);
});
