import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { type ItemParams, renamed } from "../testing/item-requests.ts";
import { NOBODY, NOBODY_ELSE } from "../testing/item-trade.ts";
import { type Answered, type KeyHolder, parsed, signatureOf } from "../testing/test-node.ts";
import { AMOUNT_MAX } from "../testing/token-requests.ts";
import {
  listingsToChoose,
  NO_UNIT_ITEM,
  NO_UNIT_LISTING,
  unitListingIdOf,
  unitsSaid,
} from "../testing/unit-requests.ts";
import {
  FORMS,
  type Form,
  listingParams,
  noItem,
  UNIT_TRADE_WORDS,
  UnitTrade,
  type UnitTradeWord,
} from "../testing/unit-trade.ts";

// Rows 27 to 42, 45, 63 and 64 of mrc402 §18, and sections 2.3, 2.7, 11 to 13. After each case row 66 holds.

let trade: UnitTrade;
let o: KeyHolder;
let p: KeyHolder;
let s: KeyHolder;
let m: KeyHolder;
let c: KeyHolder;
let a: KeyHolder;
let b: KeyHolder;
let d: KeyHolder;
before(async () => {
  trade = await UnitTrade.open({ tokens: 9 });
  ({ o, partner: p, seller: s, maker: m, c, a, b, d } = trade.cast);
});
after(() => trade[Symbol.asyncDispose]());
afterEach(() => trade.assertConserved());

/** The X of row 27, of which A sells 10 units at 30, and what B has bought of them in turn. */
async function row27(...bought: readonly string[]): Promise<{ x: string; dexid: string }> {
  const x = await trade.x({ creatorcommission: "2.5" }, { a: 10 });
  const dexid = await trade.sale(a, x);
  for (const amount of bought) {
    assert.equal(unitsSaid(await trade.buy(b, dexid, amount)), "200");
  }
  return { x, dexid };
}

/** The listings among which a client has to choose, in the order of their ids. */
function chosen(answer: Answered): readonly string[] {
  return listingsToChoose(answer).toSorted();
}

/** An X of which A and B each sell 10 at 30. */
async function twoSales(): Promise<{ x: string; ofA: string; ofB: string }> {
  const x = await trade.x({}, { a: 10, b: 10 });
  return { x, ofA: await trade.sale(a, x), ofB: await trade.sale(b, x) };
}

