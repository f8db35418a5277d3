import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Address, AMOUNT_MAX } from "@moneta/protocol";
import { BLANK_UNIT_LISTING } from "../../testing/shown/shown-units.ts";
import { NOBODY, NOBODY_ELSE } from "../../testing/trade/item-terms.ts";
import {
  DAY,
  FORMS,
  listingParams,
  NO_UNIT_ITEM,
  NO_UNIT_LISTING,
  UNIT_AUCTION_MAX,
  UNIT_AUCTION_MIN,
  unitListingIdOf,
} from "../../testing/trade/unit-terms.ts";
import { listingsToChoose, UnitTrade } from "../../testing/trade/unit-trade.ts";

// Listings of units, and what an item id means: mrc402 §2.7, §11 to §17. The rest: `trades.test.ts`.

let trade: UnitTrade;
let o: Address;
let p: Address;
let s: Address;
let m: Address;
let c: Address;
let a: Address;
let b: Address;
let d: Address;
before(async () => {
  trade = await UnitTrade.open({ tokens: 9 });
  ({ o, partner: p, seller: s, maker: m, c, a, b, d } = trade.cast);
});
after(() => trade[Symbol.dispose]());

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
  test(`mrc402 §11: ${word} with one bad element of 3: nothing happens`, async () => {
    const ids = [
      await trade.x({}, { a: 1 }),
      await trade.x({}, { a: 1 }),
      await trade.x({}, { b: 1 }),
    ];
    const undone = word.slice(2) as "sell" | "auction";
    if (word.startsWith("un")) {
      const listed = await trade.send(undone, a, { itemdata: itemdataOf(undone, ids.slice(0, 2)) });
      assert.equal(listed.code, "done");
    }
    const sending = () => trade.send(word, a, { itemdata: itemdataOf(word, ids) });
    assert.equal((await sending()).outcome, "403 7001");
    const two = await trade.send(word, a, { itemdata: itemdataOf(word, ids.slice(0, 2)) });
    assert.equal(two.code, "done");
  });
}

for (const side of ["sell", "auction"] as const) {
  test(`mrc402 §2.2: U listed by ${side}: sell, auction, transfer, melt: 7108; owner still the seller`, async () => {
    const u = await trade.u({}, { a: 1 });
    await trade.list(side, a, u, { amount: "1" });
    for (const form of FORMS) {
      const amount = form === "item" ? "" : "1";
      for (const [word, params] of [
        ["sell", listingParams("sell", form, u, { amount: "1" })],
        ["auction", listingParams("auction", form, u, { amount: "1" })],
        ["transfer", { mrc402id: u, toAddr: b, amount }],
        ["melt", { mrc402id: u, amount }],
      ] as const) {
        assert.equal((await trade.send(word, a, params)).outcome, "409 7108", word);
      }
    }
    trade.assertItem(u, { owner: a, holders: 1 });
  });
}

for (const { terms, answer } of [
  { terms: { amount: "5" }, answer: "400 1000" },
  { terms: { price: "30", amount: "6" }, answer: "400 5000" },
  { terms: { price: "30" }, answer: "done: a -1 units, a +1 on sale" },
  { terms: { price: 30, token: 0, amount: 5 }, answer: "done: a -5 units, a +5 on sale" },
]) {
  test(`mrc402 §11: sell [{"id":U,"token":"0", …${JSON.stringify(terms)}}]: ${answer}`, async () => {
    const u = await trade.u({ totalsupply: "5" }, { a: 5 });
    const itemdata = [{ id: u, token: "0", ...terms }];
    assert.equal((await trade.send("sell", a, { itemdata })).outcome, answer);
  });
}

for (const form of FORMS) {
  test(`mrc402 §11: price 10^40, amount 2, ${form} form: 1101`, async () => {
    const x = await trade.x({}, { a: 2 });
    const terms = { amount: "2", price: String(AMOUNT_MAX) };
    const sending = () => trade.send("sell", a, listingParams("sell", form, x, terms));
    assert.equal((await sending()).outcome, "400 1101");
    const half = { ...terms, price: String(AMOUNT_MAX / 2n) };
    assert.equal((await trade.send("sell", a, listingParams("sell", form, x, half))).code, "done");
  });
}

// §2.3, rows 41 and 42: agents.

