import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { Market, type Parties } from "../testing/market.ts";
import { type KeyHolder, type Params, saidCode } from "../testing/test-node.ts";

// Rows 16 to 22 and 25 of tokens §13: the terms of a sale or a request at a fixed price.

const UNKNOWN = "MTAlice00000000000000000000000005dc33c90";
const MAX = 10n ** 40n;

let market: Market;
before(async () => {
  market = await Market.open();
});
after(() => market[Symbol.asyncDispose]());
afterEach(() => market.assertConserved());

/** What a creation with some parameters of listing 1 changed is answered. */
async function creating(
  word: "sell" | "reqsell",
  by: KeyHolder,
  parties: Parties,
  change: Params = {},
): Promise<string> {
  return saidCode(await market.send(word, by, market.listing1(parties, change)));
}

for (const { what, change } of [
  { what: "a commission without platform", change: { platform_address: "" } },
  { what: "a platform without commission", change: { platform_commission: "" } },
  { what: "a platform with commission 0", change: { platform_commission: "0" } },
]) {
  test(`tokens §13 row 16: ${what}: 300 in escrow, never a fee`, async () => {
    const two = await market.listed("reqsell", { change });
    assert.equal((await market.listing(two.dexid)).buy_price_total, "300");
    const accepted = await market.paidIn(await two.take("1000"));
    assert.deepEqual(accepted, [`receive_mrc010buy ${two.b.address}`]);
    const one = await market.listed("sell", { change });
    assert.deepEqual(await market.paidIn(await one.take("1000")), [
      `receive_mrc010sell ${one.s.address}`,
    ]);
    assert.equal(await market.held(one.s), "300 coins, 0 gold");
    assert.equal(await market.held(one.p), "0 coins, 0 gold");
  });
}

for (const { given, answer, shown } of [
  { given: "10", answer: "200", shown: "10" },
  { given: "5.70", answer: "200", shown: "5.7" },
  { given: "10.00", answer: "200", shown: "10" },
  { given: "0.01", answer: "200", shown: "0.01" },
  ...["10.01", "2.555", "-1", "x", "1e0", "+1", "1,5", " 1", "11"].map((given) => ({
    given,
    answer: "400 3005",
    shown: "",
  })),
]) {
  test(`tokens §13 row 17: commission ${JSON.stringify(given)}: ${answer}${shown && `, shown as ${shown}`}`, async () => {
    const parties = await market.parties();
    const params = market.listing1(parties, { platform_commission: given });
    for (const [word, by] of [
      ["sell", parties.s],
      ["reqsell", parties.b],
    ] as const) {
      if (shown === "") {
        assert.equal(saidCode(await market.send(word, by, params)), answer);
      } else {
        const dexid = await market.list(word, by, params);
        assert.equal((await market.listing(dexid)).platform_commission, shown);
      }
    }
  });
}

for (const { payment, fee } of [
  { payment: "9", fee: "0" },
  { payment: "10", fee: "1" },
]) {
  test(`tokens §13 row 18: commission 10 on a payment of ${payment}: fee ${fee}`, async () => {
    const change = { amount: "100", min_trade_unit: "1", price: "1", platform_commission: "10" };
    const one = await market.listed("sell", { change, taken: [payment] });
    assert.equal(await market.held(one.p), `${fee} coins, 0 gold`);
    const two = await market.listed("reqsell", { change, taken: [payment] });
    assert.equal(await market.held(two.p), `${fee} coins, 0 gold`);
  });
}

for (const change of [
  ...["5", "1000000000", "0", "01", "x", "10.0"].map((min_trade_unit) => ({ min_trade_unit })),
  { amount: "15" },
  { min_trade_unit: "100000000", amount: "10" },
]) {
  test(`tokens §13 row 19: ${JSON.stringify(change)}: 3005`, async () => {
    const parties = await market.parties();
    assert.equal(await creating("sell", parties.s, parties, change), "400 3005");
    assert.equal(await creating("reqsell", parties.b, parties, change), "400 3005");
  });
}

test("tokens §13 row 19: a token for itself: 3005, the native coin too", async () => {
  const parties = await market.parties();
  for (const token of [market.gold, "0"]) {
    const change = { mrc010id: token, token };
    assert.equal(await creating("sell", parties.s, parties, change), "400 3005");
    assert.equal(await creating("reqsell", parties.b, parties, change), "400 3005");
  }
});

test("tokens §13 row 20: unit 100000000, price 1: 200000000 cost 2", async () => {
  const { s, b, p } = await market.parties({ gold: 300_000_000n, coins: 2n });
  const dexid = await market.list("sell", s, {
    mrc010id: market.gold,
    amount: "300000000",
    token: "0",
    min_trade_unit: "100000000",
    price: "1",
    platform_address: p.address,
  });
  assert.equal(saidCode(await market.send("buy", b, { dexid, amount: "200000000" })), "200");
  assert.equal(await market.held(b), "0 coins, 200000000 gold");
  assert.equal(await market.held(s), "2 coins, 0 gold");
});

