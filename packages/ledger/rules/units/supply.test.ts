import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { type Address, AMOUNT_MAX } from "@moneta/protocol";
import { TestClient } from "../../testing/test-client.ts";
import { NOBODY } from "../../testing/trade/item-terms.ts";
import { NO_UNIT_ITEM } from "../../testing/trade/unit-terms.ts";
import { type UnitCast, UnitTrade } from "../../testing/trade/unit-trade.ts";

// Minting, burning and melting of units: /mrc402/mint, /mrc402/burn, /mrc402/melt: mrc402 §7, §8.

let client: TestClient;
let trade: UnitTrade;
let cast: UnitCast;
let c: Address;
let a: Address;
let o: Address;
let b: Address;
let d: Address;
before(async () => {
  client = await TestClient.open({ tokens: 9 });
});
after(() => client[Symbol.dispose]());
beforeEach(async () => {
  trade = await UnitTrade.on(client, 1000n);
  ({ cast } = trade);
  ({ c, a, b, d, o } = cast);
});

/** X of row 1 after the rows up to this one. C has only what these rows paid it. */
async function afterRow(row: 3 | 4 | 5): Promise<string> {
  c = await trade.newcomer("c", 500n, { "7": 1000n });
  const initialreserve = { "0": "5", "7": "10" };
  const x = await trade.alone(c, { totalsupply: "100", initialreserve });
  await trade.give(x, c, a, "3");
  await trade.done("transfer", c, { mrc402id: x, toAddr: a });
  if (row > 3) {
    assert.equal((await trade.supply("melt", a, x, "2")).code, "done");
  }
  if (row > 4) {
    assert.equal((await trade.supply("burn", c, x, "7")).code, "done");
  }
  return x;
}

// Rows of §18.

test("mrc402 §18 row 4: A melts 2: A +10 of 0, +20 of 7; totalsupply 100, meltedamount 2; reserve 490 and 980", async () => {
  const x = await afterRow(3);
  assert.equal(
    (await trade.supply("melt", a, x, "2")).outcome,
    "done: a +10, a +20 of 7, a -2 units",
  );
  trade.assertItem(x, {
    totalsupply: "100",
    meltedamount: "2",
    burnedamount: "0",
    reserve: { "0": "490", "7": "980" },
    melting_date: 0,
  });
});

test("mrc402 §18 row 5: then C burns 7: C +35, +70; totalsupply 93, burnedamount 7; E 91; reserve 455 and 910", async () => {
  const x = await afterRow(4);
  assert.equal(
    (await trade.supply("burn", c, x, "7")).outcome,
    "done: c +35, c +70 of 7, c -7 units",
  );
  trade.assertItem(x, {
    totalsupply: "93",
    meltedamount: "2",
    burnedamount: "7",
    reserve: { "0": "455", "7": "910" },
  });
});

for (const { coins, sevens, answer } of [
  { coins: 45n, sevens: 90n, answer: "done: c -45, c -90 of 7, c +9 units" },
  { coins: 44n, sevens: 90n, answer: "400 5000" },
  { coins: 45n, sevens: 89n, answer: "400 5000" },
]) {
  test(`mrc402 §7: then C mints 9, having ${coins} of 0 and ${sevens} of 7: ${answer}`, async () => {
    const x = await afterRow(5);
    await trade.client.pay(c, coins - 35n, { token: "0" });
    await trade.client.pay(c, sevens - 70n, { token: "7" });
    assert.equal((await trade.supply("mint", c, x, "9")).outcome, answer);
    if (answer.startsWith("done")) {
      trade.assertItem(x, {
        totalsupply: "102",
        meltedamount: "2",
        burnedamount: "7",
        reserve: { "0": "500", "7": "1000" },
      });
    }
  });
}

for (const word of ["mint", "burn"] as const) {
  test(`mrc402 §7: A, a holder but not creator, cannot ${word}, with its own key and signature: 403 7002`, async () => {
    const x = await trade.x({ totalsupply: "10" }, { a: 4 });
    const u = await trade.ofO({}, { a: 1 });
    for (const address of [a, ""]) {
      assert.equal((await trade.supply(word, a, x, "1", { address })).outcome, "403 7002");
      assert.equal((await trade.supply(word, a, u, "1", { address })).outcome, "403 7002");
    }
    for (const by of [cast.partner, cast.seller, cast.maker, c]) {
      assert.equal((await trade.supply(word, by, u, "1")).outcome, "403 7002");
    }
    const made = await trade.item(cast.project, cast.maker, { totalsupply: "2" });
    assert.equal(
      (await trade.supply(word, o, made, "1")).outcome,
      "403 7002",
      "nor the owner of the project",
    );
    assert.equal((await trade.supply(word, cast.maker, made, "1")).code, "done");
  });
}

// Records and answers.

test("mrc402 §7: totalsupply 99999990: mint 10: 3005; mint 9: 99999999", async () => {
  const x = await trade.alone(c, { totalsupply: "99999990" });
  assert.equal((await trade.supply("mint", c, x, "10")).outcome, "400 3005");
  assert.equal((await trade.supply("mint", c, x, "99999999")).outcome, "400 3005");
  assert.equal((await trade.supply("mint", c, x, "9")).outcome, "done: c +9 units");
  trade.assertItem(x, { totalsupply: "99999999" });
  assert.equal((await trade.supply("mint", c, x, "1")).outcome, "400 3005");
  assert.equal((await trade.supply("burn", c, x, "1")).code, "done");
  assert.equal(
    (await trade.supply("mint", c, x, "1")).outcome,
    "done: c +1 units",
    "burned units make room",
  );
  assert.equal((await trade.supply("melt", c, x, "1")).code, "done");
  assert.equal((await trade.supply("mint", c, x, "1")).outcome, "400 3005", "melted ones do not");
});

