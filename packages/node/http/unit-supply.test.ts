import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { changed, type Element, type ItemParams, renamed } from "../testing/item-requests.ts";
import { NOBODY } from "../testing/item-trade.ts";
import {
  type Answered,
  type KeyHolder,
  type Params,
  parsed,
  said,
  saidCode,
  type TestNode,
  transactionIdOf,
} from "../testing/test-node.ts";
import {
  assertUnitsRecorded,
  NO_UNIT_ITEM,
  type UnitCast,
  type UnitRecord,
  Units,
  type UnitWord,
  unitsSaid,
} from "../testing/unit-requests.ts";

// Mint, burn and melt: mrc402 §2.5, §7, §8, and their rows in §18. After each case row 66 holds.

const MAX = 10n ** 40n;
const SUPPLY_WORDS = ["mint", "burn", "melt"] as const;

let units: Units;
let node: TestNode;
let cast: UnitCast;
let c: KeyHolder;
let a: KeyHolder;
let b: KeyHolder;
let d: KeyHolder;
let o: KeyHolder;
before(async () => {
  units = await Units.open({ tokens: 9 });
  node = units.node;
});
after(() => units[Symbol.asyncDispose]());
beforeEach(async () => {
  cast = await units.cast();
  ({ c, a, b, d, o } = cast);
});
afterEach(() => units.assertConserved());

function change(
  word: (typeof SUPPLY_WORDS)[number],
  by: KeyHolder,
  mrc402id: string,
  amount?: string,
  more: ItemParams = {},
): Promise<Answered> {
  const given = amount === undefined ? {} : { amount };
  return units.send(word, by, { mrc402id, ...given, ...more });
}

/** What an operation comes to, see `Units.outcome`. */
function outcome(...of: Parameters<typeof change>): Promise<string> {
  return units.outcome(() => change(...of));
}

/** An item of P with this many units, all of which A holds; O created it. */
async function heldByA(element: Element = {}): Promise<string> {
  const id = await units.item(cast.project, o, element);
  await units.give(id, o, a, String(element["totalsupply"] ?? "1"));
  return id;
}

/** Standing alone, C's, of which A holds some. */
async function shared(total: string, ofA: string, more: ItemParams = {}): Promise<string> {
  const x = await units.alone(c, { totalsupply: total, ...more });
  await units.give(x, c, a, ofA);
  return x;
}

/** X of row 1, after what the rows up to this one say; C has no coins and nothing of 7 but what these rows gave it. */
async function afterRow(row: 3 | 4 | 5): Promise<string> {
  c = await units.holder(500n, { tokens: { "7": 1000n }, name: "c" });
  const initialreserve = { "0": "5", "7": "10" };
  const x = await shared("100", "3", { initialreserve });
  await units.done("transfer", c, { mrc402id: x, toAddr: a.address });
  if (row > 3) {
    assert.equal(saidCode(await change("melt", a, x, "2")), "200");
  }
  if (row > 4) {
    assert.equal(saidCode(await change("burn", c, x, "7")), "200");
  }
  return x;
}

// Rows of §18.

test("mrc402 §18 row 4: A melts 2: A +10 of 0, +20 of 7; totalsupply 100, meltedamount 2; reserve 490 and 980", async () => {
  const x = await afterRow(3);
  assert.equal(await outcome("melt", a, x, "2"), "200: a +10, a +20 of 7, a -2 units");
  await units.assertItem(x, {
    totalsupply: "100",
    meltedamount: "2",
    burnedamount: "0",
    reserve: { "0": "490", "7": "980" },
    melting_date: 0,
  });
});

test("mrc402 §18 row 5: then C burns 7: C +35, +70; totalsupply 93, burnedamount 7; E 91; reserve 455 and 910", async () => {
  const x = await afterRow(4);
  assert.equal(await outcome("burn", c, x, "7"), "200: c +35, c +70 of 7, c -7 units");
  await units.assertItem(x, {
    totalsupply: "93",
    meltedamount: "2",
    burnedamount: "7",
    reserve: { "0": "455", "7": "910" },
  });
});

for (const { coins, sevens, answer } of [
  { coins: 45n, sevens: 90n, answer: "200: c -45, c -90 of 7, c +9 units" },
  { coins: 44n, sevens: 90n, answer: "400 5000" },
  { coins: 45n, sevens: 89n, answer: "400 5000" },
]) {
  test(`mrc402 §18 row 6: then C mints 9, having ${coins} of 0 and ${sevens} of 7: ${answer}`, async () => {
    const x = await afterRow(5);
    await units.pay(c, "0", coins - 35n);
    await units.pay(c, "7", sevens - 70n);
    assert.equal(await outcome("mint", c, x, "9"), answer);
    if (answer.startsWith("200")) {
      await units.assertItem(x, {
        totalsupply: "102",
        meltedamount: "2",
        burnedamount: "7",
        reserve: { "0": "500", "7": "1000" },
      });
    }
  });
}