for (const word of ["sell", "auction"] as const) {
  const kind = word === "sell" ? "sale" : "auction";
  const listedUnits = `maker -1 units, maker +1 on ${kind}`;

  test(`mrc402 §2.3: D ${word}s U that A holds: 7001`, async () => {
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
        assert.equal((await trade.send(word, by, params)).outcome, "403 7001");
      }
    }
  });

  for (const { role, agent } of [
    { role: "seller", agent: () => s },
    { role: "partner", agent: () => p },
  ]) {
    for (const form of FORMS) {
      test(`mrc402 §2.3: role ${role} ${word}s U while C holds it and nothing was traded, ${form} form: seller C, agent D, C is paid`, async () => {
        const u = await trade.u();
        const sent = await trade.send(word, agent(), listingParams(word, form, u, { amount: "1" }));
        assert.equal(sent.outcome, `done: ${listedUnits}`);
        const dexid = unitListingIdOf(agent(), sent.tkey);
        trade.assertListing(dexid, { seller: m, agent: agent() });
        const taking = () =>
          word === "sell" ? trade.buy(b, dexid, "1") : trade.bid(b, dexid, "500");
        const taken =
          word === "sell"
            ? "done: b -30, maker +30, b +1 units, maker -1 on sale"
            : "done: b -500, maker +500, b +1 units, maker -1 on auction";
        assert.equal((await taking()).outcome, taken);
        trade.assertListing(dexid, { state: "sold", buyer: b });
      });
    }
  }
}

test("mrc402 §2.3: then U is bought and back with C; D sells again: 7001", async () => {
  const u = await trade.u();
  const dexid = await trade.sale(s, u, { amount: "1" });
  assert.equal((await trade.buy(b, dexid, "1")).code, "done");
  assert.equal((await trade.send("transfer", b, { mrc402id: u, toAddr: m })).code, "done");
  trade.assertItem(u, { owner: m });
  for (const form of FORMS) {
    const params = listingParams("sell", form, u, { amount: "1" });
    assert.equal((await trade.send("sell", s, params)).outcome, "403 7001");
  }
});

// The lists of checks, in the order in which they answer.

/** Items and listings, some of A, each with another obstacle. */
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
  assert.equal((await trade.send("melt", a, melt)).code, "done");
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
    await trade.mending(word, { by: a, stranger: d }, [
      [{ id: NO_UNIT_ITEM, seller: NOBODY, amount: "x", token: "99", ...dates }, "400 1000"],
      [{ [price]: "30", platform_address: NOBODY_ELSE, platform_commission: "10" }, "400 1101"],
      [{ amount: "0" }, `400 ${none}`],
      [{ amount: "5" }, "404 6004"],
      [{ id: foreign }, "404 3090"],
      [{ seller: a }, "404 3090"],
      [{ platform_address: b }, "404 4001"],
      [{ token: "9" }, "400 3005"],
      [{ token: "7" }, "400 3005"],
      [{ platform_commission: "9" }, "key"],
      [{}, "403 7001"],
      [{ id: ended }, "409 7110"],
      [{ id: bound }, "409 7109"],
      [{ id: listed }, "409 7108"],
      ...(word === "auction" ? ([[{ id: good, amount: "6" }, "400 1102"]] as const) : []),
      [{ id: good, amount: "6", auction_start_date: "" }, "400 5000"],
      [{ amount: "5" }, "done"],
    ]);
  });

  test(`mrc402 §11, §14: the order in which ${word} refuses in item form: each step for all elements`, async () => {
    const { foreign, ended, listed, bound, good, second } = await obstacles();
    const elements = (terms: object, ...ids: readonly string[]) => ({
      itemdata: ids.map((id) => ({ id, [inElement]: "30", token: "0", ...terms })),
    });
    const platform = { platform_address: b, platform_commission: "10" };
    const [first, last] = [0, -1].map((place) => (terms: object, ...ids: readonly string[]) => ({
      itemdata: ids.map((id) => ({
        id,
        [inElement]: "30",
        token: "0",
        ...(id === ids.at(place) ? terms : {}),
      })),
    }));
    assert.ok(first !== undefined && last !== undefined);
    await trade.mending(word, { by: a, stranger: d }, [
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
      [{ seller: a }, "404 4001"],
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
      [elements({ amount: "5" }, good, second), "done"],
    ]);
  });
}

test("mrc402 §1.1: a refusal names the position or the id of the element with the fault, in sell", async () => {
  const { foreign, ended, listed, bound, good, second } = await obstacles();
  const plain = (id: string) => ({ id, price: "30", token: "0", amount: "1" });
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
    [{ platform_address: b, platform_commission: "10" }, "400 3005"],
    [{ id: foreign }, "403 7001"],
    [{ id: ended }, "409 7110"],
    [{ id: bound }, "409 7109"],
    [{ id: listed }, "409 7108"],
    [{ amount: "6" }, "400 5000"],
  ] as const) {
    const bad = { ...plain(second), ...change };
    const { code, problem } = await trade.send("sell", a, { itemdata: [plain(good), bad] });
    assert.equal(code, answer);
    const named = `${problem?.parameter} ${problem?.detail}`;
    assert.ok(named.includes("itemdata[1]") || named.includes(bad.id), named);
  }
});