test("mrc402 §18 row 27: X sells at 10 units × 30, creatorcommission 2.5 to C: B buys 1, 4, 5: A +30, +117, +147; sold, remain 0", async () => {
  const { x, dexid } = await row27();
  for (const { amount, outcome, remain_amount } of [
    { amount: "1", outcome: "200: a +30, b -30, a -1 on sale, b +1 units", remain_amount: "9" },
    {
      amount: "4",
      outcome: "200: c +3, a +117, b -120, a -4 on sale, b +4 units",
      remain_amount: "5",
    },
    {
      amount: "5",
      outcome: "200: c +3, a +147, b -150, a -5 on sale, b +5 units",
      remain_amount: "0",
    },
  ]) {
    trade.node.now += 1;
    const { now } = trade.node;
    assert.equal(await trade.outcome(() => trade.buy(b, dexid, amount)), outcome);
    const isSold = remain_amount === "0";
    await trade.assertListing(dexid, {
      state: isSold ? "sold" : "open",
      remain_amount,
      amount: "10",
      buyer: b.address,
      sell_date: isSold ? now : 0,
    });
    await trade.assertItem(x, {
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
  assert.equal(
    await trade.outcome(buying),
    "200: c +7, a +293, b -300, a -10 on sale, b +10 units",
  );
});

test("mrc402 §18 row 29: after the first two purchases of 27: unsell: A +5 units, cancelled, remain_amount 5; again 7101; buy 7101", async () => {
  const { x, dexid } = await row27("1", "4");
  trade.node.now += 1;
  assert.equal(await trade.outcome(() => trade.unsell(a, dexid)), "200: a +5 units, a -5 on sale");
  await trade.assertListing(dexid, {
    state: "cancelled",
    remain_amount: "5",
    cancel_date: trade.node.now,
    sell_date: 0,
  });
  await trade.assertItem(x, { sell_count: 0, sell_dexid: "", sell_date: 0, sell_price: "0" });
  assert.equal(await trade.outcome(() => trade.unsell(a, dexid)), "409 7101");
  const again = () => trade.send("unsell", a, { itemdata: [dexid] });
  assert.equal(await trade.outcome(again), "409 7101");
  assert.equal(await trade.outcome(() => trade.buy(b, dexid, "1")), "409 7101");
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
    answer: "200: c +7, a +293, e -300, a -10 on sale, e +10 units",
  },
]) {
  test(`mrc402 §18 row 30: of that listing ${who} buys ${amount}: ${answer}`, async () => {
    const { dexid } = await row27();
    const buyer = await by();
    assert.equal(await trade.outcome(() => trade.buy(buyer, dexid, amount)), answer);
  });
}

test("mrc402 §18 row 31: after it is sold: buy or unsell by the listing id 7102, buy by item id 7106", async () => {
  const { x, dexid } = await row27("10");
  assert.equal(await trade.outcome(() => trade.buy(d, dexid, "1")), "409 7102");
  assert.equal(await trade.outcome(() => trade.unsell(a, dexid)), "409 7102");
  assert.equal(await trade.outcome(() => trade.buy(d, x)), "409 7106");
  assert.equal(await trade.outcome(() => trade.buy(d, x, "1")), "409 7106");
});

test("mrc402 §18 row 32: A and B both sell X; D buys by item id: 7107 with both; by listing id: accepted; after A's unsell by item id: B's", async () => {
  const { x, ofA, ofB } = await twoSales();
  assert.equal(await trade.outcome(() => trade.buy(d, x)), "409 7107");
  assert.deepEqual(chosen(await trade.buy(d, x)), [ofA, ofB].toSorted());
  assert.deepEqual(chosen(await trade.buy(d, x, "2")), [ofA, ofB].toSorted());
  const byListing = () => trade.buy(d, ofA, "2");
  assert.equal(await trade.outcome(byListing), "200: a +60, d -60, a -2 on sale, d +2 units");
  const unsell = () => trade.send("unsell", a, { itemdata: [x] });
  assert.equal(await trade.outcome(unsell), "200: a +8 units, a -8 on sale");
  assert.equal(
    await trade.outcome(() => trade.buy(d, x)),
    "200: b +30, d -30, b -1 on sale, d +1 units",
  );
});

test("mrc402 §18 row 33: only A sells X and A buys by item id: 3004; A and B sell, A buys by item id: buys B's", async () => {
  const alone = await trade.x({}, { a: 10 });
  await trade.sale(a, alone);
  assert.equal(await trade.outcome(() => trade.buy(a, alone)), "400 3004");
  assert.equal(await trade.outcome(() => trade.buy(a, alone, "1")), "400 3004");
  const { x } = await twoSales();
  assert.equal(
    await trade.outcome(() => trade.buy(a, x)),
    "200: a -30, b +30, a +1 units, b -1 on sale",
  );
});

test("mrc402 §18 row 34: listing of 5 at 30: buy by item id without amount: 1 unit, P 30; by listing id without amount: 1000", async () => {
  const x = await trade.x({}, { a: 5 });
  const dexid = await trade.sale(a, x, { amount: "5" });
  const bought = "200: a +30, b -30, a -1 on sale, b +1 units";
  assert.equal(await trade.outcome(() => trade.buy(b, x)), bought);
  for (const signed of ["short", "full"] as const) {
    const buying = () => trade.send("buy", b, { id: dexid }, { signed });
    assert.equal(await trade.outcome(buying), "400 1000");
  }
  const three = "200: a +90, b -90, a -3 on sale, b +3 units";
  assert.equal(await trade.outcome(() => trade.buy(b, x, "3")), three);
});

for (const { expected, answer } of [
  { expected: { price: "29" }, answer: "409 7112" },
  { expected: { token: "7" }, answer: "409 7112" },
  { expected: { price: "30", token: "7" }, answer: "409 7112" },
  { expected: { price: "31", token: "0" }, answer: "409 7112" },
  { expected: { price: "30" }, answer: "200: a +30, b -30, a -1 on sale, b +1 units" },
  { expected: { price: "30", token: "0" }, answer: "200: a +30, b -30, a -1 on sale, b +1 units" },
  { expected: { price: "x" }, answer: "400 1101" },
  { expected: { token: "x" }, answer: "400 1101" },
]) {
  for (const by of ["item", "listing"] as const) {
    for (const signed of ["short", "full"] as const) {
      test(`mrc402 §18 row 35: the same by ${by} with ${JSON.stringify(expected)}, signed ${signed}: ${answer}`, async () => {
        const x = await trade.x({}, { a: 5 });
        const dexid = await trade.sale(a, x, { amount: "5" });
        const named = by === "item" ? { id: x } : { id: dexid, amount: "1" };
        const buying = () => trade.send("buy", b, { ...named, ...expected }, { signed });
        assert.equal(await trade.outcome(buying), answer);
      });
    }
  }
}

test("mrc402 §13: price and token are covered by a full signature only", async () => {
  const x = await trade.x({}, { a: 10 });
  await trade.sale(a, x);
  for (const signed of ["full", "short"] as const) {
    const request = await trade.request("buy", b, { id: x, price: "29" }, { signed });
    const answer = await trade.post(trade.changed(request, { price: "30" }));
    assert.equal(unitsSaid(answer), signed === "full" ? "401 2010" : "200");
  }
});

for (const { word, undo } of [
  { word: "sell", undo: "unsell" },
  { word: "auction", undo: "unauction" },
] as const) {
  test(`mrc402 §18 row 36: A has two open ones of X; ${undo} ["X"]: 7107; ["DEX402_…"]: cancelled`, async () => {
    const x = await trade.x({}, { a: 20 });
    const ids = [await trade.list(word, a, x), await trade.list(word, a, x)] as const;
    const byItem = () => trade.send(undo, a, { itemdata: [x] });
    assert.equal(await trade.outcome(byItem), "409 7107");
    assert.deepEqual(chosen(await byItem()), [...ids].toSorted());
    const where = word === "sell" ? "a +10 units, a -10 on sale" : "a +5 units, a -5 on auction";
    const byListing = () => trade.send(undo, a, { itemdata: [ids[1]] });
    assert.equal(await trade.outcome(byListing), `200: ${where}`);
    await trade.assertListing(ids[1], { state: "cancelled" });
    assert.equal(await trade.outcome(byItem), `200: ${where}`);
    await trade.assertListing(ids[0], { state: "cancelled" });
    assert.equal(await trade.outcome(byItem), "409 7106");
  });
}

const ITEM_FORMS = ["sell", "auction", "unsell", "unauction"] as const;

/** `itemdata` of an operation for items or listings. */
function itemdataOf(
  word: (typeof ITEM_FORMS)[number],
  ids: readonly string[],
  terms: object = {},
): readonly unknown[] {
  if (word === "unsell" || word === "unauction") {
    return ids;
  }
  const own = word === "sell" ? { price: "30", token: "0" } : { start: "100", token: "0" };
  return ids.map((id) => ({ id, ...own, ...terms }));
}

for (const word of ITEM_FORMS) {
  const hundredAndOne = Array.from({ length: 101 }, (_, n) => noItem(n));
  for (const { what, itemdata, answer } of [
    { what: "101 elements", itemdata: itemdataOf(word, hundredAndOne), answer: "400 3002" },
    {
      what: "100 unknown elements",
      itemdata: itemdataOf(word, hundredAndOne.slice(1)),
      answer: "404 6004",
    },
    { what: "[]", itemdata: [], answer: "400 3002" },
    { what: "nothing", itemdata: "", answer: "400 1000" },
    {
      what: "one id twice",
      itemdata: itemdataOf(word, [noItem(1), noItem(2), noItem(1)]),
      answer: "400 3004",
    },
    { what: "broken JSON", itemdata: "[", answer: "400 1007" },
    { what: "an object", itemdata: "{}", answer: "400 1007" },
    { what: "numbers", itemdata: "[1]", answer: "400 1007" },
    { what: "null", itemdata: "[null]", answer: "400 1007" },
  ]) {
    test(`mrc402 §18 row 37: ${word} with ${what}: ${answer}`, async () => {
      assert.equal(unitsSaid(await trade.send(word, a, { itemdata })), answer);
    });
  }

  test(`mrc402 §18 row 37: ${word} with one bad element of 3: nothing happens`, async () => {
    const ids = [
      await trade.x({}, { a: 1 }),
      await trade.x({}, { a: 1 }),
      await trade.x({}, { b: 1 }),
    ];
    const undone = word.slice(2) as "sell" | "auction";
    if (word.startsWith("un")) {
      const listed = await trade.send(undone, a, { itemdata: itemdataOf(undone, ids.slice(0, 2)) });
      assert.equal(unitsSaid(listed), "200");
    }
    const sending = () => trade.send(word, a, { itemdata: itemdataOf(word, ids) });
    assert.equal(await trade.outcome(sending), "403 7001");
    const two = await trade.send(word, a, { itemdata: itemdataOf(word, ids.slice(0, 2)) });
    assert.equal(unitsSaid(two), "200");
  });
}

for (const { kind, make } of [
  {
    kind: "project",
    make: async () => trade.u({}, { a: 1 }, await trade.project({ allowtoken: "7" })),
  },
  { kind: "standalone", make: () => trade.x({ allowtoken: "7" }, { a: 1 }) },
]) {
  for (const word of ["sell", "auction"] as const) {
    for (const form of FORMS) {
      for (const { token, answer } of [
        { token: "9", answer: "400 3005" },
        { token: "7", answer: "200" },
        { token: "0", answer: "200" },
      ]) {
        test(`mrc402 §18 row 38: ${kind} allow_token 7: ${word} U for token ${token}, ${form} form: ${answer}`, async () => {
          const u = await make();
          const params = listingParams(word, form, u, { amount: "1", token });
          assert.equal(unitsSaid(await trade.send(word, a, params)), answer);
        });
      }
    }
  }
}

for (const word of ["sell", "auction", "transfer", "melt"] as const) {
  for (const form of FORMS) {
    test(`mrc402 §18 row 39: U on sale: ${word}, ${form} form: 7108; owner still the seller`, async () => {
      const u = await trade.u({}, { a: 1 });
      await trade.sale(a, u, { amount: "1" });
      const amount = form === "item" ? "" : "1";
      const acts = {
        sell: () => trade.send("sell", a, listingParams("sell", form, u, { amount: "1" })),
        auction: () => trade.send("auction", a, listingParams("auction", form, u, { amount: "1" })),
        transfer: () => trade.send("transfer", a, { mrc402id: u, toAddr: b.address, amount }),
        melt: () => trade.send("melt", a, { mrc402id: u, amount }),
      };
      assert.equal(await trade.outcome(acts[word]), "409 7108");
      await trade.assertItem(u, { owner: a.address, holders: 1 });
    });
  }
}

for (const { terms, answer } of [
  { terms: { amount: "5" }, answer: "400 1000" },
  { terms: { price: "" }, answer: "400 1000" },
  { terms: { price: "30", token: "" }, answer: "400 1000" },
  { terms: { price: "30", id: "" }, answer: "400 1000" },
  { terms: { price: "0" }, answer: "400 1101" },
  { terms: { price: "030" }, answer: "400 1101" },
  { terms: { price: "3.0" }, answer: "400 1101" },
  { terms: { price: String(AMOUNT_MAX + 1n) }, answer: "400 1101" },
  { terms: { price: "30", amount: "0" }, answer: "400 1107" },
  { terms: { price: "30", amount: "100000000" }, answer: "400 1101" },
  { terms: { price: "30", amount: "-1" }, answer: "400 1101" },
  { terms: { price: "30", amount: "5.5" }, answer: "400 1101" },
  { terms: { price: "30", token: "x" }, answer: "400 1101" },
  { terms: { price: "30", token: "10" }, answer: "404 4001" },
  { terms: { price: ["30"] }, answer: "400 1007" },
  { terms: { price: "30", amount: "6" }, answer: "400 5000" },
  { terms: { price: "30" }, answer: "200: a -1 units, a +1 on sale" },
  { terms: { price: 30, token: 0, amount: 5 }, answer: "200: a -5 units, a +5 on sale" },
  { terms: { price: "30", amount: "5", more: [{}] }, answer: "200: a -5 units, a +5 on sale" },
]) {
  test(`mrc402 §18 row 40: sell [{"id":U,"token":"0", …${JSON.stringify(terms)}}]: ${answer}`, async () => {
    const u = await trade.u({ totalsupply: "5" }, { a: 5 });
    const itemdata = [{ id: u, token: "0", ...terms }];
    assert.equal(await trade.outcome(() => trade.send("sell", a, { itemdata })), answer);
  });
}

for (const { change, answer } of [
  { change: { price: "" }, answer: "400 1000" },
  { change: { token: "" }, answer: "400 1000" },
  { change: { amount: "0" }, answer: "400 1107" },
  { change: { amount: "100000000" }, answer: "400 1101" },
  { change: { amount: "99999999" }, answer: "400 5000" },
  { change: { amount: "05" }, answer: "400 1101" },
  { change: { price: "0" }, answer: "400 1101" },
  { change: { price: String(AMOUNT_MAX + 1n), amount: "1" }, answer: "400 1101" },
  { change: { price: String(AMOUNT_MAX), amount: "1" }, answer: "200: a -1 units, a +1 on sale" },
  { change: { token: "10" }, answer: "404 4001" },
  { change: { platform_commission: "10.01" }, answer: "400 3005" },
  { change: { platform_commission: "1.005" }, answer: "400 3005" },
  { change: { platform_commission: "10" }, answer: "200: a -5 units, a +5 on sale" },
  { change: { platform_url: "no url" }, answer: "400 3005" },
  { change: { platform_name: "a|b" }, answer: "400 3005" },
  { change: { platform_name: "x".repeat(256) }, answer: "400 3005" },
  { change: { platform_name: "x".repeat(255) }, answer: "200: a -5 units, a +5 on sale" },
  { change: { platform_address: "MTx" }, answer: "400 3190" },
  { change: { platform_address: NOBODY }, answer: "404 3090" },
]) {
  const shown = JSON.stringify(change).replace(/x{200,}/, "x…");
  test(`mrc402 §11: quantity form with ${shown}: ${answer}`, async () => {
    const x = await trade.x({}, { a: 5 });
    const selling = () => trade.lists("sell", "quantity", a, x, { amount: "5", ...change });
    assert.equal(await trade.outcome(selling), answer);
  });
}

for (const form of FORMS) {
  test(`mrc402 §18 row 64: price 10^40, amount 2, ${form} form: 1101`, async () => {
    const x = await trade.x({}, { a: 2 });
    const terms = { amount: "2", price: String(AMOUNT_MAX) };
    const sending = () => trade.send("sell", a, listingParams("sell", form, x, terms));
    assert.equal(await trade.outcome(sending), "400 1101");
    const half = { ...terms, price: String(AMOUNT_MAX / 2n) };
    assert.equal(
      unitsSaid(await trade.send("sell", a, listingParams("sell", form, x, half))),
      "200",
    );
  });
}

test("mrc402 §11: neither itemdata nor an item id: 1000", async () => {
  for (const word of ["sell", "auction"] as const) {
    const { id: _, ...params } = listingParams(word, "quantity", "", {});
    assert.equal(unitsSaid(await trade.send(word, a, params)), "400 1000");
  }
  for (const word of ["unsell", "unauction"] as const) {
    assert.equal(unitsSaid(await trade.send(word, a, {})), "400 1000");
  }
});

// §2.3, rows 41 and 42: agents.

for (const word of ["sell", "auction"] as const) {
  const [undo, kind] =
    word === "sell" ? (["unsell", "sale"] as const) : (["unauction", "auction"] as const);
  const listedUnits = `maker -1 units, maker +1 on ${kind}`;

  test(`mrc402 §18 row 41: D ${word}s U that A holds: 7001`, async () => {
    for (const [by, given] of [
      [d, { a: 1 }],
      [s, { a: 1 }],
      [p, { a: 1 }],
      [m, { a: 1 }],
      [c, { a: 1 }],
      [o, { a: 1 }],
      [d, {}],
      [o, {}],
      [a, {}],
    ] as const) {
      const u = await trade.u({}, given);
      for (const form of FORMS) {
        const params = listingParams(word, form, u, { amount: "1" });
        assert.equal(await trade.outcome(() => trade.send(word, by, params)), "403 7001");
      }
    }
  });

  for (const { role, agent } of [
    { role: "seller", agent: () => s },
    { role: "partner", agent: () => p },
  ]) {
    for (const form of FORMS) {
      test(`mrc402 §18 row 41: role ${role} ${word}s U while C holds it and nothing was traded, ${form} form: seller C, agent D, C is paid`, async () => {
        const u = await trade.u();
        const request = await trade.request(
          word,
          agent(),
          listingParams(word, form, u, { amount: "1" }),
        );
        assert.equal(await trade.outcome(() => trade.post(request)), `200: ${listedUnits}`);
        const dexid = unitListingIdOf(agent().address, request.params.tkey);
        await trade.assertListing(dexid, { seller: m.address, agent: agent().address });
        const taking = () =>
          word === "sell" ? trade.buy(b, dexid, "1") : trade.bid(b, dexid, "500");
        const taken =
          word === "sell"
            ? "200: b -30, maker +30, b +1 units, maker -1 on sale"
            : "200: b -500, maker +500, b +1 units, maker -1 on auction";
        assert.equal(await trade.outcome(taking), taken);
        await trade.assertListing(dexid, { state: "sold", buyer: b.address });
      });
    }
  }

  test(`mrc402 §2.3: ${undo} by an agent of what C or another agent has listed; units return to C`, async () => {
    const u = await trade.u({ totalsupply: "2" });
    const back = `200: maker +1 units, maker -1 on ${kind}`;
    for (const lister of [m, s, p]) {
      for (const byListing of [true, false]) {
        const dexid = await trade.list(word, lister, u, { amount: "1" });
        const params = byListing ? { id: dexid } : { itemdata: [u] };
        const undoing = () => trade.send(undo, lister === s ? p : s, params);
        assert.equal(await trade.outcome(undoing), back);
        await trade.assertListing(dexid, { state: "cancelled", seller: m.address });
      }
    }
  });

  test(`mrc402 §2.3: who holds a unit is no agent: it ${word}s its own; after that nobody is an agent`, async () => {
    const u = await trade.u({ totalsupply: "3" }, { seller: 1 });
    const own = await trade.list(word, s, u, { amount: "1" });
    await trade.assertListing(own, { seller: s.address, agent: "" });
    const params = listingParams(word, "quantity", u, { amount: "1" });
    assert.equal(await trade.outcome(() => trade.send(word, p, params)), "403 7001");
    const ofC = await trade.list(word, m, u, { amount: "1" });
    for (const by of [s, p, d]) {
      assert.equal(await trade.outcome(() => trade.send(undo, by, { id: ofC })), "403 7001");
    }
  });

  test(`mrc402 §2.3: once a unit was traded, an agent can neither ${word} nor ${undo}, not even what it has listed`, async () => {
    const u = await trade.u({ totalsupply: "5" });
    const dexid = await trade.list(word, s, u, { amount: "2" });
    const sold = await trade.sale(m, u, { amount: "1" });
    assert.equal(unitsSaid(await trade.buy(b, sold, "1")), "200");
    for (const params of [{ id: dexid }, { itemdata: [u] }, { itemdata: [dexid] }]) {
      assert.equal(await trade.outcome(() => trade.send(undo, s, params)), "403 7001");
    }
    const params = listingParams(word, "item", u, { amount: "1" });
    assert.equal(await trade.outcome(() => trade.send(word, s, params)), "403 7001");
    const back = `200: maker +2 units, maker -2 on ${kind}`;
    assert.equal(await trade.outcome(() => trade.send(undo, m, { id: dexid })), back);
  });

  test(`mrc402 §2.3: an agent ${word}s no more than C has free: 7108, 5000; its role withdrawn: 7001`, async () => {
    const project = await trade.project();
    const u = await trade.u({ totalsupply: "5" }, {}, project);
    await trade.list(word, s, u, { amount: "3" });
    for (const [amount, answer] of [
      ["3", "409 7108"],
      ["6", "400 5000"],
    ] as const) {
      const params = listingParams(word, "quantity", u, { amount });
      assert.equal(await trade.outcome(() => trade.send(word, p, params)), answer);
    }
    await trade.setPartners(project, { [m.address]: "creator" });
    const params = listingParams(word, "quantity", u, { amount: "1" });
    assert.equal(await trade.outcome(() => trade.send(word, p, params)), "403 7001");
    assert.equal(await trade.outcome(() => trade.send(undo, s, { itemdata: [u] })), "403 7001");
  });
}

test("mrc402 §18 row 42: then U is bought and back with C; D sells again: 7001", async () => {
  const u = await trade.u();
  const dexid = await trade.sale(s, u, { amount: "1" });
  assert.equal(unitsSaid(await trade.buy(b, dexid, "1")), "200");
  assert.equal(
    unitsSaid(await trade.send("transfer", b, { mrc402id: u, toAddr: m.address })),
    "200",
  );
  await trade.assertItem(u, { owner: m.address });
  for (const form of FORMS) {
    const params = listingParams("sell", form, u, { amount: "1" });
    assert.equal(await trade.outcome(() => trade.send("sell", s, params)), "403 7001");
  }
});

test("mrc402 §18 row 45: U Temporary, on sale; O sets Bound; then buy 7109, unsell works", async () => {
  const u = await trade.u({ transferable: "Temporary", totalsupply: "2" }, { a: 2 });
  const dexid = await trade.sale(a, u, { amount: "1" });
  await trade.bind(u);
  assert.equal(await trade.outcome(() => trade.buy(b, dexid, "1")), "409 7109");
  assert.equal(await trade.outcome(() => trade.buy(b, u)), "409 7109");
  for (const word of ["sell", "auction"] as const) {
    for (const form of FORMS) {
      const params = listingParams(word, form, u, { amount: "1" });
      assert.equal(await trade.outcome(() => trade.send(word, a, params)), "409 7109");
    }
  }
  assert.equal(await trade.outcome(() => trade.unsell(a, dexid)), "200: a +1 units, a -1 on sale");
});

// §1.2, §1.3: actors, forms and what was signed.

test("mrc402 §18 row 63: buy with buyer absent, key of B, string id|tkey signed by B: B buys", async () => {
  const x = await trade.x({}, { a: 1 });
  await trade.sale(a, x, { amount: "1" });
  const tkey = await trade.node.key(b);
  const signature = signatureOf(`${x}|${tkey}`, b);
  const buying = () => trade.node.post(`/mrc402/buy/${x}`, { tkey, signature });
  const bought = "200: a +30, b -30, a -1 on sale, b +1 units";
  assert.equal(await trade.outcome(buying), bought);
});

test("mrc402 §13: id|tkey does not buy by listing id, and id|address|amount|tkey does not without amount", async () => {
  const x = await trade.x({}, { a: 2 });
  const dexid = await trade.sale(a, x, { amount: "2" });
  for (const { id, amount, string, answer } of [
    { id: dexid, amount: "", string: (tkey: string) => `${dexid}|${tkey}`, answer: "400 1000" },
    { id: dexid, amount: "1", string: (tkey: string) => `${dexid}|${tkey}`, answer: "401 2010" },
    { id: x, amount: "1", string: (tkey: string) => `${x}|${tkey}`, answer: "401 2010" },
    {
      id: x,
      amount: "",
      string: (tkey: string) => `${x}|${b.address}|1|${tkey}`,
      answer: "401 2010",
    },
    { id: x, amount: "1", string: (tkey: string) => `${x}|${b.address}|1|${tkey}`, answer: "200" },
    { id: x, amount: "", string: (tkey: string) => `${x}|${tkey}`, answer: "200" },
  ]) {
    const tkey = await trade.node.key(b);
    const signature = signatureOf(string(tkey), b);
    const params = { buyer: b.address, amount, tkey, signature };
    assert.equal(unitsSaid(await trade.node.post(`/mrc402/buy/${id}`, params)), answer);
  }
});

interface Ready {
  readonly by: KeyHolder;
  readonly params: ItemParams;
}

/** A request of each operation in each form, which would succeed. */
async function ready(word: UnitTradeWord, form: Form): Promise<Ready> {
  const x = await trade.x({}, { a: 20 });
  const isItemForm = form === "item";
  switch (word) {
    case "sell":
    case "auction":
      return { by: a, params: listingParams(word, form, x) };
    case "unsell":
    case "unauction": {
      const id = await trade.list(word === "unsell" ? "sell" : "auction", a, x);
      return { by: a, params: isItemForm ? { itemdata: [x] } : { id } };
    }
    case "buy": {
      const dexid = await trade.sale(a, x);
      return { by: b, params: isItemForm ? { id: x } : { id: dexid, amount: "2" } };
    }
    case "bid": {
      const dexid = await trade.lot(a, x);
      const bid = { amount: "100" };
      return { by: b, params: isItemForm ? { id: x, token: "0", ...bid } : { id: dexid, ...bid } };
    }
  }
}

for (const word of UNIT_TRADE_WORDS) {
  const isBuying = word === "buy" || word === "bid";
  const name = isBuying ? "buyer" : "seller";
  const aliases = word === "bid" ? ["address", "bidder"] : ["address"];
  for (const form of FORMS) {
    test(`mrc402 §1.2: ${word}, ${form} form: its actor is named as ${name} or ${aliases.join(" or ")}, or by its key alone; its place in the string is filled or empty`, async () => {
      for (const isInString of [true, false]) {
        const { by, params } = await ready(word, form);
        const signedAs = { [name]: isInString ? by.address : "" };
        const request = await trade.request(word, by, { ...params, [name]: "" }, { signedAs });
        assert.equal(unitsSaid(await trade.post(request)), "200", `by key, ${isInString}`);
      }
      for (const alias of [name, ...aliases]) {
        const { by, params } = await ready(word, form);
        const request = renamed(await trade.request(word, by, params), { [name]: alias });
        assert.equal(unitsSaid(await trade.post(request)), "200", alias);
      }
    });

    test(`mrc402 §1.2: ${word}, ${form} form: two names with different values 1005; another's key 2020, signature 2010; a stranger's own ${isBuying ? "is a buyer's" : "7001"}`, async () => {
      const { by, params } = await ready(word, form);
      const twice = { ...params, address: d.address };
      assert.equal(unitsSaid(await trade.send(word, by, twice)), "400 1005");
      const foreign = { ...params, tkey: await trade.node.key(d) };
      assert.equal(unitsSaid(await trade.send(word, by, foreign)), "401 2020");
      assert.equal(unitsSaid(await trade.send(word, by, params, { by: d })), "401 2010");
      const stranger = { ...params, [name]: "" };
      const answer = isBuying ? "200" : "403 7001";
      assert.equal(unitsSaid(await trade.send(word, d, stranger)), answer);
    });

    test(`conventions §4.5: ${word}, ${form} form, fully signed: accepted, and the same again; changed after that, or for another operation: 2010`, async () => {
      const { by, params } = await ready(word, form);
      const request = await trade.request(word, by, params, { signed: "full" });
      const changed = trade.changed(request, { signed: "" });
      assert.equal(unitsSaid(await trade.post(changed)), "401 2010");
      if (word === "unsell" || word === "unauction") {
        const other = word === "unsell" ? "unauction" : "unsell";
        const path = request.path.replace(word, other);
        assert.equal(unitsSaid(await trade.post({ ...request, path })), "401 2010");
      }
      const answer = await trade.post(request);
      assert.equal(unitsSaid(answer), "200");
      const again = await trade.post(request);
      assert.deepEqual([again.status, again.text], [200, answer.text]);
    });

    test(`conventions §5.3: ${word}, ${form} form, sent again: the first answer, and nothing moves; with anything else 2021`, async () => {
      const { by, params } = await ready(word, form);
      const request = await trade.request(word, by, params);
      const answer = await trade.post(request);
      assert.equal(unitsSaid(answer), "200");
      assert.equal(await trade.outcome(() => trade.post(request)), "200");
      assert.equal((await trade.post(request)).text, answer.text);
      const other = await ready(word, form);
      const { tkey } = request.params;
      assert.equal(unitsSaid(await trade.send(word, by, { ...other.params, tkey })), "409 2021");
    });
  }
}

test("mrc402 §11: itemdata, also by its other name, is signed as sent; a path id narrows", async () => {
  const x = await trade.x({}, { a: 9 });
  const u = await trade.u({ totalsupply: "9" }, { a: 9 });
  const { project } = trade.cast;
  for (const { id, of, answer } of [
    { id: "", of: [x, u], answer: "200" },
    { id: project, of: [u], answer: "200" },
    { id: u, of: [u], answer: "200" },
    { id: x, of: [x], answer: "200" },
    { id: project, of: [u, x], answer: "400 3005" },
    { id: project, of: [x], answer: "400 3005" },
    { id: u, of: [x], answer: "400 3005" },
    { id: x, of: [x, u], answer: "400 3005" },
    { id: NO_UNIT_ITEM, of: [x], answer: "404 6004" },
    { id: `MRC400_${"0".repeat(33)}`, of: [x], answer: "404 6004" },
    { id: "nonsense", of: [x], answer: "404 6004" },
  ]) {
    const tkey = await trade.node.key(a);
    const itemdata = JSON.stringify(itemdataOf("sell", of)).replaceAll(",", ", ");
    const signature = signatureOf(`|${itemdata}|${tkey}`, a);
    const path = id === "" ? "/mrc402/sell" : `/mrc402/sell/${id}`;
    const answered = await trade.node.post(path, { "itemdata[]": itemdata, tkey, signature });
    assert.equal(unitsSaid(answered), answer, JSON.stringify({ id, of }));
  }
});

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
      { id: first, of: [x], answer: "200" },
      { id: x, of: [second], answer: "200" },
      { id: trade.cast.project, of: [u], answer: "200" },
    ]) {
      const answered = await trade.send(undo, a, { id, itemdata: of });
      assert.equal(unitsSaid(answered), answer, JSON.stringify({ id, of }));
    }
    for (const dexid of [first, second, ofU]) {
      await trade.assertListing(dexid, { state: "cancelled" });
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
    const before = await trade.units.has(a, x);
    for (const itemdata of [
      [x, dexid],
      [dexid, x],
    ]) {
      assert.match(await trade.outcome(() => trade.send(undo, a, { itemdata })), /^4/);
    }
    assert.equal(await trade.units.has(a, x), before);
    const other = await trade.list(word, a, x);
    const several = () => trade.send(undo, a, { itemdata: [dexid, x] });
    assert.equal(await trade.outcome(several), "409 7107");
    const both = await trade.send(undo, a, { itemdata: [dexid, other] });
    assert.equal(unitsSaid(both), "200");
    assert.equal(await trade.units.has(a, x), "20");
  });
}