test("mrc402 §18 row 7: X 10, A melted 4, C holds 6 and burns 6: totalsupply 4, E 0, owner BURNED, melting_date 0; mint 1: 7110", async () => {
  const x = await shared("10", "4");
  assert.equal(saidCode(await change("melt", a, x, "4")), "200");
  assert.equal(await outcome("burn", c, x, "6"), "200: c -6 units");
  await units.assertItem(x, {
    totalsupply: "4",
    meltedamount: "4",
    burnedamount: "6",
    owner: "BURNED",
    holders: 0,
    melting_date: 0,
  });
  assert.equal(await outcome("mint", c, x, "1"), "409 7110");
});

test("mrc402 §18 row 8: U {0:100}, melt_fee 33.3333, A melts: O +33, A +67; owner MELTED, melting_date T; transfer, sell, melt again: 7110", async () => {
  const u = await heldByA({ initialreserve: { "0": "100" }, melt_fee: "33.3333" });
  node.now += 5;
  assert.equal(await outcome("melt", a, u), "200: a +67, o +33, a -1 units");
  await units.assertItem(u, { owner: "MELTED", melting_date: node.now, holders: 0 });
  const transfer = { mrc402id: u, toAddr: d.address };
  for (const by of [a, o, b]) {
    for (const [word, params] of [
      ["transfer", transfer],
      ["transfer", { ...transfer, toAddr: c.address, amount: "1" }],
      ["melt", { mrc402id: u }],
      ["melt", { mrc402id: u, amount: "1" }],
      ["sell", { id: u, amount: "1", price: "1", token: "0" }],
      ["sell", { itemdata: [{ id: u, price: "1", token: "0" }] }],
      ["auction", { id: u, amount: "1", auction_start_price: "1", token: "0" }],
    ] as const) {
      const answer = await units.outcome(() => units.send(word, by, params));
      assert.equal(answer, "409 7110", word);
    }
  }
  for (const word of ["mint", "burn"] as const) {
    assert.equal(await outcome(word, o, u, "1"), "409 7110", word);
    assert.equal(await outcome(word, a, u, "1"), "403 7002", word);
  }
});

for (const { how, amounts, moved } of [
  { how: "singly", amounts: ["1", "1", "1"], moved: ["a +100", "a +100", "a +100"] },
  { how: "3 at once", amounts: ["3"], moved: ["a +299, o +1"] },
]) {
  test(`mrc402 §18 row 9: 3 units of P {0:100}, melt_fee 0.5, melted ${how}: ${moved.join("; ")}`, async () => {
    const terms = { initialreserve: { "0": "100" }, melt_fee: "0.5", totalsupply: "3" };
    const x = await heldByA(terms);
    for (const [at, amount] of amounts.entries()) {
      assert.equal(await outcome("melt", a, x, amount), `200: ${moved[at]}, a -${amount} units`);
    }
    await units.assertItem(x, { owner: "MELTED", meltedamount: "3" });
  });
}

test("mrc402 §18 row 10: melt_fee 99.9999, reserve 1: fee 0, holder 1", async () => {
  const x = await heldByA({ initialreserve: { "0": "1" }, melt_fee: "99.9999" });
  assert.equal(await outcome("melt", a, x), "200: a +1, a -1 units");
});

for (const word of ["mint", "burn"] as const) {
  test(`mrc402 §18 row 11: A, a holder but not creator, cannot ${word}, with its own key and signature: 403 7002`, async () => {
    const x = await shared("10", "4");
    const u = await heldByA();
    for (const address of [a.address, ""]) {
      assert.equal(await outcome(word, a, x, "1", { address }), "403 7002");
      assert.equal(await outcome(word, a, u, "1", { address }), "403 7002");
    }
    for (const by of [cast.partner, cast.seller, cast.maker, c]) {
      assert.equal(await outcome(word, by, u, "1"), "403 7002");
    }
    const made = await units.item(cast.project, cast.maker, { totalsupply: "2" });
    assert.equal(await outcome(word, o, made, "1"), "403 7002", "nor the owner of the project");
    assert.equal(saidCode(await change(word, cast.maker, made, "1")), "200");
  });
}

test("mrc402 §18 row 12: mint with address=C, key of A: 401 2020; key of C signed by A: 401 2010; burn and melt alike", async () => {
  const x = await shared("10", "4");
  for (const word of SUPPLY_WORDS) {
    const params = { mrc402id: x, address: c.address, amount: "1" };
    const foreign = { ...params, tkey: await node.key(a) };
    for (const by of [a, c]) {
      const answer = await units.outcome(() => units.send(word, c, foreign, { by }));
      assert.equal(answer, "401 2020", word);
    }
    for (const address of [c.address, ""]) {
      const signed = { ...params, address };
      const answer = await units.outcome(() => units.send(word, c, signed, { by: a }));
      assert.equal(answer, "401 2010", word);
    }
  }
});

