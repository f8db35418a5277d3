import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Address } from "@moneta/protocol";
import { assertRecords } from "../../testing/shown/expected-records.ts";
import { paymentsText } from "../../testing/shown/payments-text.ts";
import { createToken } from "../../testing/trade/creations.ts";
import { type Parties, TokenMarket } from "../../testing/trade/token-market.ts";

let market: TokenMarket;
let parties: Parties;
/** The id of the gold that is traded for coins. */
let x: string;
let s: Address;
let b: Address;
let p: Address;
before(async () => {
  market = await TokenMarket.open();
  parties = await market.parties({ gold: 1_000_000n, coins: 1_000_000n });
  x = market.gold;
  s = await market.holder({ coins: 5000n, gold: 100_000n });
  b = await market.holder({ coins: 50_000n, gold: 50n });
  p = await market.holder({ coins: 7n, gold: 7n });
});
after(() => market[Symbol.dispose]());

async function assertHeld(expected: ReadonlyMap<Address, string>): Promise<void> {
  for (const [holder, held] of expected) {
    assert.equal(market.held(holder), held);
  }
}

const UNKNOWN = "MTAlice00000000000000000000000005dc33c90";

const UNKNOWN_LISTING = `DEX010_${"0".repeat(33)}`;

test("tokens §13 row 2: buy 100: B -30, S +30, no fee record, 900 remain", async () => {
  const { s, b, p, dexid, take } = await market.listed("mrc010sell");
  assert.deepEqual((await take("100")).told, [`receive_mrc010sell ${s}`]);
  await assertHeld(
    new Map([
      [b, "970 coins, 100 gold"],
      [s, "30 coins, 0 gold"],
      [p, "0 coins, 0 gold"],
    ]),
  );
  const { state, remain_amount, buyer } = market.listing(dexid);
  assert.deepEqual([state, remain_amount, buyer], ["open", "900", b]);
});

test("tokens §13 row 3: then buy 400: B -120, S +117, P +3, 500 remain", async () => {
  const { s, b, p, dexid, take } = await market.listed("mrc010sell", { taken: ["100"] });
  assert.deepEqual((await take("400")).told, [`receive_mrc010sell ${s}`, `receive_mrc010fee ${p}`]);
  await assertHeld(
    new Map([
      [b, "850 coins, 500 gold"],
      [s, "147 coins, 0 gold"],
      [p, "3 coins, 0 gold"],
    ]),
  );
  assert.equal(market.listing(dexid).remain_amount, "500");
});

test("tokens §13 row 4: then buy 500: S +147, sold; 6 of fees, where one purchase of 1000 is 7", async () => {
  const { s, b, p, dexid, take } = await market.listed("mrc010sell", { taken: ["100", "400"] });
  assert.equal((await take("500")).code, "done");
  await assertHeld(
    new Map([
      [b, "700 coins, 1000 gold"],
      [s, "294 coins, 0 gold"],
      [p, "6 coins, 0 gold"],
    ]),
  );
  const { state, remain_amount, sell_date } = market.listing(dexid);
  assert.deepEqual([state, remain_amount, sell_date], ["sold", "0", market.now]);
  const atOnce = await market.listed("mrc010sell", { taken: ["1000"] });
  assert.equal(market.held(atOnce.p), "7 coins, 0 gold");
  assert.equal(market.held(atOnce.s), "293 coins, 0 gold");
});

for (const { amount, answer } of [
  { amount: "105", answer: "400 3005" },
  { amount: "0", answer: "400 1107" },
  { amount: "1010", answer: "400 3004" },
]) {
  for (const word of ["sell", "reqsell"] as const) {
    test(`tokens §13 row 7: taking ${amount} of a fresh listing by ${word}: ${answer}`, async () => {
      const { take, dexid } = await market.listed(`mrc010${word}`);
      assert.equal((await take(amount)).code, answer);
      assert.equal(market.listing(dexid).remain_amount, "1000");
    });
  }
}

test("tokens §13 row 8: S buys from listing 1, B accepts listing 2: 3004", async () => {
  const one = await market.listed("mrc010sell");
  assert.equal(
    (await market.send("mrc010buy", one.s, { dexid: one.dexid, amount: "10" })).code,
    "400 3004",
  );
  const two = await market.listed("mrc010reqsell");
  assert.equal(
    (await market.send("mrc010acceptreqsell", two.b, { dexid: two.dexid, amount: "10" })).code,
    "400 3004",
  );
});

test("tokens §13 row 23: the platform is S: two records, of 117 and of 3", async () => {
  const { s, b, ...parties } = await market.parties();
  const params = market.listing1(parties, { platform_address: s });
  const dexid = await market.list("mrc010sell", s, params);
  const answer = await market.send("mrc010buy", b, { dexid, amount: "400" });
  const { effects } = answer;
  assert.deepEqual(
    effects.slice(0, 2).map(({ type, address, parameters }) => [type, address, parameters[2]]),
    [
      ["receive_mrc010sell", s, "117"],
      ["receive_mrc010fee", s, "3"],
    ],
  );
  assert.equal(market.held(s), "120 coins, 0 gold");
});