test("mrc402 §11: units of one item cannot be sold twice in one request, nor those of several beyond what is there", async () => {
  const [x, y] = [await trade.x({}, { a: 5 }), await trade.x({}, { a: 5 })];
  for (const [itemdata, answer] of [
    [itemdataOf("sell", [x, x], { amount: "3" }), "400 3004"],
    [itemdataOf("sell", [x, y], { amount: "6" }), "400 5000"],
    [
      itemdataOf("sell", [x, y], { amount: "5" }),
      "200: a +5 on sale, a +5 on sale, a -5 units, a -5 units",
    ],
  ] as const) {
    // In no order: that of the items is that of their ids, which are drawn.
    const [status, moved = ""] = (
      await trade.outcome(() => trade.send("sell", a, { itemdata }))
    ).split(": ");
    const sorted = moved === "" ? "" : `: ${moved.split(", ").sort().join(", ")}`;
    assert.equal(`${status}${sorted}`, answer);
  }
});

test("conventions §1.8: in a JSON body itemdata may be an array; what is signed is its compact text", async () => {
  const x = await trade.x({}, { a: 5 });
  const tkey = await trade.node.key(a);
  const itemdata = [{ id: x, amount: 2, price: 30, token: 0 }];
  const signature = signatureOf(`${a.address}|${JSON.stringify(itemdata)}|${tkey}`, a);
  const body = { seller: a.address, itemdata, tkey, signature };
  const selling = () => trade.node.postJson("/mrc402/sell", body);
  assert.equal(await trade.outcome(selling), "200: a -2 units, a +2 on sale");
  const key = await trade.node.key(b);
  const buy = { amount: 2, tkey: key, signature: signatureOf(`${x}||2|${key}`, b) };
  const buying = () => trade.node.postJson(`/mrc402/buy/${x}`, buy);
  assert.equal(await trade.outcome(buying), "200: a +60, b -60, a -2 on sale, b +2 units");
});

