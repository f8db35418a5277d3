import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import type { Address, Texts } from "@moneta/protocol";
import { assertRecords, type ExpectedRecord } from "../../testing/shown/expected-records.ts";
import type { Element } from "../../testing/trade/creations.ts";
import { NOBODY } from "../../testing/trade/item-terms.ts";
import { NO_UNIT_ITEM } from "../../testing/trade/unit-terms.ts";
import { type UnitCast, UnitTrade } from "../../testing/trade/unit-trade.ts";

let trade: UnitTrade;
let cast: UnitCast;
let c: Address;
let a: Address;
let b: Address;
let d: Address;
let o: Address;
beforeEach(async () => {
  trade = await UnitTrade.open({ tokens: 9, coins: 1000n });
  ({ cast } = trade);
  ({ c, a, b, d, o } = cast);
});
afterEach(() => trade[Symbol.dispose]());

test("mrc402 §18 row 8: U {0:100}, melt_fee 33.3333, A melts: O +33, A +67; owner MELTED, melting_date T; transfer, sell, melt again: 7110", async () => {
  const u = await trade.ofO({ initialreserve: { "0": "100" }, melt_fee: "33.3333" }, { a: 1 });
  trade.now += 5;
  assert.equal((await trade.supply("melt", a, u)).outcome, "done: a +67, o +33, a -1 units");
  trade.assertItem(u, { owner: "MELTED", melting_date: trade.now, holders: 0 });
  const transfer = { mrc402id: u, toAddr: d };
  for (const by of [a, o, b]) {
    for (const [word, params] of [
      ["transfer", transfer],
      ["transfer", { ...transfer, toAddr: c, amount: "1" }],
      ["melt", { mrc402id: u }],
      ["melt", { mrc402id: u, amount: "1" }],
      ["sell", { id: u, amount: "1", price: "1", token: "0" }],
      ["sell", { itemdata: [{ id: u, price: "1", token: "0" }] }],
      ["auction", { id: u, amount: "1", auction_start_price: "1", token: "0" }],
    ] as const) {
      const answer = (await trade.send(word, by, params)).outcome;
      assert.equal(answer, "409 7110", word);
    }
  }
  for (const word of ["mint", "burn"] as const) {
    assert.equal((await trade.supply(word, o, u, "1")).outcome, "409 7110", word);
    assert.equal((await trade.supply(word, a, u, "1")).outcome, "403 7002", word);
  }
});

for (const { how, amounts, moved } of [
  { how: "singly", amounts: ["1", "1", "1"], moved: ["a +100", "a +100", "a +100"] },
  { how: "3 at once", amounts: ["3"], moved: ["a +299, o +1"] },
]) {
  test(`mrc402 §18 row 9: 3 units of P {0:100}, melt_fee 0.5, melted ${how}: ${moved.join("; ")}`, async () => {
    const terms = { initialreserve: { "0": "100" }, melt_fee: "0.5", totalsupply: "3" };
    const x = await trade.ofO(terms, { a: 3 });
    for (const [at, amount] of amounts.entries()) {
      assert.equal(
        (await trade.supply("melt", a, x, amount)).outcome,
        `done: ${moved[at]}, a -${amount} units`,
      );
    }
    trade.assertItem(x, { owner: "MELTED", meltedamount: "3" });
  });
}

test("mrc402 §18 row 10: melt_fee 99.9999, reserve 1: fee 0, holder 1", async () => {
  const x = await trade.ofO({ initialreserve: { "0": "1" }, melt_fee: "99.9999" }, { a: 1 });
  assert.equal((await trade.supply("melt", a, x)).outcome, "done: a +1, a -1 units");
});