test("mrc402 §18 row 13: totalsupply 99999990: mint 10: 3005; mint 9: 99999999", async () => {
  const x = await units.alone(c, { totalsupply: "99999990" });
  assert.equal(await outcome("mint", c, x, "10"), "400 3005");
  assert.equal(await outcome("mint", c, x, "99999999"), "400 3005");
  assert.equal(await outcome("mint", c, x, "9"), "200: c +9 units");
  await units.assertItem(x, { totalsupply: "99999999" });
  assert.equal(await outcome("mint", c, x, "1"), "400 3005");
  assert.equal(saidCode(await change("burn", c, x, "1")), "200");
  assert.equal(await outcome("mint", c, x, "1"), "200: c +1 units", "burned units make room");
  assert.equal(saidCode(await change("melt", c, x, "1")), "200");
  assert.equal(await outcome("mint", c, x, "1"), "400 3005", "melted ones do not");
});

for (const side of ["sell", "auction"] as const) {
  test(`mrc402 §18 row 14: C has 10, ${side === "sell" ? "sells" : "auctions"} 8 of them, burns 3: 7108; 2: accepted; 11: 5000`, async () => {
    const x = await units.alone(c, { totalsupply: "10", initialreserve: { "0": "5" } });
    await units.list(side, c, x, { amount: "8" });
    assert.equal(await outcome("burn", c, x, "3"), "409 7108");
    assert.equal(await outcome("burn", c, x, "10"), "409 7108");
    assert.equal(await outcome("burn", c, x, "11"), "400 5000");
    assert.equal(await outcome("burn", c, x, "2"), "200: c +10, c -2 units");
    assert.equal(await outcome("burn", c, x, "1"), "409 7108");
    assert.equal(await outcome("melt", c, x, "1"), "409 7108");
    await units.assertItem(x, { totalsupply: "8", owner: c.address });
  });
}

test("mrc402 §18 row 15: expiredate T+1000, melt at T+999: 7204; at T+1000: paid; transfer, sale and burn work before", async () => {
  const expiredate = String(node.now + 1000);
  const x = await shared("10", "4", { initialreserve: { "0": "5" }, expiredate });
  node.now += 999;
  assert.equal(await outcome("melt", a, x, "1"), "409 7204");
  assert.equal(await outcome("melt", a, x), "409 7204");
  assert.equal(await outcome("burn", c, x, "1"), "200: c +5, c -1 units");
  assert.equal(await outcome("mint", c, x, "1"), "200: c -5, c +1 units");
  await units.give(x, a, b, "1");
  const dexid = await units.list("sell", a, x);
  await units.done("buy", b, { id: dexid, amount: "1" });
  node.now += 1;
  assert.equal(await outcome("melt", a, x, "1"), "200: a +5, a -1 units");
  assert.equal(await outcome("melt", b, x), "200: b +5, b -1 units");
  await units.assertItem(x, { expiredate: Number(expiredate) });
});

test("mrc402 §18 row 16: melt by D who holds nothing: 7001; by A who holds 2, amount 3: 5000; A's 2 are both on sale, amount 1: 7108", async () => {
  const x = await shared("10", "2");
  for (const amount of [undefined, "1", "3"]) {
    assert.equal(await outcome("melt", d, x, amount), "403 7001");
  }
  assert.equal(await outcome("melt", a, x, "3"), "400 5000");
  await units.list("sell", a, x, { amount: "2" });
  assert.equal(await outcome("melt", a, x, "1"), "409 7108");
  assert.equal(await outcome("melt", a, x), "409 7108");
  assert.equal(await outcome("melt", a, x, "3"), "400 5000");
});

for (const side of ["sell", "auction"] as const) {
  test(`mrc402 §18 row 39: U ${side === "sell" ? "on sale" : "on auction"}: melt it: 7108, so transfer; owner still the seller`, async () => {
    const u = await heldByA({ initialreserve: { "0": "5" } });
    await units.list(side, a, u);
    assert.equal(await outcome("melt", a, u), "409 7108");
    const transfer = { mrc402id: u, toAddr: b.address };
    assert.equal(await units.outcome(() => units.send("transfer", a, transfer)), "409 7108");
    await units.assertItem(u, { owner: a.address, holders: 1 });
  });
}

// Money and the end of an item.

test("mrc402 §2.5: a melt pays each token of the reserve, the fee of each rounded down by itself, in ascending order", async () => {
  await units.pay(o, "7", 1000n);
  await units.pay(o, "9", 1000n);
  const initialreserve = '{"9":"7","7":"101","0":"1"}';
  const x = await heldByA({ initialreserve, melt_fee: "10", totalsupply: "3" });
  assert.equal(
    await outcome("melt", a, x, "2"),
    "200: a +2, a +182 of 7, o +20 of 7, a +13 of 9, o +1 of 9, a -2 units",
  );
});

