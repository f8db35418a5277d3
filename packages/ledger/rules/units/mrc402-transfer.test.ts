import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import type { Address } from "@moneta/protocol";
import type { Params } from "../../testing/admitted.ts";
import type { Answer } from "../../testing/answer.ts";
import { TestClient } from "../../testing/test-client.ts";
import { NOBODY, NOBODY_ELSE } from "../../testing/trade/item-terms.ts";
import { NO_UNIT_ITEM } from "../../testing/trade/unit-terms.ts";
import { type UnitCast, UnitTrade } from "../../testing/trade/unit-trade.ts";

let client: TestClient;
let trade: UnitTrade;
let cast: UnitCast;
let c: Address;
let a: Address;
let b: Address;
let o: Address;
before(async () => {
  client = await TestClient.open({ tokens: 9 });
});
after(() => client[Symbol.dispose]());
beforeEach(async () => {
  trade = await UnitTrade.on(client, 1000n);
  ({ cast } = trade);
  ({ c, a, b, o } = cast);
});

function transfer(
  from: Address,
  to: Address,
  mrc402id: string,
  amount?: string,
  more: Params = {},
): Promise<Answer> {
  const given = amount === undefined ? {} : { amount };
  const params = { mrc402id, toAddr: to, ...given, ...more };
  return trade.send("transfer", from, params);
}

async function setTransferable(id: string, transferable: string): Promise<Answer> {
  const itemdata = [{ id, transferable }];
  return trade.send("itemupdate", o, { mrc400id: cast.project, itemdata });
}

test("mrc402 §18 row 3: C sends 3 to A in quantity form, then 1 in item form: C 96, A 4, owner empty, holders 2", async () => {
  c = await trade.newcomer("c", 500n, { "7": 1000n });
  const initialreserve = { "0": "5", "7": "10" };
  const x = await trade.alone(c, { totalsupply: "100", initialreserve });
  trade.assertItem(x, { owner: c, holders: 1 });
  assert.equal((await transfer(c, a, x, "3")).outcome, "done: a +3 units, c -3 units");
  assert.equal((await transfer(c, a, x)).outcome, "done: a +1 units, c -1 units");
  assert.deepEqual([trade.has(c, x), trade.has(a, x)], ["96", "4"]);
  const reserve = { "0": "500", "7": "1000" };
  trade.assertItem(x, { owner: "", holders: 2, totalsupply: "100", reserve });
});

test("mrc402 §6: the order in which a transfer refuses", async () => {
  const { project } = cast;
  const foreign = await trade.alone(c, { totalsupply: "9" });
  const ended = await trade.item(project, o, { transferable: "Temporary" });
  await trade.give(ended, o, a);
  assert.equal((await trade.send("melt", a, { mrc402id: ended })).code, "done");
  const bound = await trade.item(project, o, { transferable: "Temporary", totalsupply: "4" });
  await trade.give(bound, o, a, "4");
  await trade.list("sell", a, bound, { amount: "2" });
  assert.equal((await setTransferable(bound, "Bound")).code, "done");
  const listed = await trade.x({ totalsupply: "9" }, { a: 4 });
  await trade.list("sell", a, listed, { amount: "2" });
  await trade.mending("transfer", { by: a, stranger: c }, [
    [{ mrc402id: NO_UNIT_ITEM, fromAddr: NOBODY, toAddr: "", amount: "x" }, "400 1000"],
    [{ toAddr: NOBODY }, "400 1101"],
    [{ amount: "0" }, "400 1206"],
    [{ amount: "3", toAddr: "MTx" }, "400 3190"],
    [{ toAddr: NOBODY }, "400 3201"],
    [{ toAddr: NOBODY_ELSE }, "404 3090"],
    [{ fromAddr: a }, "404 3090"],
    [{ toAddr: b }, "404 6004"],
    [{ mrc402id: foreign }, "key"],
    [{}, "403 7001"],
    [{ mrc402id: ended }, "409 7110"],
    [{ mrc402id: bound }, "409 7109"],
    [{ mrc402id: listed }, "409 7108"],
    [{ amount: "5" }, "400 5000"],
    [{ amount: "2" }, "done"],
  ]);
  const both = { mrc402id: NO_UNIT_ITEM, toAddr: NOBODY_ELSE };
  assert.equal(
    (await trade.send("transfer", a, { ...both, fromAddr: NOBODY })).summary,
    "404 3090 fromAddr",
  );
  assert.equal((await trade.send("transfer", a, both)).summary, "404 3090 toAddr");
});
