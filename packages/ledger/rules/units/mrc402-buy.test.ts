import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import type { Address } from "@moneta/protocol";
import { NOBODY } from "../../testing/trade/item-terms.ts";
import { NO_UNIT_ITEM, NO_UNIT_LISTING } from "../../testing/trade/unit-terms.ts";
import { listingsToChoose, UnitTrade } from "../../testing/trade/unit-trade.ts";

let trade: UnitTrade;
let c: Address;
let a: Address;
let b: Address;
let d: Address;
beforeEach(async () => {
  trade = await UnitTrade.open({ tokens: 9 });
  ({ c, a, b, d } = trade.cast);
});
afterEach(() => trade[Symbol.dispose]());

/** The X of row 27, of which A sells 10 units at 30, and what B has bought of them in turn. */
async function row27(...bought: readonly string[]): Promise<{ x: string; dexid: string }> {
  const x = await trade.x({ creatorcommission: "2.5" }, { a: 10 });
  const dexid = await trade.sale(a, x);
  for (const amount of bought) {
    assert.equal((await trade.buy(b, dexid, amount)).code, "done");
  }
  return { x, dexid };
}

/** An X of which A and B each sell 10 at 30. */
async function twoSales(): Promise<{ x: string; ofA: string; ofB: string }> {
  const x = await trade.x({}, { a: 10, b: 10 });
  return { x, ofA: await trade.sale(a, x), ofB: await trade.sale(b, x) };
}

test("mrc402 §18 row 27: X sells at 10 units × 30, creatorcommission 2.5 to C: B buys 1, 4, 5: A +30, +117, +147; sold, remain 0", async () => {
  const { x, dexid } = await row27();
  for (const { amount, outcome, remain_amount } of [
    { amount: "1", outcome: "done: a +30, b -30, a -1 on sale, b +1 units", remain_amount: "9" },
    {
      amount: "4",
      outcome: "done: c +3, a +117, b -120, a -4 on sale, b +4 units",
      remain_amount: "5",
    },
    {
      amount: "5",
      outcome: "done: c +3, a +147, b -150, a -5 on sale, b +5 units",
      remain_amount: "0",
    },
  ]) {
    trade.now += 1;
    const { now } = trade;
    assert.equal((await trade.buy(b, dexid, amount)).outcome, outcome);
    const isSold = remain_amount === "0";
    trade.assertListing(dexid, {
      state: isSold ? "sold" : "open",
      remain_amount,
      amount: "10",
      buyer: b,
      sell_date: isSold ? now : 0,
    });
    trade.assertItem(x, {
      last_trade_date: now,
      last_trade_amount: String(30 * Number(amount)),
      last_trade_token: "0",
      last_trade_type: "Sell",
      sell_count: isSold ? 0 : 1,
    });
  }
});

test("mrc402 §18 row 28: the same bought as 10 at once: P 300, fee 7, A +293", async () => {
  const { dexid } = await row27();
  const buying = () => trade.buy(b, dexid, "10");
  assert.equal((await buying()).outcome, "done: c +7, a +293, b -300, a -10 on sale, b +10 units");
});

for (const { amount, who, by, answer } of [
  { amount: "11", who: "B", by: () => b, answer: "400 3004" },
  { amount: "0", who: "B", by: () => b, answer: "400 1107" },
  { amount: "10", who: "A", by: () => a, answer: "400 3004" },
  {
    amount: "10",
    who: "who has 299",
    by: () => trade.newcomer("e", 299n),
    answer: "400 5000",
  },
  {
    amount: "10",
    who: "who has 300",
    by: () => trade.newcomer("e", 300n),
    answer: "done: c +7, a +293, e -300, a -10 on sale, e +10 units",
  },
]) {
  test(`mrc402 §18 row 30: of that listing ${who} buys ${amount}: ${answer}`, async () => {
    const { dexid } = await row27();
    const buyer = await by();
    assert.equal((await trade.buy(buyer, dexid, amount)).outcome, answer);
  });
}

test("mrc402 §18 row 31: after it is sold: buy or unsell by the listing id 7102, buy by item id 7106", async () => {
  const { x, dexid } = await row27("10");
  assert.equal((await trade.buy(d, dexid, "1")).outcome, "409 7102");
  assert.equal((await trade.unsell(a, dexid)).outcome, "409 7102");
  assert.equal((await trade.buy(d, x)).outcome, "409 7106");
  assert.equal((await trade.buy(d, x, "1")).outcome, "409 7106");
});

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