// The lists of checks, in the order in which they answer.

/** Items and listings, also of A, that somebody cannot do everything with. */
async function obstacles() {
  const project = await trade.project({ allowtoken: "7" });
  const terms = { totalsupply: "5", sell_fee: "91" };
  const temporary = { ...terms, transferable: "Temporary" };
  const [foreign, ended, listed, bound, good, second] = [
    await trade.u(terms, { b: 5 }, project),
    await trade.u(terms, { a: 5 }, project),
    await trade.u(terms, { a: 5 }, project),
    await trade.u(temporary, { a: 5 }, project),
    await trade.u(terms, { a: 5 }, project),
    await trade.u(terms, { a: 5 }, project),
  ];
  const melt = { mrc402id: ended, amount: "5" };
  assert.equal(unitsSaid(await trade.send("melt", a, melt)), "200");
  await trade.sale(a, listed, { amount: "5" });
  await trade.bind(bound);
  return { foreign, ended, listed, bound, good, second };
}

for (const word of ["sell", "auction"] as const) {
  const [price, none] =
    word === "sell" ? (["price", "1107"] as const) : (["auction_start_price", "1108"] as const);
  const inElement = word === "sell" ? "price" : "start";

  test(`mrc402 §11, §14: the order in which ${word} refuses in quantity form`, async () => {
    const { foreign, ended, listed, bound, good } = await obstacles();
    const dates = word === "sell" ? {} : { auction_start_date: "1" };
    await trade.units.mending(word, { by: a, stranger: d }, [
      [{ id: NO_UNIT_ITEM, seller: NOBODY, amount: "x", token: "99", ...dates }, "400 1000"],
      [{ [price]: "30", platform_address: NOBODY_ELSE, platform_commission: "10" }, "400 1101"],
      [{ amount: "0" }, `400 ${none}`],
      [{ amount: "5" }, "404 6004"],
      [{ id: foreign }, "404 3090"],
      [{ seller: a.address }, "404 3090"],
      [{ platform_address: b.address }, "404 4001"],
      [{ token: "9" }, "400 3005"],
      [{ token: "7" }, "400 3005"],
      [{ platform_commission: "9" }, "key"],
      [{}, "403 7001"],
      [{ id: ended }, "409 7110"],
      [{ id: bound }, "409 7109"],
      [{ id: listed }, "409 7108"],
      ...(word === "auction" ? ([[{ id: good, amount: "6" }, "400 1102"]] as const) : []),
      [{ id: good, amount: "6", auction_start_date: "" }, "400 5000"],
      [{ amount: "5" }, "200"],
    ]);
  });

  test(`mrc402 §11, §14: the order in which ${word} refuses parameters in quantity form`, async () => {
    const tooMuch = { amount: "2", [price]: String(AMOUNT_MAX + 1n) };
    await trade.units.mending(word, { by: a, stranger: d }, [
      [{ id: NO_UNIT_ITEM, amount: "x", platform_commission: "10.01" }, "400 1000"],
      [{ [price]: "0", platform_address: "MTx", token: "0" }, "400 1101"],
      [tooMuch, "400 1101"],
      [{ amount: "0", [price]: "30" }, `400 ${none}`],
      [{ amount: "5" }, "400 3005"],
      [{ platform_commission: "10" }, "400 3190"],
      [{ platform_address: NOBODY }, "404 6004"],
    ]);
  });

  test(`mrc402 §11, §14: the order in which ${word} refuses in item form: each step for all elements`, async () => {
    const { foreign, ended, listed, bound, good, second } = await obstacles();
    const elements = (terms: object, ...ids: readonly string[]) => ({
      itemdata: ids.map((id) => ({ id, [inElement]: "30", token: "0", ...terms })),
    });
    const platform = { platform_address: b.address, platform_commission: "10" };
    const [first, last] = [0, -1].map((place) => (terms: object, ...ids: readonly string[]) => ({
      itemdata: ids.map((id) => ({
        id,
        [inElement]: "30",
        token: "0",
        ...(id === ids.at(place) ? terms : {}),
      })),
    }));
    assert.ok(first !== undefined && last !== undefined);
    await trade.units.mending(word, { by: a, stranger: d }, [
      [{ itemdata: "" }, "400 1000"],
      [{ itemdata: "{}" }, "400 1007"],
      [{ itemdata: [] }, "400 3002"],
      [elements({}, NO_UNIT_ITEM, good, good), "400 3004"],
      [last({ [inElement]: "" }, NO_UNIT_ITEM, good), "400 1000"],
      [last({ [inElement]: "0" }, NO_UNIT_ITEM, good), "400 1101"],
      [last({ amount: "0" }, NO_UNIT_ITEM, good), `400 ${none}`],
      [last({ platform_commission: "11" }, NO_UNIT_ITEM, good), "400 3005"],
      [last({ platform_address: "MTx" }, NO_UNIT_ITEM, good), "400 3190"],
      [{ ...elements({ token: "99" }, foreign, NO_UNIT_ITEM), seller: NOBODY }, "404 6004"],
      [elements({ token: "99" }, foreign, good), "404 3090"],
      [{ seller: a.address }, "404 4001"],
      [last({ token: "9" }, foreign, good), "400 3005"],
      [last(platform, foreign, good), "400 3005"],
      [elements({}, ended, bound, listed, foreign), "key"],
      [{}, "403 7001"],
      [elements({}, good, ended, bound), "409 7110"],
      [elements({}, good, bound, ended), "409 7109"],
      [last({}, listed, bound), "409 7108"],
      [first({ amount: "6" }, good, listed), "409 7108"],
      [elements({ amount: "6" }, good, second), "400 5000"],
      [last({ amount: "6" }, good, second), "400 5000"],
      [elements({ amount: "5" }, good, second), "200"],
    ]);
  });
}

