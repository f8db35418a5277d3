import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import type { Address } from "@moneta/protocol";
import type { Params } from "../../testing/admitted.ts";
import type { Element } from "../../testing/trade/creations.ts";
import { NOBODY } from "../../testing/trade/item-terms.ts";
import { NO_UNIT_ITEM, NO_UNIT_LISTING } from "../../testing/trade/unit-terms.ts";
import { listingsToChoose, UnitTrade } from "../../testing/trade/unit-trade.ts";

// POST /mrc402/unsell and POST /mrc402/unauction: mrc402 §12, §15.

let trade: UnitTrade;
let a: Address;
let b: Address;
let d: Address;
beforeEach(async () => {
  trade = await UnitTrade.open({ tokens: 9 });
  ({ a, b, d } = trade.cast);
});
afterEach(() => trade[Symbol.dispose]());

test("mrc402 §18 row 29: after the first two purchases of 27: unsell: A +5 units, cancelled, remain_amount 5; again 7101; buy 7101", async () => {
  const x = await trade.x({ creatorcommission: "2.5" }, { a: 10 });
  const dexid = await trade.sale(a, x);
  for (const amount of ["1", "4"]) {
    assert.equal((await trade.buy(b, dexid, amount)).code, "done");
  }
  trade.now += 1;
  assert.equal((await trade.unsell(a, dexid)).outcome, "done: a +5 units, a -5 on sale");
  trade.assertListing(dexid, {
    state: "cancelled",
    remain_amount: "5",
    cancel_date: trade.now,
    sell_date: 0,
  });
  trade.assertItem(x, { sell_count: 0, sell_dexid: "", sell_date: 0, sell_price: "0" });
  assert.equal((await trade.unsell(a, dexid)).outcome, "409 7101");
  const again = () => trade.send("unsell", a, { itemdata: [dexid] });
  assert.equal((await again()).outcome, "409 7101");
  assert.equal((await trade.buy(b, dexid, "1")).outcome, "409 7101");
});

for (const { word, undo } of [
  { word: "sell", undo: "unsell" },
  { word: "auction", undo: "unauction" },
] as const) {
  test(`mrc402 §18 row 36: A has two open ones of X; ${undo} ["X"]: 7107; ["DEX402_…"]: cancelled`, async () => {
    const x = await trade.x({}, { a: 20 });
    const ids = [await trade.list(word, a, x), await trade.list(word, a, x)] as const;
    const byItem = () => trade.send(undo, a, { itemdata: [x] });
    assert.equal((await byItem()).outcome, "409 7107");
    assert.deepEqual(listingsToChoose(await byItem()), [...ids].toSorted());
    const where = word === "sell" ? "a +10 units, a -10 on sale" : "a +5 units, a -5 on auction";
    const byListing = () => trade.send(undo, a, { itemdata: [ids[1]] });
    assert.equal((await byListing()).outcome, `done: ${where}`);
    trade.assertListing(ids[1], { state: "cancelled" });
    assert.equal((await byItem()).outcome, `done: ${where}`);
    trade.assertListing(ids[0], { state: "cancelled" });
    assert.equal((await byItem()).outcome, "409 7106");
  });
}

for (const { word, undo } of [
  { word: "sell", undo: "unsell" },
  { word: "auction", undo: "unauction" },
] as const) {
  test(`mrc402 §12, §15: ${undo} in item form: a path id narrows, or is the listing that is meant`, async () => {
    const x = await trade.x({}, { a: 50 });
    const u = await trade.u({ totalsupply: "50" }, { a: 50 });
    const first = await trade.list(word, a, x);
    const second = await trade.list(word, a, x);
    const ofU = await trade.list(word, a, u);
    for (const { id, of, answer } of [
      { id: trade.cast.project, of: [x], answer: "400 3005" },
      { id: u, of: [x], answer: "400 3005" },
      { id: first, of: [u], answer: "400 3005" },
      { id: first, of: [second], answer: "400 3005" },
      { id: NO_UNIT_LISTING, of: [x], answer: "404 6004" },
      { id: x, of: [x], answer: "409 7107" },
      { id: first, of: [x], answer: "done" },
      { id: x, of: [second], answer: "done" },
      { id: trade.cast.project, of: [u], answer: "done" },
    ]) {
      const answered = await trade.send(undo, a, { id, itemdata: of });
      assert.equal(answered.code, answer, JSON.stringify({ id, of }));
    }
    for (const dexid of [first, second, ofU]) {
      trade.assertListing(dexid, { state: "cancelled" });
    }
  });
}