test("mrc402 §2.5: the creator melts as a holder does, with the fee; a burn has none; alone there is no fee", async () => {
  const terms = { initialreserve: { "0": "10" }, melt_fee: "50", totalsupply: "4" };
  const { maker } = cast;
  const x = await units.item(cast.project, maker, terms);
  assert.equal(await outcome("melt", maker, x), "200: o +5, maker +5, maker -1 units");
  assert.equal(await outcome("burn", maker, x, "1"), "200: maker +10, maker -1 units");
  assert.equal(await outcome("mint", maker, x, "2"), "200: maker -20, maker +2 units");
  const own = await units.item(cast.project, o, terms);
  assert.equal(await outcome("melt", o, own), "200: o +10, o -1 units");
  const alone = await shared("2", "1", { initialreserve: { "0": "10" } });
  assert.equal(await outcome("melt", a, alone), "200: a +10, a -1 units");
});

test("mrc402 §2.5: reserves up to 10^40, and a fee of them exactly", async () => {
  c = await units.holder(0n, { tokens: { "2": MAX }, name: "c" });
  const { maker } = cast;
  await units.pay(maker, "1", MAX);
  const reserve = { initialreserve: { "1": String(MAX / 4n) }, totalsupply: "4" };
  const x = await units.item(cast.project, maker, { ...reserve, melt_fee: "99.9999" });
  assert.equal(
    await outcome("melt", maker, x, "4"),
    `200: o +${(MAX * 999_999n) / 1_000_000n} of 1, maker +${MAX / 1_000_000n} of 1, maker -4 units`,
  );
  const y = await units.alone(c, { initialreserve: { "2": String(MAX) } });
  assert.equal(await outcome("mint", c, y, "1"), "400 1101", "a reserve above 10^40");
  assert.equal(await outcome("burn", c, y, "1"), `200: c +${MAX} of 2, c -1 units`);
});

test("mrc402 §2.1: an item has ended when its last unit is melted or burned, for good; its creator can still update it", async () => {
  for (const [word, owner] of [
    ["melt", "MELTED"],
    ["burn", "BURNED"],
  ] as const) {
    const x = await units.alone(c, { totalsupply: "2", initialreserve: { "0": "1" } });
    assert.equal(saidCode(await change("burn", c, x, "1")), "200");
    await units.assertItem(x, { owner: c.address, totalsupply: "1" });
    node.now += 7;
    assert.equal(await outcome(word, c, x, "1"), "200: c +1, c -1 units");
    await units.assertItem(x, {
      owner,
      holders: 0,
      melting_date: word === "melt" ? node.now : 0,
      totalsupply: word === "melt" ? "1" : "0",
      meltedamount: word === "melt" ? "1" : "0",
      burnedamount: word === "melt" ? "1" : "2",
      initialreserve: { "0": "1" },
    });
    for (const again of SUPPLY_WORDS) {
      assert.equal(await outcome(again, c, x, "1"), "409 7110", again);
    }
    await units.done("update", c, { mrc402id: x, information: "ended" });
    await units.assertItem(x, { information: "ended", owner });
  }
});

test("mrc402 §2.2: units come and go by mint, burn and melt; the owner is the sole holder or nobody", async () => {
  const x = await shared("5", "5");
  await units.assertItem(x, { owner: a.address, holders: 1 });
  assert.equal(await outcome("burn", c, x, "1"), "400 5000");
  assert.equal(await outcome("mint", c, x, "2"), "200: c +2 units");
  await units.assertItem(x, { owner: "", holders: 2 });
  assert.equal(await outcome("melt", a, x, "5"), "200: a -5 units");
  await units.assertItem(x, { owner: c.address, holders: 1, totalsupply: "7", meltedamount: "5" });
});

test("mrc402 §7: mint takes what is spendable; locked coins are not", async () => {
  c = await units.holder(0n, { name: "c" });
  await units.pay(c, "0", 5n);
  const x = await units.alone(c, { initialreserve: { "0": "5" } });
  await node.pay(c, 100n, { unlockdate: node.now + 50 });
  assert.equal(await outcome("mint", c, x, "1"), "400 5000");
  node.now += 50;
  assert.equal(await outcome("mint", c, x, "20"), "200: c -100, c +20 units");
});

test("mrc402 §2.4: Bound items are minted, burned and melted, too", async () => {
  const terms = { totalsupply: "5", transferable: "Bound", initialreserve: { "0": "2" } };
  const x = await units.item(cast.project, o, terms);
  assert.equal(await outcome("mint", o, x, "1"), "200: o -2, o +1 units");
  assert.equal(await outcome("burn", o, x, "1"), "200: o +2, o -1 units");
  assert.equal(await outcome("melt", o, x), "200: o +2, o -1 units");
});

// Records and answers.