/** Dates of an auction, relative to now, and where its start and end are then. */
const DATES: readonly (readonly [
  start: number | "0" | "",
  end: number | "0" | "",
  item: number | string,
  quantity: string,
])[] = [
  ["", "", UNIT_AUCTION_MIN, `0 ${DAY}`],
  ["0", "0", UNIT_AUCTION_MIN, `0 ${DAY}`],
  ["", 10, UNIT_AUCTION_MIN, "400 1102"],
  ["", -10, UNIT_AUCTION_MIN, "400 1102"],
  ["", UNIT_AUCTION_MIN - 1, UNIT_AUCTION_MIN, "400 1102"],
  ["", UNIT_AUCTION_MIN, UNIT_AUCTION_MIN, `0 ${UNIT_AUCTION_MIN}`],
  ["", UNIT_AUCTION_MIN + 1, UNIT_AUCTION_MIN + 1, `0 ${UNIT_AUCTION_MIN + 1}`],
  ["", UNIT_AUCTION_MAX, UNIT_AUCTION_MAX, `0 ${UNIT_AUCTION_MAX}`],
  ["", UNIT_AUCTION_MAX + 1, UNIT_AUCTION_MAX, "400 1102"],
  [0, "", "-", `0 ${DAY}`],
  [-1, "", "-", "400 1102"],
  [100, "", "-", `100 ${100 + DAY}`],
  [100, 100 + UNIT_AUCTION_MIN - 1, "-", "400 1102"],
  [100, 100 + UNIT_AUCTION_MIN, "-", `100 ${100 + UNIT_AUCTION_MIN}`],
  [100, 100 + UNIT_AUCTION_MAX, "-", `100 ${100 + UNIT_AUCTION_MAX}`],
  [100, 101 + UNIT_AUCTION_MAX, "-", "400 1102"],
  [1_814_400, "", "-", `1814400 ${1_814_400 + DAY}`],
  [1_814_401, "", "-", "400 1102"],
];

for (const [start, end, inItem, inQuantity] of DATES) {
  const shown = (date: number | string): string =>
    typeof date === "number" ? `T${date < 0 ? "" : "+"}${date}` : JSON.stringify(date);
  const dated = (date: number | string): string =>
    typeof date === "number" ? String(trade.now + date) : date;
  for (const { form, expected } of [
    { form: "item", expected: typeof inItem === "number" ? `0 ${inItem}` : inItem },
    { form: "quantity", expected: inQuantity },
  ] as const) {
    if (expected !== "-") {
      test(`market §3.1: start ${shown(start)}, end ${shown(end)}, ${form} form: ${expected}`, async () => {
        const x = await trade.x({}, { a: 5 });
        const { now } = trade;
        const dates = { auction_end_date: dated(end), auction_start_date: dated(start) };
        const answer = await trade.lists("auction", form, a, x, dates);
        if (expected.startsWith("400")) {
          assert.equal(answer.code, expected);
          return;
        }
        assert.equal(answer.code, "done");
        const { auction_dexid, auction_end } = trade.record(x);
        const { auction_start_date, auction_end_date } = trade.listing(auction_dexid);
        assert.equal(`${auction_start_date - now} ${auction_end_date - now}`, expected);
        assert.equal(auction_end, auction_end_date);
      });
    }
  }
}

test("mrc402 §14: without amount an element is for one unit; numbers may be numbers; buynow may be called bnynow", async () => {
  const x = await trade.x({}, { a: 5 });
  for (const { element, shown } of [
    {
      element: { start: "7", token: "0" },
      shown: {
        amount: "1",
        auction_start_price: "7",
        auction_buynow_price: "0",
        auction_bidding_unit: "1",
      },
    },
    {
      element: { start: 7, token: 0, amount: 2, bidding: 3, bnynow: 8 },
      shown: { amount: "2", auction_bidding_unit: "3", auction_buynow_price: "8" },
    },
    {
      element: { start: "7", token: "0", buynow: "9", bnynow: "9" },
      shown: { auction_buynow_price: "9" },
    },
  ]) {
    const itemdata = [{ id: x, ...element }];
    const [dexid = ""] = (await trade.done("auction", a, { itemdata })).made;
    trade.assertListing(dexid, shown);
  }
  const twice = [{ id: x, start: "7", token: "0", buynow: "9", bnynow: "10" }];
  assert.equal((await trade.send("auction", a, { itemdata: twice })).code, "400 1005");
  for (const form of FORMS) {
    const same = { auction_buynow_price: "100", amount: "1" };
    assert.equal((await trade.lists("auction", form, a, x, same)).code, "400 3005");
  }
});