for (const { word, undo } of [
  { word: "sell", undo: "unsell" },
  { word: "auction", undo: "unauction" },
] as const) {
  /** Listings of all sorts, of A unless told otherwise. */
  const listings = async () => {
    const x = await trade.x({}, { a: 50, b: 10 });
    const [cancelled, sold, own, foreign] = [
      await trade.list(word, a, x),
      await trade.list(word, a, x),
      await trade.list(word, a, x),
      await trade.list(word, b, x),
    ];
    const other = await trade.list(word === "sell" ? "auction" : "sell", a, x);
    assert.equal(unitsSaid(await trade.send(undo, a, { id: cancelled })), "200");
    const taken = word === "sell" ? trade.buy(d, sold, "10") : trade.bid(d, sold, "500");
    assert.equal(unitsSaid(await taken), "200");
    return { x, cancelled, sold, own, foreign, other };
  };

  test(`mrc402 §12, §15: the order in which ${undo} refuses in quantity form`, async () => {
    const { x, cancelled, sold, own, foreign, other } = await listings();
    await trade.units.mending(undo, { by: a, stranger: d }, [
      [{ id: "", seller: "MTx" }, "400 1000"],
      [{ id: NO_UNIT_LISTING }, "400 3190"],
      [{ seller: NOBODY }, "404 6004"],
      [{ id: x }, "404 6004"],
      [{ id: foreign }, "404 3090"],
      [{ seller: a.address }, "key"],
      [{}, "403 7001"],
      [{ id: other }, "409 7103"],
      [{ id: cancelled }, "409 7101"],
      [{ id: sold }, "409 7102"],
      [{ id: own }, "200"],
    ]);
  });

  test(`mrc402 §12, §15: the order in which ${undo} refuses in item form`, async () => {
    const { x, cancelled, sold, own, foreign, other } = await listings();
    const idle = await trade.x({}, { a: 1 });
    const ofNobody = await trade.x();
    await trade.units.mending(undo, { by: a, stranger: d }, [
      [{ itemdata: "" }, "400 1000"],
      [{ itemdata: "{}" }, "400 1007"],
      [{ itemdata: [] }, "400 3002"],
      [{ itemdata: [x, NO_UNIT_ITEM, NO_UNIT_ITEM] }, "400 3004"],
      [{ itemdata: [x, NO_UNIT_ITEM], seller: NOBODY, id: idle }, "404 6004"],
      [{ itemdata: [idle, foreign] }, "404 3090"],
      [{ seller: a.address }, "400 3005"],
      [{ id: "" }, "key"],
      [{}, "403 7001"],
      [{ itemdata: [idle, ofNobody] }, "403 7001"],
      [{ itemdata: [own, idle] }, "409 7106"],
      [{ itemdata: [own, other] }, "409 7103"],
      [{ itemdata: [own, cancelled] }, "409 7101"],
      [{ itemdata: [own, sold] }, "409 7102"],
      [{ itemdata: [own] }, "200"],
    ]);
    const [first, second] = [await trade.list(word, a, x), await trade.list(word, a, x)];
    const both = await trade.send(undo, a, { itemdata: [x] });
    assert.deepEqual(chosen(both), [first, second].toSorted());
  });
}