for (const word of ["mint", "burn"] as const) {
  for (const { signed, isNamed, memo, reserve } of [
    { signed: "short", isNamed: true, memo: "", reserve: {} },
    { signed: "short", isNamed: false, memo: "a|b 😀", reserve: { "0": "5", "7": "10" } },
    { signed: "full", isNamed: true, memo: "m".repeat(1024), reserve: { "7": "10" } },
    { signed: "full", isNamed: false, memo: "", reserve: { "0": "5" } },
  ] as const) {
    test(`mrc402 §7: ${word} signed ${signed}, ${isNamed ? "named" : "by key"}, memo ${memo.slice(0, 10)}: answer, records M and I`, async () => {
      node.now += 10;
      await units.pay(c, "7", 100n);
      const x = await shared("5", "1", { initialreserve: reserve });
      const params = {
        mrc402id: x,
        amount: "2",
        ...(memo === "" ? {} : { memo }),
        ...(isNamed ? {} : { address: "" }),
      };
      const request = await units.request(word, c, params, { signed });
      const { signature, tkey } = request.params;
      const answer = await units.post(request);
      const parameters = [x, c.address, "2", memo, signature, tkey];
      await assertUnitsRecorded(node, answer, [
        { type: `mrc402${word}`, of: c, parameters, moved: Object.keys(reserve), units: [x] },
        { type: `mrc402_${word}`, of: x, parameters },
      ]);
      assert.match(answer.headers.get("replay-nonce") ?? "", /^[A-Za-z][0-9A-Za-z]{39,63}$/);
    });
  }
}

for (const { what, element, amount, signed, isNamed, token, paid, fees } of [
  {
    what: "without a reserve",
    element: {},
    amount: "",
    signed: "short",
    isNamed: true,
    token: "0",
    paid: {},
    fees: {},
  },
  {
    what: "of two tokens, with fees",
    element: { initialreserve: { "9": "20", "7": "10" }, melt_fee: "10" },
    amount: "2",
    signed: "short",
    isNamed: false,
    token: "7",
    paid: { "7": "18", "9": "36" },
    fees: { "7": "2", "9": "4" },
  },
  {
    what: "with a fee that is rounded to 0 in one token",
    element: { initialreserve: { "7": "100", "0": "1" }, melt_fee: "1" },
    amount: "1",
    signed: "full",
    isNamed: true,
    token: "0",
    paid: { "0": "1", "7": "99" },
    fees: { "7": "1" },
  },
  {
    what: "of one unit, not named",
    element: { initialreserve: { "0": "7" } },
    amount: "",
    signed: "full",
    isNamed: false,
    token: "0",
    paid: { "0": "7" },
    fees: {},
  },
] as const) {
  test(`mrc402 §8: a melt ${what}, signed ${signed}: answer, records M, I, and A per payee and token`, async () => {
    await units.pay(o, "7", 1000n);
    await units.pay(o, "9", 1000n);
    node.now += 10;
    const x = await heldByA({ ...(element as Element), totalsupply: "4" });
    const params = {
      mrc402id: x,
      ...(amount === "" ? {} : { amount }),
      ...(isNamed ? {} : { address: "" }),
    };
    const request = await units.request("melt", a, params, { signed });
    const { signature: s, tkey } = request.params;
    const answer = await units.post(request);
    const parameters = [x, a.address, amount, s, tkey];
    const moved = Object.keys(paid);
    const payments = moved.flatMap((id): UnitRecord[] => {
      const fee = (fees as Params)[id];
      const ends = [id, s, "0", "", x, tkey];
      const rest = (paid as Params)[id] as string;
      return [
        ...(fee === undefined
          ? []
          : [
              {
                type: "receive_meltfee",
                of: o,
                parameters: [x, o.address, fee, ...ends],
                moved: Object.keys(fees),
              },
            ]),
        {
          type: "receive_melt",
          of: a,
          parameters: [x, a.address, rest, ...ends],
          moved,
          units: [x],
        },
      ];
    });
    await assertUnitsRecorded(
      node,
      answer,
      [
        { type: "mrc402melt", of: a, parameters, moved, units: [x] },
        { type: "mrc402_melt", of: x, parameters },
        ...payments,
      ],
      { token },
    );
  });
}

test("mrc402 §1.8: O melts its own units: one record for its fee, one for the rest", async () => {
  const terms = { initialreserve: { "0": "10" }, melt_fee: "30" };
  const x = await units.item(cast.project, o, terms);
  const { effects } = await node.transaction(transactionIdOf(await change("melt", o, x)));
  assert.deepEqual(
    effects.map(({ type, address, parameters }) => [type, address, parameters[2]]),
    [
      ["mrc402_melt", "", ""],
      ["receive_meltfee", o.address, "3"],
      ["receive_melt", o.address, "7"],
    ],
  );
});

// How requests are made.

test("mrc402 §7, §8: the actor may be called address, owner, and for mint and burn creator; two values of it are 1005", async () => {
  const x = await units.alone(c, { totalsupply: "50" });
  for (const word of SUPPLY_WORDS) {
    for (const name of word === "melt" ? ["owner"] : ["owner", "creator"]) {
      for (const signed of ["short", "full"] as const) {
        const params = { mrc402id: x, amount: "1" };
        const request = await units.request(word, c, params, { signed });
        const twice = changed(request, { [name]: a.address });
        assert.equal(said(await units.post(twice)), "400 1005 address", `${word} ${name}`);
        const other = renamed(request, { address: name });
        assert.equal(said(await units.post(other)), "200", `${word} ${name}`);
      }
    }
  }
});