test("mrc402 §18 row 15: expiredate T+1000, melt at T+999: 7204; at T+1000: paid; transfer, sale and burn work before", async () => {
  const expiredate = String(trade.now + 1000);
  const x = await trade.x(
    { totalsupply: "10", initialreserve: { "0": "5" }, expiredate },
    { a: 4 },
  );
  trade.now += 999;
  assert.equal((await trade.supply("melt", a, x, "1")).outcome, "409 7204");
  assert.equal((await trade.supply("melt", a, x)).outcome, "409 7204");
  assert.equal((await trade.supply("burn", c, x, "1")).outcome, "done: c +5, c -1 units");
  assert.equal((await trade.supply("mint", c, x, "1")).outcome, "done: c -5, c +1 units");
  await trade.give(x, a, b, "1");
  const dexid = await trade.list("sell", a, x, { amount: "1" });
  await trade.done("buy", b, { id: dexid, amount: "1" });
  trade.now += 1;
  assert.equal((await trade.supply("melt", a, x, "1")).outcome, "done: a +5, a -1 units");
  assert.equal((await trade.supply("melt", b, x)).outcome, "done: b +5, b -1 units");
  trade.assertItem(x, { expiredate: Number(expiredate) });
});

test("mrc402 §18 row 16: melt by D who holds nothing: 7001; by A who holds 2, amount 3: 5000; A's 2 are both on sale, amount 1: 7108", async () => {
  const x = await trade.x({ totalsupply: "10" }, { a: 2 });
  for (const amount of [undefined, "1", "3"]) {
    assert.equal((await trade.supply("melt", d, x, amount)).outcome, "403 7001");
  }
  assert.equal((await trade.supply("melt", a, x, "3")).outcome, "400 5000");
  await trade.list("sell", a, x, { amount: "2" });
  assert.equal((await trade.supply("melt", a, x, "1")).outcome, "409 7108");
  assert.equal((await trade.supply("melt", a, x)).outcome, "409 7108");
  assert.equal((await trade.supply("melt", a, x, "3")).outcome, "400 5000");
});

for (const side of ["sell", "auction"] as const) {
  test(`mrc402 §18 row 39: U ${side === "sell" ? "on sale" : "on auction"}: melt it: 7108, so transfer; owner still the seller`, async () => {
    const u = await trade.ofO({ initialreserve: { "0": "5" } }, { a: 1 });
    await trade.list(side, a, u, { amount: "1" });
    assert.equal((await trade.supply("melt", a, u)).outcome, "409 7108");
    const transfer = { mrc402id: u, toAddr: b };
    assert.equal((await trade.send("transfer", a, transfer)).outcome, "409 7108");
    trade.assertItem(u, { owner: a, holders: 1 });
  });
}

// Money and the end of an item.

test("mrc402 §2.5: a melt pays each token of the reserve, the fee of each rounded down by itself, in ascending order", async () => {
  await trade.client.pay(o, 1000n, { token: "7" });
  await trade.client.pay(o, 1000n, { token: "9" });
  const initialreserve = '{"9":"7","7":"101","0":"1"}';
  const x = await trade.ofO({ initialreserve, melt_fee: "10", totalsupply: "3" }, { a: 3 });
  assert.equal(
    (await trade.supply("melt", a, x, "2")).outcome,
    "done: a +2, a +182 of 7, o +20 of 7, a +13 of 9, o +1 of 9, a -2 units",
  );
});

test("mrc402 §2.5: the creator melts as a holder does, with the fee; a burn has none; alone there is no fee", async () => {
  const terms = { initialreserve: { "0": "10" }, melt_fee: "50", totalsupply: "4" };
  const { maker } = cast;
  const x = await trade.item(cast.project, maker, terms);
  assert.equal(
    (await trade.supply("melt", maker, x)).outcome,
    "done: o +5, maker +5, maker -1 units",
  );
  assert.equal(
    (await trade.supply("burn", maker, x, "1")).outcome,
    "done: maker +10, maker -1 units",
  );
  assert.equal(
    (await trade.supply("mint", maker, x, "2")).outcome,
    "done: maker -20, maker +2 units",
  );
  const own = await trade.item(cast.project, o, terms);
  assert.equal((await trade.supply("melt", o, own)).outcome, "done: o +10, o -1 units");
  const alone = await trade.x({ totalsupply: "2", initialreserve: { "0": "10" } }, { a: 1 });
  assert.equal((await trade.supply("melt", a, alone)).outcome, "done: a +10, a -1 units");
});