for (const { expected, answer } of [
  { expected: { price: "29" }, answer: "409 7112" },
  { expected: { token: "7" }, answer: "409 7112" },
  { expected: { price: "30", token: "7" }, answer: "409 7112" },
  { expected: { price: "31", token: "0" }, answer: "409 7112" },
  { expected: { price: "30" }, answer: "done: a +30, b -30, a -1 on sale, b +1 units" },
  { expected: { price: "30", token: "0" }, answer: "done: a +30, b -30, a -1 on sale, b +1 units" },
  { expected: { price: "x" }, answer: "400 1101" },
  { expected: { token: "x" }, answer: "400 1101" },
]) {
  for (const by of ["item", "listing"] as const) {
    test(`mrc402 §18 row 35: the same by ${by} with ${JSON.stringify(expected)}: ${answer}`, async () => {
      const x = await trade.x({}, { a: 5 });
      const dexid = await trade.sale(a, x, { amount: "5" });
      const named = by === "item" ? { id: x } : { id: dexid, amount: "1" };
      const buying = () => trade.send("buy", b, { ...named, ...expected });
      assert.equal((await buying()).outcome, answer);
    });
  }
}

for (const { change, answer } of [
  { change: { melt_fee: "99.9999" }, answer: "409 7112 maxmeltfee" },
  { change: { sell_fee: "10.0001" }, answer: "409 7112 maxsellfee" },
  { change: { transferable: "Bound" }, answer: "409 7112 transferable" },
  { change: { melt_fee: "5" }, answer: "done" },
]) {
  test(`mrc402 §18 row 67: after the owner's ${JSON.stringify(change)}, buy and bid with guards of before, by listing and item: ${answer}`, async () => {
    const guards = { maxmeltfee: "10", maxsellfee: "10", transferable: "Temporary" };
    const terms = { melt_fee: "10", sell_fee: "10", transferable: "Temporary", totalsupply: "9" };
    const u = await trade.u(terms, { a: 9 });
    const [offer, lot] = [
      await trade.sale(a, u, { amount: "2" }),
      await trade.lot(a, u, { amount: "2" }),
    ];
    await trade.update(u, change);
    for (const id of [offer, u]) {
      const buying = { id, amount: "1", ...guards };
      assert.equal((await trade.send("buy", b, buying)).said, "400 3005 maxmeltfee");
      assert.equal((await trade.send("buy", b, { ...buying, signed: "full" })).said, answer);
    }
    for (const [id, amount] of [
      [lot, "100"],
      [u, "105"],
    ] as const) {
      const by = amount === "100" ? b : d;
      assert.equal(
        (await trade.send("bid", by, { id, amount, ...guards })).said,
        "400 3005 maxmeltfee",
      );
      assert.equal(
        (await trade.send("bid", by, { id, amount, ...guards, signed: "full" })).said,
        answer,
      );
    }
  });
}

test("mrc402 §13: the order in which buy refuses by listing", async () => {
  const e = await trade.newcomer("e", 299n);
  const x = await trade.x({}, { a: 60 });
  const u = await trade.u({ transferable: "Temporary" }, { a: 1 });
  const [cancelled, sold, open] = [
    await trade.sale(a, x),
    await trade.sale(a, x),
    await trade.sale(a, x),
  ];
  const auction = await trade.lot(a, x);
  const bound = await trade.sale(a, u, { amount: "1" });
  await trade.give(x, trade.cast.c, e, "1");
  const own = await trade.sale(e, x, { amount: "1" });
  assert.equal((await trade.unsell(a, cancelled)).code, "done");
  assert.equal((await trade.buy(d, sold, "10")).code, "done");
  await trade.bind(u);
  await trade.mending("buy", { by: e, stranger: d }, [
    [{ id: NO_UNIT_LISTING, buyer: NOBODY, price: "31", token: "7" }, "400 1000"],
    [{ amount: "x" }, "400 1101"],
    [{ amount: "0" }, "400 1107"],
    [{ amount: "12", price: "x" }, "400 1101"],
    [{ price: "31", token: "x" }, "400 1101"],
    [{ token: "7", buyer: "MTx" }, "400 3190"],
    [{ buyer: NOBODY, transferable: "Temporary" }, "400 3005 transferable"],
    [{ signed: "full" }, "404 6004"],
    [{ id: own }, "404 3090"],
    [{ buyer: e }, "key"],
    [{}, "400 3004"],
    [{ id: auction }, "409 7103"],
    [{ id: cancelled }, "409 7101"],
    [{ id: sold }, "409 7102"],
    [{ id: bound }, "409 7112 transferable"],
    [{ transferable: "" }, "409 7109"],
    [{ id: open }, "409 7112"],
    [{ price: "30" }, "409 7112"],
    [{ token: "0" }, "400 3004"],
    [{ amount: "10" }, "400 5000"],
  ]);
  await trade.client.pay(e, 1n);
  const bought = "done: a +300, e -300, a -10 on sale, e +10 units";
  assert.equal((await trade.buy(e, open, "10")).outcome, bought);
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