for (const { word, price, unit, commission, isPlatform, answer } of [
  { word: "sell", price: 2n, unit: "1", answer: "400 1101" },
  { word: "sell", price: 1n, unit: "1", answer: "400 5000" },
  { word: "sell", price: 10n ** 8n, unit: "100000000", answer: "400 5000" },
  { word: "sell", price: 10n ** 8n + 1n, unit: "100000000", answer: "400 1101" },
  { word: "sell", price: 1n, unit: "1", commission: "1", isPlatform: true, answer: "400 5000" },
  { word: "reqsell", price: 1n, unit: "1", commission: "1", isPlatform: true, answer: "400 1101" },
  { word: "reqsell", price: 1n, unit: "1", commission: "1", answer: "400 5000" },
  { word: "reqsell", price: 2n, unit: "1", answer: "400 1101" },
] as const satisfies readonly Row[]) {
  const row = word === "sell" ? 21 : 22;
  const fee = commission === undefined ? "" : `, commission ${commission}`;
  test(`tokens §13 row ${row}: ${word} 10^40, price ${price}, unit ${unit}${fee}${isPlatform ? " for a platform" : ""}: ${answer}`, async () => {
    const parties = await market.parties();
    const change = {
      amount: String(MAX),
      price: String(price),
      min_trade_unit: unit,
      platform_commission: commission ?? "",
      platform_address: isPlatform ? parties.p.address : "",
    };
    const by = word === "sell" ? parties.s : parties.b;
    assert.equal(await creating(word, by, parties, change), answer);
  });
}

interface Row {
  readonly word: "sell" | "reqsell";
  readonly price: bigint;
  readonly unit: string;
  readonly commission?: string;
  readonly isPlatform?: boolean;
  readonly answer: string;
}

test("tokens §13 row 22: payment and fee of exactly 10^40 are held, and come back", async () => {
  const [b, p] = [await market.holder(), await market.holder()];
  const y = await market.issue(b, String(MAX));
  // 10/11 of it, rounded up, and a fee of 10 % on that make up 10^40.
  const amount = (MAX * 10n + 10n) / 11n;
  const params = (change: Params): Params => ({
    mrc010id: market.gold,
    amount: String(amount),
    token: y,
    price: "1",
    platform_commission: "10",
    platform_address: p.address,
    ...change,
  });
  const more = await market.send("reqsell", b, params({ amount: String(amount + 1n) }));
  assert.equal(saidCode(more), "400 1101");
  const dexid = await market.list("reqsell", b, params({}));
  assert.equal((await market.listing(dexid)).buy_price_total, String(MAX));
  assert.equal(saidCode(await market.send("unreqsell", b, { dexid })), "200");
  assert.deepEqual(await market.node.balances(b, y), [String(MAX)]);
});

test("tokens §13 row 21: all 10^40 of a token are sold for all 10^40 of another", async () => {
  const [s, b, p] = [await market.holder(), await market.holder(), await market.holder()];
  const [x, y] = [await market.issue(s, String(MAX)), await market.issue(b, String(MAX))];
  const dexid = await market.list("sell", s, {
    mrc010id: x,
    amount: String(MAX),
    token: y,
    price: "1",
    platform_commission: "2.55",
    platform_address: p.address,
  });
  await market.assertConserved();
  assert.equal(saidCode(await market.send("buy", b, { dexid, amount: String(MAX) })), "200");
  const fee = (MAX * 255n) / 10000n;
  assert.deepEqual(await market.node.balances(b), ["0: 0", `${x}: ${MAX}`]);
  assert.deepEqual(await market.node.balances(s), ["0: 0", `${y}: ${MAX - fee}`]);
  assert.deepEqual(await market.node.balances(p), ["0: 0", `${y}: ${fee}`]);
});

for (const { platform_address, answer } of [
  { platform_address: "MTPlatform", answer: "400 3190" },
  { platform_address: UNKNOWN, answer: "404 3090" },
]) {
  test(`tokens §13 row 25: platform_address ${platform_address}: ${answer}`, async () => {
    const parties = await market.parties();
    // Also where there is no commission to pay.
    const bare = { platform_address, platform_commission: "" };
    assert.equal(await creating("sell", parties.s, parties, bare), answer);
    assert.equal(await creating("sell", parties.s, parties, { platform_address }), answer);
    assert.equal(await creating("reqsell", parties.b, parties, { platform_address }), answer);
  });
}
