import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import type { Address } from "@moneta/protocol";
import type { Answer } from "../../testing/answer.ts";
import { NOBODY } from "../../testing/trade/item-terms.ts";
import { NO_UNIT_ITEM, UNIT_AUCTION_MIN } from "../../testing/trade/unit-terms.ts";
import { listingsToChoose, UnitTrade } from "../../testing/trade/unit-trade.ts";

let trade: UnitTrade;
let c: Address;
let a: Address;
let b: Address;
let d: Address;
let s: Address;
let m: Address;
beforeEach(async () => {
  trade = await UnitTrade.open({ tokens: 9 });
  ({ c, a, b, d, seller: s, maker: m } = trade.cast);
});
afterEach(() => trade[Symbol.dispose]());

// The listing that a request selects by its item. The rest is in `trades.test.ts`.

test("mrc402 §18 row 31: after it is sold: buy or unsell by the listing id 7102, buy by item id 7106", async () => {
  const x = await trade.x({ creatorcommission: "2.5" }, { a: 10 });
  const dexid = await trade.sale(a, x);
  assert.equal((await trade.buy(b, dexid, "10")).code, "done");
  assert.equal((await trade.buy(d, dexid, "1")).outcome, "409 7102");
  assert.equal((await trade.unsell(a, dexid)).outcome, "409 7102");
  assert.equal((await trade.buy(d, x)).outcome, "409 7106");
  assert.equal((await trade.buy(d, x, "1")).outcome, "409 7106");
});

/** An X of which A and B each sell 10 at 30. */
async function twoSales(): Promise<{ x: string; ofA: string; ofB: string }> {
  const x = await trade.x({}, { a: 10, b: 10 });
  return { x, ofA: await trade.sale(a, x), ofB: await trade.sale(b, x) };
}

test("mrc402 §18 row 32: A and B both sell X; D buys by item id: 7107 with both; by listing id: accepted; after A's unsell by item id: B's", async () => {
  const { x, ofA, ofB } = await twoSales();
  assert.equal((await trade.buy(d, x)).outcome, "409 7107");
  assert.deepEqual(listingsToChoose(await trade.buy(d, x)), [ofA, ofB].toSorted());
  assert.deepEqual(listingsToChoose(await trade.buy(d, x, "2")), [ofA, ofB].toSorted());
  const byListing = () => trade.buy(d, ofA, "2");
  assert.equal((await byListing()).outcome, "done: a +60, d -60, a -2 on sale, d +2 units");
  const unsell = () => trade.send("unsell", a, { itemdata: [x] });
  assert.equal((await unsell()).outcome, "done: a +8 units, a -8 on sale");
  assert.equal((await trade.buy(d, x)).outcome, "done: b +30, d -30, b -1 on sale, d +1 units");
});

test("mrc402 §18 row 33: only A sells X and A buys by item id: 3004; A and B sell, A buys by item id: buys B's", async () => {
  const alone = await trade.x({}, { a: 10 });
  await trade.sale(a, alone);
  assert.equal((await trade.buy(a, alone)).outcome, "400 3004");
  assert.equal((await trade.buy(a, alone, "1")).outcome, "400 3004");
  const { x } = await twoSales();
  assert.equal((await trade.buy(a, x)).outcome, "done: a -30, b +30, a +1 units, b -1 on sale");
});

test("mrc402 §18 row 34: listing of 5 at 30: buy by item id without amount: 1 unit, P 30; by listing id without amount: 1000", async () => {
  const x = await trade.x({}, { a: 5 });
  const dexid = await trade.sale(a, x, { amount: "5" });
  const bought = "done: a +30, b -30, a -1 on sale, b +1 units";
  assert.equal((await trade.buy(b, x)).outcome, bought);
  assert.equal((await trade.send("buy", b, { id: dexid })).outcome, "400 1000");
  const three = "done: a +90, b -90, a -3 on sale, b +3 units";
  assert.equal((await trade.buy(b, x, "3")).outcome, three);
});

test("mrc402 §13: the order in which buy refuses by item", async () => {
  const e = await trade.newcomer("e", 29n);
  const [own, idle, several, x] = [
    await trade.x(),
    await trade.x({}, { a: 1 }),
    await trade.x({}, { a: 10, b: 10 }),
    await trade.x({}, { a: 10 }),
  ];
  const bound = await trade.u({ transferable: "Temporary" }, { a: 1 });
  await trade.give(own, trade.cast.c, e, "10");
  await trade.sale(e, own);
  await trade.sale(a, several);
  await trade.sale(b, several);
  await trade.sale(a, x);
  await trade.sale(a, bound, { amount: "1" });
  await trade.bind(bound);
  await trade.mending("buy", { by: e, stranger: d }, [
    [{ id: NO_UNIT_ITEM, buyer: NOBODY, amount: "x", price: "31" }, "400 1101"],
    [{ amount: "0" }, "400 1107"],
    [{ amount: "11" }, "404 6004"],
    [{ id: own }, "404 3090"],
    [{ buyer: e }, "key"],
    [{}, "400 3004"],
    [{ id: idle }, "409 7106"],
    [{ id: several }, "409 7107"],
    [{ id: bound }, "409 7109"],
    [{ id: x }, "409 7112"],
    [{ price: "" }, "400 3004"],
    [{ amount: "" }, "400 5000"],
  ]);
});

test("mrc402 §2.7: an item that has ended, and one that was never listed, is not on sale", async () => {
  const ended = await trade.x({ totalsupply: "1" });
  assert.equal((await trade.send("melt", c, { mrc402id: ended })).code, "done");
  for (const id of [ended, await trade.x()]) {
    assert.equal((await trade.buy(b, id)).outcome, "409 7106");
    assert.equal((await trade.bid(b, id, "100")).outcome, "409 7106");
  }
});

