import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { type Address, AMOUNT_MAX } from "@moneta/protocol";
import { NOBODY, NOBODY_ELSE } from "../../testing/trade/item-terms.ts";
import {
  FORMS,
  listingParams,
  NO_UNIT_ITEM,
  unitListingIdOf,
} from "../../testing/trade/unit-terms.ts";
import { UnitTrade } from "../../testing/trade/unit-trade.ts";

// What POST /mrc402/sell and POST /mrc402/auction share: mrc402 §11, §14.

let trade: UnitTrade;
let o: Address;
let p: Address;
let s: Address;
let m: Address;
let c: Address;
let a: Address;
let b: Address;
let d: Address;
beforeEach(async () => {
  trade = await UnitTrade.open({ tokens: 9 });
  ({ o, partner: p, seller: s, maker: m, c, a, b, d } = trade.cast);
});
afterEach(() => trade[Symbol.dispose]());

/** The nth of many well-formed ids that no item has. */
function noItem(n: number): string {
  return `MRC402_${String(n).padStart(33, "0")}`;
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
      assert.equal((await trade.send(word, a, { itemdata })).code, answer);
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
      assert.equal(listed.code, "done");
    }
    const sending = () => trade.send(word, a, { itemdata: itemdataOf(word, ids) });
    assert.equal((await sending()).outcome, "403 7001");
    const two = await trade.send(word, a, { itemdata: itemdataOf(word, ids.slice(0, 2)) });
    assert.equal(two.code, "done");
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
        { token: "7", answer: "done" },
        { token: "0", answer: "done" },
      ]) {
        test(`mrc402 §18 row 38: ${kind} allow_token 7: ${word} U for token ${token}, ${form} form: ${answer}`, async () => {
          const u = await make();
          const params = listingParams(word, form, u, { amount: "1", token });
          assert.equal((await trade.send(word, a, params)).code, answer);
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
        transfer: () => trade.send("transfer", a, { mrc402id: u, toAddr: b, amount }),
        melt: () => trade.send("melt", a, { mrc402id: u, amount }),
      };
      assert.equal((await acts[word]()).outcome, "409 7108");
      trade.assertItem(u, { owner: a, holders: 1 });
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
  { terms: { price: "30" }, answer: "done: a -1 units, a +1 on sale" },
  { terms: { price: 30, token: 0, amount: 5 }, answer: "done: a -5 units, a +5 on sale" },
  { terms: { price: "30", amount: "5", more: [{}] }, answer: "done: a -5 units, a +5 on sale" },
]) {
  test(`mrc402 §18 row 40: sell [{"id":U,"token":"0", …${JSON.stringify(terms)}}]: ${answer}`, async () => {
    const u = await trade.u({ totalsupply: "5" }, { a: 5 });
    const itemdata = [{ id: u, token: "0", ...terms }];
    assert.equal((await trade.send("sell", a, { itemdata })).outcome, answer);
  });
}

for (const { change, answer } of [
  { change: { price: "" }, answer: "400 1000" },
  { change: { token: "" }, answer: "400 1000" },
  { change: { amount: "99999999" }, answer: "400 5000" },
  { change: { price: String(AMOUNT_MAX), amount: "1" }, answer: "done: a -1 units, a +1 on sale" },
  { change: { token: "10" }, answer: "404 4001" },
  { change: { platform_commission: "10" }, answer: "done: a -5 units, a +5 on sale" },
  { change: { platform_name: "x".repeat(255) }, answer: "done: a -5 units, a +5 on sale" },
  { change: { platform_address: NOBODY }, answer: "404 3090" },
]) {
  const shown = JSON.stringify(change).replace(/x{200,}/, "x…");
  test(`mrc402 §11: quantity form with ${shown}: ${answer}`, async () => {
    const x = await trade.x({}, { a: 5 });
    const selling = () => trade.lists("sell", "quantity", a, x, { amount: "5", ...change });
    assert.equal((await selling()).outcome, answer);
  });
}

for (const form of FORMS) {
  test(`mrc402 §18 row 64: price 10^40, amount 2, ${form} form: 1101`, async () => {
    const x = await trade.x({}, { a: 2 });
    const terms = { amount: "2", price: String(AMOUNT_MAX) };
    const sending = () => trade.send("sell", a, listingParams("sell", form, x, terms));
    assert.equal((await sending()).outcome, "400 1101");
    const half = { ...terms, price: String(AMOUNT_MAX / 2n) };
    assert.equal((await trade.send("sell", a, listingParams("sell", form, x, half))).code, "done");
  });
}