for (const word of ["sell", "auction"] as const) {
  test(`mrc402 §11, §14: ${word} in item form: an id limits the elements to its project or item`, async () => {
    const [x, u] = [await trade.x({}, { a: 9 }), await trade.u({ totalsupply: "9" }, { a: 9 })];
    const { project } = trade.cast;
    for (const { id, of, answer } of [
      { id: "", of: [x, u], answer: "done" },
      { id: project, of: [u], answer: "done" },
      { id: x, of: [x], answer: "done" },
      { id: project, of: [u, x], answer: "400 3005" },
      { id: u, of: [x], answer: "400 3005" },
      { id: NO_UNIT_ITEM, of: [x], answer: "404 6004" },
    ]) {
      const { code } = await trade.send(word, a, { id, itemdata: itemdataOf(word, of) });
      assert.equal(code, answer, JSON.stringify({ id, of }));
    }
  });
}

test("mrc402 §3: a listing of an item that says nothing, by the only holder: nothing of it applies", async () => {
  const mrc402 = await trade.x();
  const dexid = await trade.sale(c, mrc402, { token: "2" });
  assert.deepEqual(trade.listing(dexid), {
    ...BLANK_UNIT_LISTING,
    ...{ dexid, mrc402, side: "sell", state: "open", seller: c, amount: "10", remain_amount: "10" },
    ...{ sell_price: "30", sell_token: "2", regdate: trade.now, job_type: "mrc402_sell" },
  });
});

test("mrc402 §12: after the first two purchases of 27: unsell: A +5 units, cancelled, remain_amount 5; again 7101; buy 7101", async () => {
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
  test(`mrc402 §2.7: A has two open ones of X; ${undo} ["X"]: 7107; ["DEX402_…"]: cancelled`, async () => {
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
  bids: readonly (readonly [Address, string])[],
): Promise<{ u: string; dexid: string }> {
  const rates = { creatorcommission: "2.5", sell_fee: "10", totalsupply: "5" };
  const u = await trade.u(rates, { a: 5 });
  return { u, dexid: await trade.lot(a, u, {}, bids) };
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
  test(`market §3.5: unauction ${what}: ${answer}`, async () => {
    const { u, dexid } = await row49(bids.map((bid) => [b, bid]));
    if (isOver) {
      trade.untilEnd(dexid);
    }
    assert.equal((await trade.send("unauction", a, { itemdata: [u] })).outcome, answer);
    const isDone = answer.startsWith("done");
    trade.assertListing(dexid, {
      state: isDone ? "cancelled" : "open",
      remain_amount: "5",
      cancel_date: isDone ? trade.now : 0,
      auction_settle_date: 0,
    });
  });
}

// The listing that a request selects by its item. The rest is in `trades.test.ts`.

test("market §1.5: after it is sold: buy or unsell by the listing id 7102, buy by item id 7106", async () => {
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

test("mrc402 §2.7: A and B both sell X; D buys by item id: 7107 with both; by listing id: accepted; after A's unsell by item id: B's", async () => {
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

test("mrc402 §2.7: only A sells X and A buys by item id: 3004; A and B sell, A buys by item id: buys B's", async () => {
  const alone = await trade.x({}, { a: 10 });
  await trade.sale(a, alone);
  assert.equal((await trade.buy(a, alone)).outcome, "400 3004");
  assert.equal((await trade.buy(a, alone, "1")).outcome, "400 3004");
  const { x } = await twoSales();
  assert.equal((await trade.buy(a, x)).outcome, "done: a -30, b +30, a +1 units, b -1 on sale");
});

test("mrc402 §13: listing of 5 at 30: buy by item id without amount: 1 unit, P 30; by listing id without amount: 1000", async () => {
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

test("market §3.3: bid with token 7 in an auction for 0: 3004; item form without token, string id|100||tkey: accepted", async () => {
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

test("mrc402 §2.7: two auctions of X past their end, T-5 and T-9; auctionfinish by item id twice, then again: T-9, then T-5, then 7106", async () => {
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