for (const { coins, answer, held } of [
  { coins: 119n, answer: "400 5000", held: "119 coins, 0 gold" },
  { coins: 120n, answer: "done", held: "3 coins, 400 gold" },
]) {
  test(`tokens §13 row 24: the platform is B, who has ${coins}, and buys 400: ${answer}`, async () => {
    const { s, b } = await market.parties({ coins });
    const dexid = await market.list("mrc010sell", s, market.listing1({ p: b }));
    assert.equal((await market.send("mrc010buy", b, { dexid, amount: "400" })).code, answer);
    assert.equal(market.held(b), held);
  });
}

for (const word of ["sell", "reqsell"] as const) {
  test(`tokens §1.9: who takes a listing by ${word} cannot do so with what is locked: 5000`, async () => {
    const { client } = market;
    const { dexid } = await market.listed(`mrc010${word}`);
    const poor = await market.holder({ coins: 29n, gold: 99n });
    const lock = { unlockdate: market.now + 1000 };
    await client.pay(poor, 1000n, lock);
    await market.pay(poor, 1000n, lock);
    const taking = word === "sell" ? "buy" : "acceptreqsell";
    const take = { dexid, amount: "100" };
    assert.equal((await market.send(`mrc010${taking}`, poor, take)).code, "400 5000");
    await client.pay(poor, 1n);
    await market.pay(poor, 1n);
    assert.equal((await market.send(`mrc010${taking}`, poor, take)).code, "done");
  });
}

test("tokens §8: the native coin is sold for a token, and a token for another token", async () => {
  const { s, b, p } = await market.parties();
  const silver = await createToken(market.client, s);
  const coins = { mrc010id: "0", token: silver, amount: "100", price: "2" };
  const sale = await market.list("mrc010sell", b, coins);
  assert.equal((await market.send("mrc010buy", s, { dexid: sale, amount: "60" })).code, "done");
  const gold = { mrc010id: market.gold, token: silver, amount: "7", price: "3" };
  const request = await market.list("mrc010reqsell", b, gold);
  const accepting = await market.send("mrc010acceptreqsell", s, { dexid: request, amount: "7" });
  assert.equal(accepting.code, "done");
  assert.equal(market.held(b), "900 coins, 7 gold");
  assert.equal(market.held(s), "60 coins, 993 gold");
  assert.equal(market.client.held(b, silver), "99");
  assert.equal(market.client.held(s, silver), "901");
  assert.equal(market.client.held(p, silver), "0");
});

test("tokens §13 row 26: of two buys of 500 while 600 remain the second is 3004, and 100 remain", async () => {
  const { b, dexid, take } = await market.listed("mrc010sell", { taken: ["400"] });
  assert.equal((await take("500")).code, "done");
  assert.equal((await take("500")).code, "400 3004");
  assert.equal(market.listing(dexid).remain_amount, "100");
  assert.equal(market.held(b), "730 coins, 900 gold");
});

for (const { payment, fee } of [
  { payment: "9", fee: "0" },
  { payment: "10", fee: "1" },
]) {
  test(`tokens §13 row 18: commission 10 on a payment of ${payment}: fee ${fee}`, async () => {
    const change = { amount: "100", min_trade_unit: "1", price: "1", platform_commission: "10" };
    const one = await market.listed("mrc010sell", { change, taken: [payment] });
    assert.equal(market.held(one.p), `${fee} coins, 0 gold`);
    const two = await market.listed("mrc010reqsell", { change, taken: [payment] });
    assert.equal(market.held(two.p), `${fee} coins, 0 gold`);
  });
}

test("tokens §13 row 20: unit 100000000, price 1: 200000000 cost 2", async () => {
  const { s, b, p } = await market.parties({ gold: 300_000_000n, coins: 2n });
  const dexid = await market.list("mrc010sell", s, {
    mrc010id: market.gold,
    amount: "300000000",
    token: "0",
    min_trade_unit: "100000000",
    price: "1",
    platform_address: p,
  });
  assert.equal((await market.send("mrc010buy", b, { dexid, amount: "200000000" })).code, "done");
  assert.equal(market.held(b), "0 coins, 200000000 gold");
  assert.equal(market.held(s), "2 coins, 0 gold");
});