test("mrc402 §1.2: without an address who the key was issued to mints, burns and melts; its place in the string is empty or has its address", async () => {
  const x = await shared("10", "4");
  for (const word of SUPPLY_WORDS) {
    for (const signedAs of [{}, { address: c.address }]) {
      const params = { mrc402id: x, amount: "1", address: "" };
      const request = await units.request(word, c, params, { signedAs });
      assert.equal(said(await units.post(request)), "200", word);
    }
  }
  const wrong = { mrc402id: x, amount: "1", address: "" };
  const signedAs = { address: a.address };
  assert.equal(
    said(await units.send("melt", c, wrong, { signedAs })),
    "401 2010 signature",
    "somebody else's address",
  );
  const foreign = { ...wrong, tkey: await node.key(d) };
  assert.equal(said(await units.send("melt", d, foreign)), "403 7001");
  assert.equal(said(await units.send("mint", d, { ...foreign, tkey: "abc" })), "401 2020 tkey");
});

test("mrc402 §8: without amount the string has none; each string is refused where the other is meant", async () => {
  const x = await units.alone(c, { totalsupply: "10" });
  for (const [sent, fields, answer] of [
    [{}, ["mrc402id", "tkey"], "200"],
    [{}, ["mrc402id", "address", "amount", "tkey"], "401 2010 signature"],
    [{ amount: "" }, ["mrc402id", "tkey"], "200"],
    [{ amount: "1" }, ["mrc402id", "address", "amount", "tkey"], "200"],
    [{ amount: "1" }, ["mrc402id", "tkey"], "401 2010 signature"],
    [{ amount: "1" }, ["mrc402id", "amount", "tkey"], "401 2010 signature"],
  ] as const) {
    const params: Params = { mrc402id: x, address: c.address, ...sent };
    const { mrc402id: _, ...body } = await node.shortlySigned(c, fields, params);
    assert.equal(said(await node.post(`/mrc402/melt/${x}`, body)), answer);
  }
});

test("mrc402 §1.3: mint and burn share a string: a full signature and a bound key tell them apart", async () => {
  const x = await units.alone(c, { totalsupply: "10" });
  const params = { mrc402id: x, amount: "1" };
  const short = await units.request("mint", c, params);
  assert.equal(said(await units.post({ ...short, path: `/mrc402/burn/${x}` })), "200");
  for (const word of SUPPLY_WORDS) {
    for (const other of SUPPLY_WORDS) {
      const full = await units.request(other, c, params, { signed: "full" });
      const { method, path } = await units.request(word, c, params);
      const answer = said(await units.post({ ...full, method, path }));
      assert.equal(answer, word === other ? "200" : "401 2010 signature", `${other} as ${word}`);
      const tkey = await node.key(c, `mrc402${other}`);
      const bound = said(await units.send(word, c, { ...params, tkey }));
      assert.equal(bound, word === other ? "200" : "401 2020 tkey", `${other} as ${word}`);
    }
  }
});

test("C1.1, C1.2: query strings, JSON bodies with numbers, a slash at the end", async () => {
  const x = await units.alone(c, { totalsupply: "20" });
  for (const word of SUPPLY_WORDS) {
    const request = async (): Promise<{
      init: { method: string };
      path: string;
      params: Params;
    }> => {
      const { method, path, params } = await units.request(word, c, { mrc402id: x, amount: "2" });
      return { init: { method }, path, params };
    };
    const inQuery = await request();
    const query = `${inQuery.path}?${new URLSearchParams(inQuery.params)}`;
    assert.equal(said(await node.request(query, inQuery.init)), "200", word);
    const inJson = await request();
    const answer = await node.request(`${inJson.path}/`, {
      ...inJson.init,
      body: JSON.stringify({ ...inJson.params, amount: 2 }),
      headers: { "Content-Type": "application/json" },
    });
    assert.equal(said(answer), "200", word);
    const { parameters } = await node.transaction(transactionIdOf(answer));
    assert.equal(parameters[2], "2");
  }
});

test("C5.3: a repeat is answered as the first time, also when it would now fail; with another amount 2021", async () => {
  const x = await units.alone(c, { totalsupply: "3" });
  for (const word of SUPPLY_WORDS) {
    const tkey = await node.key(c);
    const amount = word === "melt" ? "4" : "1";
    if (word === "melt") {
      assert.equal(saidCode(await change("mint", c, x, "1")), "200");
    }
    const first = await change(word, c, x, amount, { tkey });
    const height = await node.height();
    const again = await change(word, c, x, amount, { tkey });
    assert.deepEqual([again.status, again.text], [200, first.text], word);
    assert.equal(await node.height(), height);
    assert.equal(said(await change(word, c, x, "2", { tkey })), "409 2021 tkey");
  }
});

