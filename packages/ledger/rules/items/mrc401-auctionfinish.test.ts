import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Address } from "@moneta/protocol";
import { assertRecords } from "../../testing/shown/expected-records.ts";
import { paidText, payoutRecords } from "../../testing/shown/item-payouts.ts";
import { AUCTION, AUCTION_MAX } from "../../testing/trade/item-terms.ts";
import { ItemTrade, traded } from "../../testing/trade/item-trade.ts";

let trade: ItemTrade;
let o: Address;
let a: Address;
let b: Address;
let d: Address;
before(async () => {
  trade = await ItemTrade.open({ tokens: 9 });
  ({ o, a, b, d } = trade.cast);
  for (const by of [o, b, d]) {
    await trade.client.pay(by, 10_000n, { token: "2" });
  }
});
after(() => trade[Symbol.dispose]());

test("mrc401 §18 row 72: after 68, T = end: bid 7202; auctionfinish: O +2, A +103, owner D; again 7106", async () => {
  const x = await trade.row68();
  const item = trade.shown(x);
  trade.untilEnd(x);
  for (const amount of ["110", "502", "1"]) {
    assert.equal((await trade.bid(b, x, amount)).outcome, "409 7202");
  }
  trade.now += 5;
  assert.equal((await trade.finish(x)).outcome, "done: o +2, a +103");
  const won = { ...item, ...traded(d, trade.now, ["Auction", "105"]) };
  assert.deepEqual(trade.shown(x), won);
  assert.equal((await trade.finish(x)).outcome, "409 7106");
});

test("mrc401 §18 row 73: auctionfinish at end - 1: 7201; bid at end - 1: accepted, end unchanged", async () => {
  const x = await trade.row68();
  const { auction_end } = trade.shown(x);
  trade.now = auction_end - 1;
  assert.equal((await trade.finish(x)).outcome, "409 7201");
  assert.equal((await trade.bid(b, x, "110")).outcome, "done: b -110, d +105");
  trade.assertItem(x, { auction_end });
});

for (const { how, late, act } of [
  { how: "auctionfinish at the end", late: 0, act: (x: string) => trade.finish(x) },
  { how: "auctionfinish after the end", late: 9, act: (x: string) => trade.finish(x) },
  { how: "unauction before the end", late: -1, act: (x: string) => trade.unauction(a, x) },
  { how: "unauction after the end", late: 9, act: (x: string) => trade.unauction(a, x) },
]) {
  test(`mrc401 §18 row 74: no bid: ${how}: idle, owner A, last_trade unchanged`, async () => {
    const x = await trade.onSale();
    assert.equal((await trade.buy(b, x)).code, "done");
    assert.equal((await trade.transfer(b, x, a)).code, "done");
    const item = trade.shown(x);
    assert.equal((await trade.auction(a, x)).code, "done");
    trade.untilEnd(x);
    trade.now += late;
    assert.equal((await act(x)).outcome, "done");
    assert.deepEqual(trade.shown(x), item);
  });
}

test("mrc401 §2.3: a fresh item that nobody bid for is fresh as before", async () => {
  const x = await trade.fresh();
  const item = trade.shown(x);
  assert.equal((await trade.auction(o, x)).code, "done");
  trade.untilEnd(x);
  assert.equal((await trade.finish(x)).outcome, "done");
  assert.deepEqual(trade.shown(x), item);
});

test("mrc401 §18 row 76: Temporary item on auction with a bid of 105 made Bound: bid 110 7109; auctionfinish at the end: settled, owner D, Bound", async () => {
  const x = await trade.row68({ transferable: "Temporary" });
  await trade.bind(x);
  for (const amount of ["110", "502"]) {
    assert.equal((await trade.bid(b, x, amount)).outcome, "409 7109");
  }
  trade.untilEnd(x);
  assert.equal((await trade.finish(x)).outcome, "done: o +2, a +103");
  const { now } = trade;
  trade.assertItem(x, { ...traded(d, now, ["Auction", "105"]), transferable: "Bound" });
});

test("mrc401 §2.3: an auction whose end is past stays on auction, its bid in escrow; it is closed as of when it is closed", async () => {
  const x = await trade.row68();
  const item = trade.shown(x);
  trade.untilEnd(x);
  trade.now += 10 * AUCTION_MAX;
  assert.deepEqual(trade.shown(x), item);
  assert.equal((await trade.finish(x)).outcome, "done: o +2, a +103");
  trade.assertItem(x, { last_trade_date: trade.now });
});

// biome-ignore format: a line for each case
for (const { what, bid, fee, rest, fresh, winner } of [
  { what: "X", bid: "105", fee: "10", rest: "95", fresh: false, winner: () => b },
  { what: "X with an auction too cheap for a fee", bid: "9", fee: "0", rest: "9", fresh: false, winner: () => b },
  { what: "F1", bid: "105", fee: "0", rest: "105", fresh: true, winner: () => b },
  { what: "X won by O", bid: "105", fee: "10", rest: "95", fresh: false, winner: () => o },
]) {
    test(`mrc401 §17: auctionfinish of ${what}: M of the winner, A of what was paid, I, all without signature and key`, async () => {
      const [id, h, w] = [await (fresh ? trade.fresh() : trade.x()), fresh ? o : a, winner()];
      const token = "2";
      assert.equal((await trade.auction(h, id, { start: bid, token })).code, "done");
      assert.equal((await trade.bid(w, id, bid)).code, "done");
      trade.untilEnd(id);
      const text = paidText(
        ["mrc401_recv_fee", id, o, fee, token],
        ["mrc401_recv_auction", id, h, rest, token],
      );
      const parameters = [id, w, text, "", ""];
      const of = ["receive_mrc401fee", "receive_mrc401auction"] as const;
      const nobody = { signature: "", tkey: "" };
      const movedAtWinner = w === o ? [token] : [];
      assertRecords(trade.client, 
        await trade.finish(id),
        [
          { type: "mrc401_auctionwinning", of: w, parameters, moved: movedAtWinner },
          ...payoutRecords({ id, token, paid: [[of[0], h, o, fee], [of[1], w, h, rest]] }, nobody),
          { type: "mrc401_auctionwinning", of: id, parameters },
        ],
        token,
      );
    });
}

for (const fresh of [false, true]) {
  test(`mrc401 §17: auctionfinish of ${fresh ? "F1" : "X"} without a bid: M of the holder, and I`, async () => {
    const [id, h] = [await (fresh ? trade.fresh() : trade.x()), fresh ? o : a];
    assert.equal((await trade.auction(h, id, { ...AUCTION, token: "2" })).code, "done");
    trade.untilEnd(id);
    const parameters = [id, h, "", "[]", "", ""];
    assertRecords(
      trade.client,
      await trade.finish(id),
      [
        { type: "mrc401_auctionfailure", of: h, parameters },
        { type: "mrc401_auctionfailure", of: id, parameters },
      ],
      "2",
    );
  });
}