/** Whether a sentence names the position of an element, by any way of counting, and its id. */
function namesElement(answer: Answered, id: string): boolean {
  const { detail } = parsed<{ detail: string }>(answer);
  return detail.includes(id) && /itemdata\[1\]|\b(1|2|second)\b/.test(detail.replaceAll(id, ""));
}

test("mrc402 §1.1: detail names position and id of the element that is to blame, in sell", async () => {
  const { foreign, ended, listed, bound, good, second } = await obstacles();
  const plain = (id: string) => ({ id, price: "30", token: "0", amount: "1" });
  const unnamed: string[] = [];
  for (const [change, answer] of [
    [{ price: "0" }, "400 1101"],
    [{ amount: "0" }, "400 1107"],
    [{ platform_commission: "11" }, "400 3005"],
    [{ platform_address: "MTx" }, "400 3190"],
    [{ id: good }, "400 3004"],
    [{ id: NO_UNIT_ITEM }, "404 6004"],
    [{ platform_address: NOBODY }, "404 3090"],
    [{ token: "99" }, "404 4001"],
    [{ token: "9" }, "400 3005"],
    [{ platform_address: b.address, platform_commission: "10" }, "400 3005"],
    [{ id: foreign }, "403 7001"],
    [{ id: ended }, "409 7110"],
    [{ id: bound }, "409 7109"],
    [{ id: listed }, "409 7108"],
    [{ amount: "6" }, "400 5000"],
  ] as const) {
    const bad = { ...plain(second), ...change };
    const answered = await trade.send("sell", a, { itemdata: [plain(good), bad] });
    assert.equal(unitsSaid(answered), answer);
    unnamed.push(...(namesElement(answered, bad.id) ? [] : [answered.text]));
  }
  assert.deepEqual(unnamed, []);
});

