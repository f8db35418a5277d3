import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { type Address, AMOUNT_MAX } from "@moneta/protocol";
import { assertRecords } from "../../testing/shown/expected-records.ts";
import { NOBODY } from "../../testing/trade/item-terms.ts";
import { NO_UNIT_ITEM } from "../../testing/trade/unit-terms.ts";
import { type UnitCast, UnitTrade } from "../../testing/trade/unit-trade.ts";

let trade: UnitTrade;
let cast: UnitCast;
let c: Address;
let a: Address;
let o: Address;
beforeEach(async () => {
  trade = await UnitTrade.open({ tokens: 9, coins: 1000n });
  ({ cast } = trade);
  ({ c, a, o } = cast);
});
afterEach(() => trade[Symbol.dispose]());

const SUPPLY_WORDS = ["mint", "burn", "melt"] as const;

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
  test(`mrc402 §18 row 6: then C mints 9, having ${coins} of 0 and ${sevens} of 7: ${answer}`, async () => {
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
  test(`mrc402 §18 row 11: A, a holder but not creator, cannot ${word}, with its own key and signature: 403 7002`, async () => {
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
  assert.equal(
    (await trade.supply("mint", c, y, "1")).outcome,
    "400 1101",
    "a reserve above 10^40",
  );
  assert.equal(
    (await trade.supply("burn", c, y, "1")).outcome,
    `done: c +${AMOUNT_MAX} of 2, c -1 units`,
  );
});

test("mrc402 §2.1: an item has ended when its last unit is melted or burned, for good; its creator can still update it", async () => {
  for (const [word, owner] of [
    ["melt", "MELTED"],
    ["burn", "BURNED"],
  ] as const) {
    const x = await trade.alone(c, { totalsupply: "2", initialreserve: { "0": "1" } });
    assert.equal((await trade.supply("burn", c, x, "1")).code, "done");
    trade.assertItem(x, { owner: c, totalsupply: "1" });
    trade.now += 7;
    assert.equal((await trade.supply(word, c, x, "1")).outcome, "done: c +1, c -1 units");
    trade.assertItem(x, {
      owner,
      holders: 0,
      melting_date: word === "melt" ? trade.now : 0,
      totalsupply: word === "melt" ? "1" : "0",
      meltedamount: word === "melt" ? "1" : "0",
      burnedamount: word === "melt" ? "1" : "2",
      initialreserve: { "0": "1" },
    });
    for (const again of SUPPLY_WORDS) {
      assert.equal((await trade.supply(again, c, x, "1")).outcome, "409 7110", again);
    }
    await trade.done("update", c, { mrc402id: x, information: "ended" });
    trade.assertItem(x, { information: "ended", owner });
  }
});

test("mrc402 §2.2: units come and go by mint, burn and melt; the owner is the sole holder or nobody", async () => {
  const x = await trade.x({ totalsupply: "5" }, { a: 5 });
  trade.assertItem(x, { owner: a, holders: 1 });
  assert.equal((await trade.supply("burn", c, x, "1")).outcome, "400 5000");
  assert.equal((await trade.supply("mint", c, x, "2")).outcome, "done: c +2 units");
  trade.assertItem(x, { owner: "", holders: 2 });
  assert.equal((await trade.supply("melt", a, x, "5")).outcome, "done: a -5 units");
  trade.assertItem(x, { owner: c, holders: 1, totalsupply: "7", meltedamount: "5" });
});

test("mrc402 §2.4: Bound items are minted, burned and melted, too", async () => {
  const terms = { totalsupply: "5", transferable: "Bound", initialreserve: { "0": "2" } };
  const x = await trade.item(cast.project, o, terms);
  assert.equal((await trade.supply("mint", o, x, "1")).outcome, "done: o -2, o +1 units");
  assert.equal((await trade.supply("burn", o, x, "1")).outcome, "done: o +2, o -1 units");
  assert.equal((await trade.supply("melt", o, x)).outcome, "done: o +2, o -1 units");
});

// Records and answers.

for (const word of ["mint", "burn"] as const) {
  for (const { isNamed, memo, reserve } of [
    { isNamed: true, memo: "", reserve: {} },
    { isNamed: false, memo: "a|b 😀", reserve: { "0": "5", "7": "10" } },
    { isNamed: true, memo: "m".repeat(1024), reserve: { "7": "10" } },
    { isNamed: false, memo: "", reserve: { "0": "5" } },
  ] as const) {
    test(`mrc402 §7: ${word} ${isNamed ? "named" : "by key"}, memo ${memo.slice(0, 10)}: records M and I`, async () => {
      trade.now += 10;
      await trade.client.pay(c, 100n, { token: "7" });
      const x = await trade.x({ totalsupply: "5", initialreserve: reserve }, { a: 1 });
      const params = {
        mrc402id: x,
        amount: "2",
        ...(memo === "" ? {} : { memo }),
        ...(isNamed ? {} : { address: "" }),
      };
      const answer = await trade.done(word, c, params);
      const { signature, tkey } = answer;
      const parameters = [x, c, "2", memo, signature, tkey];
      assertRecords(trade.client, answer, [
        { type: `mrc402${word}`, of: c, parameters, moved: Object.keys(reserve), units: [x] },
        { type: `mrc402_${word}`, of: x, parameters },
      ]);
    });
  }
}

// Checks and their order.

for (const word of SUPPLY_WORDS) {
  const zero = word === "melt" ? "1106" : "1206";
  // biome-ignore format: a line for each parameter
  const refused: readonly (readonly [name: string, values: readonly string[], answer: string])[] = [
    ["amount", ["x", "-1", "01", "1.5", "1e2", "100000000", String(AMOUNT_MAX)], "400 1101 amount"],
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
        const x = await trade.alone(c, { totalsupply: "5" });
        for (const value of values) {
          const params = { mrc402id: x, amount: "1", [name]: value };
          assert.equal((await trade.send(word, c, params)).said, answer, value.slice(0, 60));
        }
      });
    }
  }
}