for (const { what, element, amount, isNamed, token, paid, fees } of [
  {
    what: "without a reserve",
    element: {},
    amount: "",
    isNamed: true,
    token: "0",
    paid: {},
    fees: {},
  },
  {
    what: "of two tokens, with fees",
    element: { initialreserve: { "9": "20", "7": "10" }, melt_fee: "10" },
    amount: "2",
    isNamed: false,
    token: "7",
    paid: { "7": "18", "9": "36" },
    fees: { "7": "2", "9": "4" },
  },
  {
    what: "with a fee that is rounded to 0 in one token",
    element: { initialreserve: { "7": "100", "0": "1" }, melt_fee: "1" },
    amount: "1",
    isNamed: true,
    token: "0",
    paid: { "0": "1", "7": "99" },
    fees: { "7": "1" },
  },
  {
    what: "of one unit, not named",
    element: { initialreserve: { "0": "7" } },
    amount: "",
    isNamed: false,
    token: "0",
    paid: { "0": "7" },
    fees: {},
  },
] as const) {
  test(`mrc402 §8: a melt ${what}: records M, I, and A per payee and token`, async () => {
    await trade.client.pay(o, 1000n, { token: "7" });
    await trade.client.pay(o, 1000n, { token: "9" });
    trade.now += 10;
    const x = await trade.ofO({ ...(element as Element), totalsupply: "4" }, { a: 4 });
    const params = {
      mrc402id: x,
      ...(amount === "" ? {} : { amount }),
      ...(isNamed ? {} : { address: "" }),
    };
    const answer = await trade.done("melt", a, params);
    const { signature: s, tkey } = answer;
    const parameters = [x, a, amount, s, tkey];
    const moved = Object.keys(paid);
    const payments = moved.flatMap((id): ExpectedRecord[] => {
      const fee = (fees as Texts)[id];
      const ends = [id, s, "0", "", x, tkey];
      const rest = (paid as Texts)[id] as string;
      return [
        ...(fee === undefined
          ? []
          : [
              {
                type: "receive_meltfee",
                of: o,
                parameters: [x, o, fee, ...ends],
                moved: Object.keys(fees),
              },
            ]),
        {
          type: "receive_melt",
          of: a,
          parameters: [x, a, rest, ...ends],
          moved,
          units: [x],
        },
      ];
    });
    assertRecords(
      trade.client,
      answer,
      [
        { type: "mrc402melt", of: a, parameters, moved, units: [x] },
        { type: "mrc402_melt", of: x, parameters },
        ...payments,
      ],
      token,
    );
  });
}

test("conventions §8.3: O melts its own units: one record for its fee, one for the rest", async () => {
  const terms = { initialreserve: { "0": "10" }, melt_fee: "30" };
  const x = await trade.item(cast.project, o, terms);
  const { effects } = await trade.supply("melt", o, x);
  assert.deepEqual(
    effects.map(({ type, address, parameters }) => [type, address, parameters[2]]),
    [
      ["mrc402_melt", "", ""],
      ["receive_meltfee", o, "3"],
      ["receive_melt", o, "7"],
    ],
  );
});

test("mrc402 §8: the order in which a melt refuses", async () => {
  const expiredate = String(trade.now + 10);
  const ended = await trade.x({ totalsupply: "1" }, { a: 1 });
  assert.equal((await trade.supply("melt", a, ended)).code, "done");
  const foreign = await trade.alone(c, { totalsupply: "9", expiredate });
  const listed = await trade.x({ totalsupply: "9", expiredate }, { a: 4 });
  await trade.list("sell", a, listed, { amount: "2" });
  await trade.mending("melt", { by: a, stranger: c }, [
    [{ mrc402id: NO_UNIT_ITEM, address: NOBODY, amount: "x" }, "400 1101"],
    [{ amount: "0" }, "400 1106"],
    [{ amount: "3", address: "MTx" }, "400 3190"],
    [{ address: NOBODY }, "404 6004"],
    [{ mrc402id: foreign }, "404 3090"],
    [{ address: a }, "key"],
    [{}, "403 7001"],
    [{ mrc402id: ended }, "409 7110"],
    [{ mrc402id: listed }, "409 7108"],
    [{ amount: "5" }, "409 7204"],
    [{ amount: "2" }, "409 7204"],
  ]);
  trade.now += 10;
  assert.equal((await trade.supply("melt", a, listed, "5")).outcome, "400 5000");
  assert.equal((await trade.supply("melt", a, listed, "2")).outcome, "done: a -2 units");
});