// Checks and their order.

for (const word of SUPPLY_WORDS) {
  const zero = word === "melt" ? "1106" : "1206";
  // biome-ignore format: a line for each parameter
  const refused: readonly (readonly [name: string, values: readonly string[], answer: string])[] = [
    ["amount", ["x", "-1", "01", "1.5", "1e2", "100000000", String(MAX)], "400 1101 amount"],
    ["amount", ["0"], `400 ${zero} amount`],
    ["address", ["x", "MTx"], "400 3190 address"],
    ["address", [NOBODY], "404 3090 address"],
    ["mrc402id", ["x", NO_UNIT_ITEM, "MRC402_", `MRC400_${"0".repeat(33)}`, `MRC401_${"0".repeat(33)}`, "é"], "404 6004 mrc402id"],
    ["tkey", [""], "400 1000 tkey"],
    ["amount", word === "melt" ? [] : [""], "400 1000 amount"],
    ["memo", word === "melt" ? [] : ["x".repeat(1025)], "400 3005 memo"],
    ["memo", word === "melt" ? [] : ["a\u0000"], "400 1006 memo"],
  ];
  for (const [name, values, answer] of refused) {
    if (values.length > 0) {
      test(`mrc402 §${word === "melt" ? 8 : 7}: ${word} with ${name} ${JSON.stringify(values).slice(0, 50)}: ${answer}`, async () => {
        const x = await units.alone(c, { totalsupply: "5" });
        for (const value of values) {
          const params = { mrc402id: x, amount: "1", [name]: value };
          assert.equal(said(await units.send(word, c, params)), answer, value.slice(0, 60));
        }
      });
    }
  }

  test(`mrc402 §${word === "melt" ? 8 : 7}: ${word} without signature: 1000`, async () => {
    const request = await units.request(word, c, { mrc402id: NO_UNIT_ITEM, amount: "0" });
    const { signature: _, ...params } = request.params;
    assert.equal(said(await units.post({ ...request, params })), "400 1000 signature");
  });
}

/** Faults of parameters, existence and key, which mint and burn have in common; the last is answered with `key`. */
function commonFaults(item: string): readonly (readonly [ItemParams, string])[] {
  return [
    [{ mrc402id: NO_UNIT_ITEM, address: NOBODY, memo: "m".repeat(1025) }, "400 1000"],
    [{ memo: "", amount: "x" }, "400 1101"],
    [{ amount: "0" }, "400 1206"],
    [{ amount: "3", memo: "m".repeat(1025) }, "400 3005"],
    [{ memo: "", address: "MTx" }, "400 3190"],
    [{ address: NOBODY }, "404 6004"],
    [{ mrc402id: item }, "404 3090"],
    [{ address: c.address }, "key"],
  ];
}

test("mrc402 §7: the order in which a mint refuses", async () => {
  const reserve = { initialreserve: { "0": "1" } };
  const foreign = await units.alone(a);
  const ended = await units.alone(c);
  assert.equal(saidCode(await change("burn", c, ended, "1")), "200");
  const full = await units.alone(c, { totalsupply: "99999997", initialreserve: {} });
  const huge = await units.alone(c, { totalsupply: "1", ...reserve });
  await units.mending("mint", { by: c, stranger: a }, [
    ...commonFaults(foreign),
    [{}, "403 7002"],
    [{ mrc402id: ended }, "409 7110"],
    [{ mrc402id: full }, "400 3005"],
    [{ mrc402id: huge, amount: "1000" }, "400 5000"],
    [{ amount: "999" }, "200"],
  ]);
});

test("mrc402 §7: the order in which a burn refuses", async () => {
  const foreign = await units.alone(a);
  const ended = await units.alone(c);
  assert.equal(saidCode(await change("burn", c, ended, "1")), "200");
  const listed = await units.alone(c, { totalsupply: "4" });
  await units.list("sell", c, listed, { amount: "2" });
  await units.mending("burn", { by: c, stranger: a }, [
    ...commonFaults(foreign),
    [{}, "403 7002"],
    [{ mrc402id: ended }, "409 7110"],
    [{ mrc402id: listed }, "409 7108"],
    [{ amount: "5" }, "400 5000"],
    [{ amount: "2" }, "200"],
  ]);
});