test("mrc402 §2.7: a bid by item means the auction of another; 3004 if there is only the bidder's own", async () => {
  const x = await trade.x({}, { a: 5, b: 5 });
  await trade.lot(b, x);
  assert.equal((await trade.bid(b, x, "100")).outcome, "400 3004");
  const ofA = await trade.lot(a, x);
  assert.equal((await trade.bid(b, x, "100")).outcome, "done: b -100");
  trade.assertListing(ofA, { auction_current_bidder: b });
});

test("mrc402 §2.7: a bid by item means the only auction of others, announced and ended ones included; 7107 with all of several", async () => {
  const x = await trade.x({}, { a: 20 });
  const { now } = trade;
  const ends = (at: number) => ({ auction_end_date: String(now + at) });
  const future = await trade.lot(a, x, {
    auction_start_date: String(now + 5000),
    ...ends(9000),
  });
  assert.equal((await trade.bid(b, x, "100")).outcome, "409 7203");
  const short = await trade.lot(a, x, ends(3600));
  const choose = async () => listingsToChoose(await trade.bid(d, x, "100"));
  assert.equal((await trade.bid(b, x, "100")).outcome, "409 7107");
  assert.deepEqual(await choose(), [short, future].toSorted());
  assert.equal((await trade.bid(b, short, "100")).outcome, "done: b -100");
  trade.now = now + 3600;
  assert.deepEqual(await choose(), [short, future].toSorted());
  assert.equal((await trade.finish(short)).code, "done");
  assert.equal((await trade.bid(d, x, "105")).outcome, "409 7203");
  trade.now = now + 9000;
  assert.equal((await trade.bid(d, x, "105")).outcome, "409 7202");
});

test("mrc402 §18 row 55: bid with token 7 in an auction for 0: 3004; item form without token, string id|100||tkey: accepted", async () => {
  const u = await trade.u({ totalsupply: "5" }, { a: 5 });
  const dexid = await trade.lot(a, u);
  for (const id of [u, dexid]) {
    assert.equal((await trade.bid(b, id, "100", { token: "7" })).outcome, "400 3004");
  }
  assert.equal((await trade.bid(b, u, "100")).outcome, "done: b -100");
});

test("mrc402 §16: the order in which bid refuses by item", async () => {
  const e = await trade.newcomer("e", 199n);
  const [own, idle, several, x] = [
    await trade.x(),
    await trade.x({}, { a: 5 }),
    await trade.x({}, { a: 10 }),
    await trade.x({}, { a: 5 }),
  ];
  await trade.give(own, c, e, "5");
  await trade.lot(e, own);
  const ids = [await trade.lot(a, several), await trade.lot(a, several)];
  const mine = await trade.x({}, { a: 5 });
  await trade.lot(a, mine, {}, [[e, "100"]]);
  await trade.lot(a, x);
  await trade.mending("bid", { by: e, stranger: d }, [
    [{ id: NO_UNIT_ITEM, buyer: NOBODY, token: "7" }, "400 1000"],
    [{ amount: "x" }, "400 1101"],
    [{ amount: "104" }, "404 6004"],
    [{ id: own }, "404 3090"],
    [{ buyer: e }, "key"],
    [{}, "400 3004"],
    [{ id: idle }, "409 7106"],
    [{ id: several }, "409 7107"],
    [{ id: mine }, "409 7105"],
    [{ id: x }, "400 3004"],
    [{ token: "" }, "400 3004"],
    [{ amount: "100" }, "400 5000"],
  ]);
  assert.deepEqual(listingsToChoose(await trade.bid(e, several, "100")), ids.toSorted());
});

test("mrc402 §18 row 59: two auctions of X past their end, T-5 and T-9; auctionfinish by item id twice, then again: T-9, then T-5, then 7106", async () => {
  const x = await trade.x({}, { a: 15, b: 5 });
  const ends = (after: number) => ({
    auction_end_date: String(trade.now + UNIT_AUCTION_MIN + after),
  });
  const later = await trade.lot(a, x, ends(4));
  const earlier = await trade.lot(b, x, ends(0));
  const [first, second] = [await trade.lot(a, x, ends(10)), await trade.lot(a, x, ends(10))];
  trade.now += UNIT_AUCTION_MIN + 9;
  assert.equal((await trade.finish(x)).outcome, "done: b +5 units, b -5 on auction");
  trade.assertListing(earlier, { state: "failed" });
  const back = "done: a +5 units, a -5 on auction";
  assert.equal((await trade.finish(x)).outcome, back);
  trade.assertListing(later, { state: "failed" });
  assert.equal((await trade.finish(x)).outcome, "409 7201");
  trade.now += 1;
  for (const dexid of [first, second]) {
    assert.equal((await trade.finish(x)).outcome, back);
    trade.assertListing(dexid, { state: "failed" });
  }
  assert.equal((await trade.finish(x)).outcome, "409 7106");
});

test("mrc402 §2.3: an agent's auction is won: the creator is paid; the bidder may be the agent, not the creator", async () => {
  const u = await trade.u({ sell_fee: "10", totalsupply: "5" });
  const dexid = await trade.lot(s, u);
  trade.assertListing(dexid, { seller: m, agent: s });
  assert.equal((await trade.bid(m, dexid, "100")).outcome, "400 3004");
  assert.equal((await trade.bid(s, dexid, "100")).outcome, "done: seller -100");
  trade.untilEnd(dexid);
  const moved = "seller +5 units, maker -5 on auction";
  const finish = (): Promise<Answer> => trade.finish(dexid);
  assert.equal((await finish()).outcome, `done: o +10, maker +90, ${moved}`);
});