test("mrc402 §2.5: reserves up to 10^40, and a fee of them exactly", async () => {
  c = await trade.newcomer("c", 0n, { "2": AMOUNT_MAX });
  const { maker } = cast;
  await trade.client.pay(maker, AMOUNT_MAX, { token: "1" });
  const reserve = { initialreserve: { "1": String(AMOUNT_MAX / 4n) }, totalsupply: "4" };
  const x = await trade.item(cast.project, maker, { ...reserve, melt_fee: "99.9999" });
  assert.equal(
    (await trade.supply("melt", maker, x, "4")).outcome,
    `done: o +${(AMOUNT_MAX * 999_999n) / 1_000_000n} of 1, maker +${AMOUNT_MAX / 1_000_000n} of 1, maker -4 units`,
  );
  const y = await trade.alone(c, { initialreserve: { "2": String(AMOUNT_MAX) } });
  assert.equal((await trade.supply("mint", c, y, "1")).outcome, "400 1101");
  assert.equal(
    (await trade.supply("burn", c, y, "1")).outcome,
    `done: c +${AMOUNT_MAX} of 2, c -1 units`,
  );
});

for (const word of ["mint", "burn"] as const) {
  test(`mrc402 §7: the order in which a ${word} refuses`, async () => {
    const foreign = await trade.alone(a);
    const ended = await trade.alone(c);
    assert.equal((await trade.supply("burn", c, ended, "1")).code, "done");
    const full = await trade.alone(c, { totalsupply: "99999997" });
    const huge = await trade.alone(c, { totalsupply: "1", initialreserve: { "0": "1" } });
    const listed = await trade.alone(c, { totalsupply: "4" });
    await trade.list("sell", c, listed, { amount: "2" });
    await trade.mending(word, { by: c, stranger: a }, [
      [{ mrc402id: NO_UNIT_ITEM, address: NOBODY, memo: "m".repeat(1025) }, "400 1000"],
      [{ memo: "", amount: "x" }, "400 1101"],
      [{ amount: "0" }, "400 1206"],
      [{ amount: "3", memo: "m".repeat(1025) }, "400 3005"],
      [{ memo: "", address: "MTx" }, "400 3190"],
      [{ address: NOBODY }, "404 6004"],
      [{ mrc402id: foreign }, "404 3090"],
      [{ address: c }, "key"],
      [{}, "403 7002"],
      [{ mrc402id: ended }, "409 7110"],
      ...(word === "mint"
        ? ([
            [{ mrc402id: full }, "400 3005"],
            [{ mrc402id: huge, amount: "1000" }, "400 5000"],
            [{ amount: "999" }, "done"],
          ] as const)
        : ([
            [{ mrc402id: listed }, "409 7108"],
            [{ amount: "5" }, "400 5000"],
            [{ amount: "2" }, "done"],
          ] as const)),
    ]);
  });
}

test("mrc402 §3: X 10, A melted 4, C holds 6 and burns 6: totalsupply 4, E 0, owner BURNED, melting_date 0; mint 1: 7110", async () => {
  const x = await trade.x({ totalsupply: "10" }, { a: 4 });
  assert.equal((await trade.supply("melt", a, x, "4")).code, "done");
  assert.equal((await trade.supply("burn", c, x, "6")).outcome, "done: c -6 units");
  trade.assertItem(x, {
    totalsupply: "4",
    meltedamount: "4",
    burnedamount: "6",
    owner: "BURNED",
    holders: 0,
    melting_date: 0,
  });
  assert.equal((await trade.supply("mint", c, x, "1")).outcome, "409 7110");
});

for (const side of ["sell", "auction"] as const) {
  test(`mrc402 §2.2: C has 10, ${side === "sell" ? "sells" : "auctions"} 8 of them, burns 3: 7108; 2: accepted; 11: 5000`, async () => {
    const x = await trade.alone(c, { totalsupply: "10", initialreserve: { "0": "5" } });
    await trade.list(side, c, x, { amount: "8" });
    assert.equal((await trade.supply("burn", c, x, "3")).outcome, "409 7108");
    assert.equal((await trade.supply("burn", c, x, "10")).outcome, "409 7108");
    assert.equal((await trade.supply("burn", c, x, "11")).outcome, "400 5000");
    assert.equal((await trade.supply("burn", c, x, "2")).outcome, "done: c +10, c -2 units");
    assert.equal((await trade.supply("burn", c, x, "1")).outcome, "409 7108");
    assert.equal((await trade.supply("melt", c, x, "1")).outcome, "409 7108");
    trade.assertItem(x, { totalsupply: "8", owner: c });
  });
}

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
  test(`mrc402 §2.5: 3 units of P {0:100}, melt_fee 0.5, melted ${how}: ${moved.join("; ")}`, async () => {
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

test("mrc402 §2.5: melt_fee 99.9999, reserve 1: fee 0, holder 1", async () => {
  const x = await trade.ofO({ initialreserve: { "0": "1" }, melt_fee: "99.9999" }, { a: 1 });
  assert.equal((await trade.supply("melt", a, x)).outcome, "done: a +1, a -1 units");
});

test("mrc402 §2.5: expiredate T+1000, melt at T+999: 7204; at T+1000: paid; transfer, sale and burn work before", async () => {
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

test("mrc402 §8: melt by D who holds nothing: 7001; by A who holds 2, amount 3: 5000; A's 2 are both on sale, amount 1: 7108", async () => {
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