for (const { word, undo } of [
  { word: "sell", undo: "unsell" },
  { word: "auction", undo: "unauction" },
] as const) {
  test(`mrc402 §12, §15: a listing meant twice, by its id and by its item's, gives its units back once at most`, async () => {
    const x = await trade.x({}, { a: 20 });
    const dexid = await trade.list(word, a, x);
    const before = trade.has(a, x);
    for (const itemdata of [
      [x, dexid],
      [dexid, x],
    ]) {
      assert.match((await trade.send(undo, a, { itemdata })).outcome, /^4/);
    }
    assert.equal(trade.has(a, x), before);
    const other = await trade.list(word, a, x);
    const several = () => trade.send(undo, a, { itemdata: [dexid, x] });
    assert.equal((await several()).outcome, "409 7107");
    const both = await trade.send(undo, a, { itemdata: [dexid, other] });
    assert.equal(both.code, "done");
    assert.equal(trade.has(a, x), "20");
  });
}

for (const { word, undo } of [
  { word: "sell", undo: "unsell" },
  { word: "auction", undo: "unauction" },
] as const) {
  /** Listings of all sorts, of A by default. */
  const listings = async () => {
    const x = await trade.x({}, { a: 50, b: 10 });
    const [cancelled, sold, own, foreign] = [
      await trade.list(word, a, x),
      await trade.list(word, a, x),
      await trade.list(word, a, x),
      await trade.list(word, b, x),
    ];
    const other = await trade.list(word === "sell" ? "auction" : "sell", a, x);
    assert.equal((await trade.send(undo, a, { id: cancelled })).code, "done");
    const taken = word === "sell" ? trade.buy(d, sold, "10") : trade.bid(d, sold, "500");
    assert.equal((await taken).code, "done");
    return { x, cancelled, sold, own, foreign, other };
  };

  test(`mrc402 §12, §15: the order in which ${undo} refuses in quantity form`, async () => {
    const { x, cancelled, sold, own, foreign, other } = await listings();
    await trade.mending(undo, { by: a, stranger: d }, [
      [{ id: "", seller: "MTx" }, "400 1000"],
      [{ id: NO_UNIT_LISTING }, "400 3190"],
      [{ seller: NOBODY }, "404 6004"],
      [{ id: x }, "404 6004"],
      [{ id: foreign }, "404 3090"],
      [{ seller: a }, "key"],
      [{}, "403 7001"],
      [{ id: other }, "409 7103"],
      [{ id: cancelled }, "409 7101"],
      [{ id: sold }, "409 7102"],
      [{ id: own }, "done"],
    ]);
  });

  test(`mrc402 §12, §15: the order in which ${undo} refuses in item form`, async () => {
    const { x, cancelled, sold, own, foreign, other } = await listings();
    const idle = await trade.x({}, { a: 1 });
    const ofNobody = await trade.x();
    await trade.mending(undo, { by: a, stranger: d }, [
      [{ itemdata: "" }, "400 1000"],
      [{ itemdata: "{}" }, "400 1007"],
      [{ itemdata: [] }, "400 3002"],
      [{ itemdata: [x, NO_UNIT_ITEM, NO_UNIT_ITEM] }, "400 3004"],
      [{ itemdata: [x, NO_UNIT_ITEM], seller: NOBODY, id: idle }, "404 6004"],
      [{ itemdata: [idle, foreign] }, "404 3090"],
      [{ seller: a }, "400 3005"],
      [{ id: "" }, "key"],
      [{}, "403 7001"],
      [{ itemdata: [idle, ofNobody] }, "403 7001"],
      [{ itemdata: [own, idle] }, "409 7106"],
      [{ itemdata: [own, other] }, "409 7103"],
      [{ itemdata: [own, cancelled] }, "409 7101"],
      [{ itemdata: [own, sold] }, "409 7102"],
      [{ itemdata: [own] }, "done"],
    ]);
    const [first, second] = [await trade.list(word, a, x), await trade.list(word, a, x)];
    const both = await trade.send(undo, a, { itemdata: [x] });
    assert.deepEqual(listingsToChoose(both), [first, second].toSorted());
  });
}