test("mrc402 §1.1: detail names position and id of the element that is to blame, in unsell", async () => {
  const x = await trade.x({}, { a: 40, b: 10 });
  const several = await trade.x({}, { a: 20 });
  const [good, cancelled, sold, foreign] = [
    await trade.sale(a, x),
    await trade.sale(a, x),
    await trade.sale(a, x),
    await trade.sale(b, x),
  ];
  const other = await trade.lot(a, x);
  await Promise.all([trade.sale(a, several), trade.sale(a, several)]);
  const unnamed: string[] = [];
  assert.equal(unitsSaid(await trade.unsell(a, cancelled)), "200");
  assert.equal(unitsSaid(await trade.buy(d, sold, "10")), "200");
  for (const [id, answer] of [
    [good, "400 3004"],
    [NO_UNIT_LISTING, "404 6004"],
    [foreign, "403 7001"],
    [await trade.x({}, { a: 1 }), "409 7106"],
    [several, "409 7107"],
    [other, "409 7103"],
    [cancelled, "409 7101"],
    [sold, "409 7102"],
  ] as const) {
    const answered = await trade.send("unsell", a, { itemdata: [good, id] });
    assert.equal(unitsSaid(answered), answer);
    unnamed.push(...(namesElement(answered, id) ? [] : [answered.text]));
  }
  assert.deepEqual(unnamed, []);
});

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
  await trade.units.give(x, trade.cast.c, e, "1");
  const own = await trade.sale(e, x, { amount: "1" });
  assert.equal(unitsSaid(await trade.unsell(a, cancelled)), "200");
  assert.equal(unitsSaid(await trade.buy(d, sold, "10")), "200");
  await trade.bind(u);
  await trade.units.mending("buy", { by: e, stranger: d }, [
    [{ id: NO_UNIT_LISTING, buyer: NOBODY, price: "31", token: "7" }, "400 1000"],
    [{ amount: "x" }, "400 1101"],
    [{ amount: "0" }, "400 1107"],
    [{ amount: "12", price: "x" }, "400 1101"],
    [{ price: "31", token: "x" }, "400 1101"],
    [{ token: "7", buyer: "MTx" }, "400 3190"],
    [{ buyer: NOBODY }, "404 6004"],
    [{ id: own }, "404 3090"],
    [{ buyer: e.address }, "key"],
    [{}, "400 3004"],
    [{ id: auction }, "409 7103"],
    [{ id: cancelled }, "409 7101"],
    [{ id: sold }, "409 7102"],
    [{ id: bound }, "409 7109"],
    [{ id: open }, "409 7112"],
    [{ price: "30" }, "409 7112"],
    [{ token: "0" }, "400 3004"],
    [{ amount: "10" }, "400 5000"],
  ]);
  await trade.node.pay(e, 1n);
  const bought = "200: a +300, e -300, a -10 on sale, e +10 units";
  assert.equal(await trade.outcome(() => trade.buy(e, open, "10")), bought);
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
  await trade.units.give(own, trade.cast.c, e, "10");
  await trade.sale(e, own);
  await Promise.all([trade.sale(a, several), trade.sale(b, several), trade.sale(a, x)]);
  await trade.sale(a, bound, { amount: "1" });
  await trade.bind(bound);
  await trade.units.mending("buy", { by: e, stranger: d }, [
    [{ id: NO_UNIT_ITEM, buyer: NOBODY, amount: "x", price: "31" }, "400 1101"],
    [{ amount: "0" }, "400 1107"],
    [{ amount: "11" }, "404 6004"],
    [{ id: own }, "404 3090"],
    [{ buyer: e.address }, "key"],
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
  assert.equal(unitsSaid(await trade.send("melt", c, { mrc402id: ended })), "200");
  for (const id of [ended, await trade.x()]) {
    assert.equal(await trade.outcome(() => trade.buy(b, id)), "409 7106");
    assert.equal(await trade.outcome(() => trade.bid(b, id, "100")), "409 7106");
  }
});
