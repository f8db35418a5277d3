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

test("mrc402 §18 row 13: totalsupply 99999990: mint 10: 3005; mint 9: 99999999", async () => {
  const x = await trade.alone(c, { totalsupply: "99999990" });
  assert.equal((await trade.supply("mint", c, x, "10")).outcome, "400 3005");
  assert.equal((await trade.supply("mint", c, x, "99999999")).outcome, "400 3005");
  assert.equal((await trade.supply("mint", c, x, "9")).outcome, "done: c +9 units");
  trade.assertItem(x, { totalsupply: "99999999" });
  assert.equal((await trade.supply("mint", c, x, "1")).outcome, "400 3005");
  assert.equal((await trade.supply("burn", c, x, "1")).code, "done");
  assert.equal(
    (await trade.supply("mint", c, x, "1")).outcome,
    "done: c +1 units",
    "burned units make room",
  );
  assert.equal((await trade.supply("melt", c, x, "1")).code, "done");
  assert.equal((await trade.supply("mint", c, x, "1")).outcome, "400 3005", "melted ones do not");
});

test("mrc402 §7: mint takes what is spendable; locked coins are not", async () => {
  c = await trade.newcomer("c", 0n);
  await trade.client.pay(c, 5n, { token: "0" });
  const x = await trade.alone(c, { initialreserve: { "0": "5" } });
  await trade.client.pay(c, 100n, { unlockdate: trade.now + 50 });
  assert.equal((await trade.supply("mint", c, x, "1")).outcome, "400 5000");
  trade.now += 50;
  assert.equal((await trade.supply("mint", c, x, "20")).outcome, "done: c -100, c +20 units");
});

test("mrc402 §7: the order in which a mint refuses", async () => {
  const reserve = { initialreserve: { "0": "1" } };
  const foreign = await trade.alone(a);
  const ended = await trade.alone(c);
  assert.equal((await trade.supply("burn", c, ended, "1")).code, "done");
  const full = await trade.alone(c, { totalsupply: "99999997", initialreserve: {} });
  const huge = await trade.alone(c, { totalsupply: "1", ...reserve });
  await trade.mending("mint", { by: c, stranger: a }, [
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
    [{ mrc402id: full }, "400 3005"],
    [{ mrc402id: huge, amount: "1000" }, "400 5000"],
    [{ amount: "999" }, "done"],
  ]);
});