/** The U of row 51, of which A has put 5 units on auction as in row 49, and what was bid. */
async function row49(
  bids: readonly (readonly [Address, string])[] = [],
  { terms = {}, lot = {} }: { terms?: Element; lot?: Record<string, string> } = {},
): Promise<{ u: string; dexid: string }> {
  const rates = { creatorcommission: "2.5", sell_fee: "10", totalsupply: "5" };
  const u = await trade.u({ ...rates, ...terms }, { a: 5 });
  return { u, dexid: await trade.lot(a, u, lot, bids) };
}

for (const { what, bids, isOver, answer } of [
  {
    what: "without a bidder",
    bids: [],
    isOver: false,
    answer: "done: a +5 units, a -5 on auction",
  },
  { what: "with a bidder", bids: ["100"], isOver: false, answer: "409 7104" },
  {
    what: "after the end without",
    bids: [],
    isOver: true,
    answer: "done: a +5 units, a -5 on auction",
  },
  { what: "after the end with", bids: ["100"], isOver: true, answer: "409 7104" },
]) {
  for (const form of ["by item", "by listing in itemdata", "by listing"] as const) {
    test(`mrc402 §18 row 54: unauction ${what}, ${form}: ${answer}`, async () => {
      const { u, dexid } = await row49(bids.map((bid) => [b, bid]));
      if (isOver) {
        trade.untilEnd(dexid);
      }
      const params: Params = {
        "by item": { itemdata: [u] },
        "by listing in itemdata": { itemdata: [dexid] },
        "by listing": { id: dexid },
      }[form];
      assert.equal((await trade.send("unauction", a, params)).outcome, answer);
      const isDone = answer.startsWith("done");
      trade.assertListing(dexid, {
        state: isDone ? "cancelled" : "open",
        remain_amount: "5",
        cancel_date: isDone ? trade.now : 0,
        auction_settle_date: 0,
      });
    });
  }
}

test("mrc402 §2.7: unsell means sales and unauction auctions only; buy and bid likewise", async () => {
  const x = await trade.x({}, { a: 20 });
  const [sale, lot] = [await trade.sale(a, x), await trade.lot(a, x)];
  assert.equal((await trade.bid(b, x, "100")).outcome, "done: b -100");
  assert.equal((await trade.buy(b, x)).outcome, "done: a +30, b -30, a -1 on sale, b +1 units");
  for (const [dexid, word] of [
    [sale, "unauction"],
    [lot, "unsell"],
    [sale, "bid"],
    [lot, "buy"],
  ] as const) {
    const by = word === "unauction" || word === "unsell" ? a : d;
    const params = word === "bid" || word === "buy" ? { amount: "100" } : {};
    const sending = () => trade.send(word, by, { id: dexid, ...params });
    assert.equal((await sending()).outcome, "409 7103");
  }
  assert.equal((await trade.finish(sale)).outcome, "409 7103");
  const unsell = () => trade.send("unsell", a, { itemdata: [x] });
  assert.equal((await unsell()).outcome, "done: a +9 units, a -9 on sale");
  assert.equal((await unsell()).outcome, "409 7106");
  assert.equal((await trade.send("unauction", a, { itemdata: [x] })).outcome, "409 7104");
});