for (const { word, own, other } of [
  { word: "buy", own: "sell", other: "reqsell" },
  { word: "acceptreqsell", own: "reqsell", other: "sell" },
] as const) {
  test(`tokens §11: the order in which ${word} refuses`, async () => {
    const by = await market.holder({ coins: 3000n, gold: 3000n });
    const creator = word === "buy" ? parties.s : parties.b;
    const undo = own === "sell" ? "unsell" : "unreqsell";
    const terms = market.listing1(parties);
    const ownForeign = await market.list(`mrc010${other}`, by, terms);
    const ownCancelled = await market.list(`mrc010${own}`, by, terms);
    assert.equal((await market.send(`mrc010${undo}`, by, { dexid: ownCancelled })).code, "done");
    const foreign = await market.list(
      `mrc010${other}`,
      word === "buy" ? parties.b : parties.s,
      terms,
    );
    const foreignUndo = other === "sell" ? "unsell" : "unreqsell";
    const [cancelled, sold, open] = [
      await market.list(`mrc010${own}`, creator, terms),
      await market.list(`mrc010${own}`, creator, terms),
      await market.list(`mrc010${own}`, creator, terms),
    ];
    assert.equal((await market.send(`mrc010${undo}`, creator, { dexid: cancelled })).code, "done");
    const all = { dexid: sold, amount: "1000" };
    assert.equal((await market.send(`mrc010${word}`, by, all)).code, "done");
    const owner = word === "buy" ? parties.b : parties.s;
    assert.equal(
      (await market.send(`mrc010${foreignUndo}`, owner, { dexid: foreign })).code,
      "done",
    );
    // What is left pays for no part of a listing.
    const [token, rest] = word === "buy" ? ["0", 2n] : [market.gold, 9n];
    const had = market.client.held(by, token);
    await market.pay(creator, BigInt(had) - rest, { from: by, token });
    await market.mending(`mrc010${word}`, by, [
      [{ dexid: UNKNOWN_LISTING, address: UNKNOWN, amount: "01" }, "400 1101"],
      [{ amount: "0" }, "400 1107"],
      [{ amount: "1015", address: "MTx" }, "400 3190"],
      [{ address: UNKNOWN }, "404 6004"],
      [{ dexid: ownForeign }, "404 3090"],
      [{ address: by }, "key"],
      [{}, "400 3004"],
      [{ dexid: ownCancelled }, "400 3004"],
      [{ dexid: foreign }, "409 7103"],
      [{ dexid: cancelled }, "409 7101"],
      [{ dexid: sold }, "409 7102"],
      [{ dexid: open }, "400 3005"],
      [{ amount: "1010" }, "400 3004"],
      [{ amount: "10" }, "400 5000"],
    ]);
    await market.pay(by, 1n, { from: creator, token });
    assert.equal(
      (await market.send(`mrc010${word}`, by, { dexid: open, amount: "10" })).code,
      "done",
    );
  });
}

for (const { amount, payment, fee } of [
  { amount: "100", payment: "30", fee: "0" },
  { amount: "400", payment: "120", fee: "3" },
  { amount: "1000", payment: "300", fee: "7" },
]) {
  test(`tokens §11: buy ${amount}: M, A(seller)${fee === "0" ? "" : ", A(platform)"} and L with payments`, async () => {
    const dexid = await market.list("mrc010sell", s, market.listing1({ p }));
    const answer = await market.client.done("mrc010buy", b, { dexid, amount });
    const { signature: S, tkey } = answer;
    const sellers = String(Number(payment) - Number(fee));
    const isFee = fee !== "0";
    const payments = paymentsText(
      ["mrc010_buy", b, dexid, payment, "0", "paid"],
      ["mrc010_recv_item", dexid, b, amount, x, "traded"],
      ...(isFee ? [["mrc010_recv_fee_platform", dexid, p, fee, "0", "paid"] as const] : []),
      ["mrc010_recv_sell", dexid, s, sellers, "0", "paid"],
    );
    const toPlatform = [dexid, p, fee, "0", S, "0", "0", x, tkey];
    assertRecords(
      market.client,
      answer,
      [
        {
          type: "transfer_mrc010buy",
          of: b,
          parameters: [b, dexid, payment, "0", S, "0", amount, x, tkey],
          moved: ["0", x],
        },
        {
          type: "receive_mrc010sell",
          of: s,
          parameters: [dexid, s, sellers, "0", S, "0", "0", x, tkey],
          moved: ["0"],
        },
        ...(isFee
          ? [{ type: "receive_mrc010fee", of: p, parameters: toPlatform, moved: ["0"] }]
          : []),
        { type: "mrc010_buy", of: dexid, parameters: [dexid, s, b, payments, x] },
      ],
      x,
    );
  });
}

test("tokens §1.8: values have the free entries of the tokens that were moved, and no locked one that was not touched", async () => {
  const c = await market.holder({ coins: 100n });
  await market.client.pay(c, 9n, { unlockdate: market.now + 1000 });
  const dexid = await market.list("mrc010sell", s, market.listing1({ p: c }));
  const answer = await market.client.done("mrc010buy", c, { dexid, amount: "100" });
  const { values } = answer.record;
  assert.deepEqual(values, {
    balance: [
      { token: "0", balance: "70", unlockdate: 0 },
      { token: x, balance: "100", unlockdate: 0 },
    ],
    moved: [
      { amount: "-30", token: "0" },
      { amount: "100", token: x },
    ],
  });
});
