import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import type { Address } from "@moneta/protocol";
import type { Params } from "../../testing/admitted.ts";
import type { Answer } from "../../testing/answer.ts";
import { UnitTrade } from "../../testing/trade/unit-trade.ts";

const HOUR = 3600;

let trade: UnitTrade;
let c: Address;
let a: Address;
let b: Address;
beforeEach(async () => {
  trade = await UnitTrade.open({ tokens: 9 });
  ({ c, a, b } = trade.cast);
});
afterEach(() => trade[Symbol.dispose]());

/** B offers 30 coins for each of 10 units. */
function offering(id: string, more: Params = {}): Params {
  return { id, amount: "10", price: "30", token: "0", end: String(trade.now + HOUR), ...more };
}

function accept(by: Address, offerid: string, amount: string, more: Params = {}): Promise<Answer> {
  return trade.client.send("mrc402acceptoffer", by, { offerid, amount, ...more });
}

test("assets §7 row 17: of an offer for 10 units 4 are bought, then 7 are 3004, which names 6, and 6 close it", async () => {
  const x = await trade.x({ creatorcommission: "2.5" }, { a: 20 });
  const made = await trade.client.send("mrc402offer", b, offering(x));
  assert.equal(made.outcome, "done: b -300");
  const offerid = made.made[0] as string;
  trade.now += 1;
  assert.equal(
    (await accept(a, offerid, "4")).outcome,
    "done: c +3, a +117, a -4 units, b +4 units",
  );
  trade.client.assertEntry(offerid, { state: "open", remain_amount: "6", held: "180" });
  const seven = await accept(a, offerid, "7");
  assert.equal(seven.summary, "400 3004 amount");
  assert.match(String(seven.problem?.detail), /only 6 remain/);
  assert.equal(
    (await accept(a, offerid, "6")).outcome,
    "done: c +4, a +176, a -6 units, b +6 units",
  );
  trade.client.assertEntry(offerid, {
    ...{ state: "accepted", remain_amount: "0", held: "0", close_date: trade.now },
  });
  trade.assertItem(x, {
    ...{ last_trade_date: trade.now, last_trade_amount: "180", last_trade_type: "Sell" },
    sell_count: 0,
  });
  assert.equal((await accept(a, offerid, "1")).summary, "409 7106 offerid");
});

test("a price of all units above 10^40 is 1101, and more than the buyer has 5000", async () => {
  const x = await trade.x();
  const price = String(10n ** 40n);
  assert.equal(
    (await trade.client.send("mrc402offer", b, offering(x, { price }))).summary,
    "400 1101 price",
  );
  const dear = offering(x, { price, amount: "1" });
  assert.equal((await trade.client.send("mrc402offer", b, dear)).summary, "400 5000");
});

test("records of an accepted offer for units", async () => {
  const x = await trade.x({ creatorcommission: "2.5" }, { a: 20 });
  const end = String(trade.now + HOUR);
  const made = await trade.client.send("mrc402offer", b, offering(x));
  const offerid = made.made[0] as string;
  const terms = [offerid, b, x, "10", "30", "0", end, "300", made.signature, made.tkey];
  assert.deepEqual([made.record?.type, made.record?.parameters], ["mrc402offer", terms]);
  const { signature, tkey, record } = await accept(a, offerid, "4");
  assert.deepEqual(record?.parameters, [a, offerid, "120", "0", signature, "0", "4", x, tkey]);
  const movement = { from_addr: offerid, amount: "", token: "", trade_amount: "", trade_id: "" };
  const payments = JSON.stringify(
    [
      { to_addr: b, trade_amount: "4", trade_id: x, type: "mrc402_recv_item" },
      { to_addr: c, amount: "3", token: "0", type: "mrc402_recv_fee_creator" },
      { to_addr: a, amount: "117", token: "0", type: "mrc402_recv_sell" },
    ].map((one) => {
      const { from_addr, to_addr, amount, token, trade_amount, trade_id, type } = {
        ...movement,
        ...one,
      };
      return { from_addr, to_addr, amount, token, trade_amount, trade_id, type };
    }),
  );
  const sold = [offerid, a, b, x, "4", payments, signature, tkey];
  assert.deepEqual(
    record?.effects.map(({ type, address, item, parameters }) => [
      type,
      address || item,
      parameters,
    ]),
    [
      ["receive_mrc402acceptoffer", b, [a, b, "120", "0", signature, "0", offerid, "4", x, tkey]],
      ["receive_mrc402fee", c, [offerid, c, "3", "0", signature, "0", "", x, tkey]],
      ["receive_mrc402sell", a, [offerid, a, "117", "0", signature, "0", "", x, tkey]],
      ["mrc402_acceptoffer", x, sold],
      ["mrc402_acceptoffer", offerid, sold],
    ],
  );
});