test("mrc402 §11: neither itemdata nor an item id: 1000", async () => {
  for (const word of ["sell", "auction"] as const) {
    const { id: _, ...params } = listingParams(word, "quantity", "", {});
    assert.equal((await trade.send(word, a, params)).code, "400 1000");
  }
  for (const word of ["unsell", "unauction"] as const) {
    assert.equal((await trade.send(word, a, {})).code, "400 1000");
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
        assert.equal((await trade.send(word, by, params)).outcome, "403 7001");
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

  test(`mrc402 §2.3: ${undo} by an agent of what C or another agent has listed; units return to C`, async () => {
    const u = await trade.u({ totalsupply: "2" });
    const back = `done: maker +1 units, maker -1 on ${kind}`;
    for (const lister of [m, s, p]) {
      for (const byListing of [true, false]) {
        const dexid = await trade.list(word, lister, u, { amount: "1" });
        const params = byListing ? { id: dexid } : { itemdata: [u] };
        const undoing = () => trade.send(undo, lister === s ? p : s, params);
        assert.equal((await undoing()).outcome, back);
        trade.assertListing(dexid, { state: "cancelled", seller: m });
      }
    }
  });

  test(`mrc402 §2.3: who holds a unit is no agent: it ${word}s its own; after that nobody is an agent`, async () => {
    const u = await trade.u({ totalsupply: "3" }, { seller: 1 });
    const own = await trade.list(word, s, u, { amount: "1" });
    trade.assertListing(own, { seller: s, agent: "" });
    const params = listingParams(word, "quantity", u, { amount: "1" });
    assert.equal((await trade.send(word, p, params)).outcome, "403 7001");
    const ofC = await trade.list(word, m, u, { amount: "1" });
    for (const by of [s, p, d]) {
      assert.equal((await trade.send(undo, by, { id: ofC })).outcome, "403 7001");
    }
  });

  test(`mrc402 §2.3: once a unit was traded, an agent can neither ${word} nor ${undo}, not even what it has listed`, async () => {
    const u = await trade.u({ totalsupply: "5" });
    const dexid = await trade.list(word, s, u, { amount: "2" });
    const sold = await trade.sale(m, u, { amount: "1" });
    assert.equal((await trade.buy(b, sold, "1")).code, "done");
    for (const params of [{ id: dexid }, { itemdata: [u] }, { itemdata: [dexid] }]) {
      assert.equal((await trade.send(undo, s, params)).outcome, "403 7001");
    }
    const params = listingParams(word, "item", u, { amount: "1" });
    assert.equal((await trade.send(word, s, params)).outcome, "403 7001");
    const back = `done: maker +2 units, maker -2 on ${kind}`;
    assert.equal((await trade.send(undo, m, { id: dexid })).outcome, back);
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
      assert.equal((await trade.send(word, p, params)).outcome, answer);
    }
    await trade.updateProject({ partner: { [m]: "creator" } }, project);
    const params = listingParams(word, "quantity", u, { amount: "1" });
    assert.equal((await trade.send(word, p, params)).outcome, "403 7001");
    assert.equal((await trade.send(undo, s, { itemdata: [u] })).outcome, "403 7001");
  });
}

test("mrc402 §18 row 42: then U is bought and back with C; D sells again: 7001", async () => {
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

test("mrc402 §18 row 45: U Temporary, on sale; O sets Bound; then buy 7109, unsell works", async () => {
  const u = await trade.u({ transferable: "Temporary", totalsupply: "2" }, { a: 2 });
  const dexid = await trade.sale(a, u, { amount: "1" });
  await trade.bind(u);
  assert.equal((await trade.buy(b, dexid, "1")).outcome, "409 7109");
  assert.equal((await trade.buy(b, u)).outcome, "409 7109");
  for (const word of ["sell", "auction"] as const) {
    for (const form of FORMS) {
      const params = listingParams(word, form, u, { amount: "1" });
      assert.equal((await trade.send(word, a, params)).outcome, "409 7109");
    }
  }
  assert.equal((await trade.unsell(a, dexid)).outcome, "done: a +1 units, a -1 on sale");
});

test("mrc402 §11: units of one item cannot be sold twice in one request, nor those of several beyond what is there", async () => {
  const [x, y] = [await trade.x({}, { a: 5 }), await trade.x({}, { a: 5 })];
  for (const [itemdata, answer] of [
    [itemdataOf("sell", [x, x], { amount: "3" }), "400 3004"],
    [itemdataOf("sell", [x, y], { amount: "6" }), "400 5000"],
    [
      itemdataOf("sell", [x, y], { amount: "5" }),
      "done: a +5 on sale, a +5 on sale, a -5 units, a -5 units",
    ],
  ] as const) {
    // In no order: that of the items is that of their ids, which are drawn.
    const [status, moved = ""] = (await trade.send("sell", a, { itemdata })).outcome.split(": ");
    const sorted = moved === "" ? "" : `: ${moved.split(", ").sort().join(", ")}`;
    assert.equal(`${status}${sorted}`, answer);
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

  test(`mrc402 §11, §14: the order in which ${word} refuses parameters in quantity form`, async () => {
    const tooMuch = { amount: "2", [price]: String(AMOUNT_MAX + 1n) };
    await trade.mending(word, { by: a, stranger: d }, [
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

for (const word of ["sell", "auction"] as const) {
  test(`mrc402 §11, §14: ${word} in item form: an id limits the elements to its project or item`, async () => {
    const x = await trade.x({}, { a: 9 });
    const u = await trade.u({ totalsupply: "9" }, { a: 9 });
    const { project } = trade.cast;
    for (const { id, of, answer } of [
      { id: "", of: [x, u], answer: "done" },
      { id: project, of: [u], answer: "done" },
      { id: u, of: [u], answer: "done" },
      { id: x, of: [x], answer: "done" },
      { id: project, of: [u, x], answer: "400 3005" },
      { id: project, of: [x], answer: "400 3005" },
      { id: u, of: [x], answer: "400 3005" },
      { id: x, of: [x, u], answer: "400 3005" },
      { id: NO_UNIT_ITEM, of: [x], answer: "404 6004" },
      { id: `MRC400_${"0".repeat(33)}`, of: [x], answer: "404 6004" },
      { id: "nonsense", of: [x], answer: "404 6004" },
    ]) {
      const sent = await trade.send(word, a, { id, itemdata: itemdataOf(word, of) });
      assert.equal(sent.code, answer, JSON.stringify({ id, of }));
    }
  });
}