test("mrc402 §8: the order in which a melt refuses", async () => {
  const expiredate = String(node.now + 10);
  const ended = await shared("1", "1");
  assert.equal(saidCode(await change("melt", a, ended)), "200");
  const foreign = await units.alone(c, { totalsupply: "9", expiredate });
  const listed = await shared("9", "4", { expiredate });
  await units.list("sell", a, listed, { amount: "2" });
  await units.mending("melt", { by: a, stranger: c }, [
    [{ mrc402id: NO_UNIT_ITEM, address: NOBODY, amount: "x" }, "400 1101"],
    [{ amount: "0" }, "400 1106"],
    [{ amount: "3", address: "MTx" }, "400 3190"],
    [{ address: NOBODY }, "404 6004"],
    [{ mrc402id: foreign }, "404 3090"],
    [{ address: a.address }, "key"],
    [{}, "403 7001"],
    [{ mrc402id: ended }, "409 7110"],
    [{ mrc402id: listed }, "409 7108"],
    [{ amount: "5" }, "409 7204"],
    [{ amount: "2" }, "409 7204"],
  ]);
  node.now += 10;
  assert.equal(await outcome("melt", a, listed, "5"), "400 5000");
  assert.equal(await outcome("melt", a, listed, "2"), "200: a -2 units");
});

// Truly at once.

async function atOnce(
  ...of: readonly (readonly [word: UnitWord, by: KeyHolder, params: ItemParams])[]
): Promise<string[]> {
  const ready = await Promise.all(of.map(([word, by, params]) => units.ready(word, by, params)));
  return (await Promise.all(ready.map((send) => send()))).map(unitsSaid).sort();
}

test("mrc402 §2.1: melt against burn of the last units at once: one is done, the other 7110", async () => {
  for (let n = 0; n < 5; n++) {
    const x = await units.alone(c, { totalsupply: "2", initialreserve: { "0": "1" } });
    const all = { mrc402id: x, amount: "2" };
    assert.deepEqual(await atOnce(["melt", c, all], ["burn", c, all]), ["200", "409 7110"]);
    const { owner } = await units.record(x);
    assert.match(owner, /^(MELTED|BURNED)$/);
  }
  assert.equal(await units.held(c), "1000");
});

test("mrc402 §2.1: the last units of two holders go at once, melted and burned: both, and the item has ended", async () => {
  const x = await shared("3", "1");
  const melt = ["melt", a, { mrc402id: x }] as const;
  const burn = ["burn", c, { mrc402id: x, amount: "2" }] as const;
  assert.deepEqual(await atOnce(melt, burn), ["200", "200"]);
  const { owner, totalsupply, meltedamount, burnedamount } = await units.record(x);
  assert.match(owner, /^(MELTED|BURNED)$/);
  assert.deepEqual([totalsupply, meltedamount, burnedamount], ["1", "1", "2"]);
});

test("mrc402 §7: two mints at the limit at once: one is done, the other 3005", async () => {
  const x = await units.alone(c, { totalsupply: "99999990" });
  const mint = ["mint", c, { mrc402id: x, amount: "9" }] as const;
  assert.deepEqual(await atOnce(mint, mint), ["200", "400 3005"]);
  await units.assertItem(x, { totalsupply: "99999999" });
});

test("mrc402 §7: ten mints at once with coins for three: three are done, the others 5000", async () => {
  const x = await units.alone(c, { initialreserve: { "0": "300" } });
  await units.pay(c, "0", 250n);
  const mint = ["mint", c, { mrc402id: x, amount: "1" }] as const;
  const answers = await atOnce(...Array.from({ length: 10 }, () => mint));
  assert.deepEqual(answers, [...Array(3).fill("200"), ...Array(7).fill("400 5000")]);
  await units.assertItem(x, { totalsupply: "4", reserve: { "0": "1200" } });
});

test("mrc402 §8: five melts at once of three units: three are done, the others 7001; transfer, sale and melt of the same unit: one", async () => {
  const x = await shared("9", "3", { initialreserve: { "0": "1" } });
  const melt = ["melt", a, { mrc402id: x }] as const;
  const answers = await atOnce(melt, melt, melt, melt, melt);
  assert.deepEqual(answers, ["200", "200", "200", "403 7001", "403 7001"]);
  await units.give(x, c, a);
  const contest = await atOnce(
    melt,
    ["transfer", a, { mrc402id: x, toAddr: b.address }],
    ["sell", a, { id: x, amount: "1", price: "1", token: "0" }],
  );
  assert.equal(contest.filter((answer) => answer === "200").length, 1, contest.join());
});

test("C5.2: one key twice at once, with different amounts: one is done, the other 2021", async () => {
  const x = await units.alone(c, { totalsupply: "9" });
  const tkey = await node.key(c);
  const answers = await atOnce(
    ["burn", c, { mrc402id: x, amount: "1", tkey }],
    ["burn", c, { mrc402id: x, amount: "2", tkey }],
  );
  assert.deepEqual(answers, ["200", "409 2021"]);
});

test("C5.3: one request ten times at once: one answer, one burn", async () => {
  const x = await units.alone(c, { totalsupply: "9" });
  const send = await units.ready("burn", c, { mrc402id: x, amount: "1" });
  const answers = await Promise.all(Array.from({ length: 10 }, () => send()));
  const ids = answers.map((answer) => parsed<{ txid: string }>(answer).txid);
  assert.equal(new Set(ids).size, 1);
  assert.equal(await units.has(c, x), "8");
});
