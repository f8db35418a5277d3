import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Address } from "@moneta/protocol";
import { createToken } from "../../testing/trade/creations.ts";
import { type Parties, TokenMarket } from "../../testing/trade/token-market.ts";

let market: TokenMarket;
let parties: Parties;
/** The id of the gold that is traded for coins. */
let x: string;
let s: Address;
before(async () => {
  market = await TokenMarket.open();
  parties = await market.parties({ gold: 1_000_000n, coins: 1_000_000n });
  x = market.gold;
  s = await market.holder({ coins: 5000n, gold: 100_000n });
});
after(() => market[Symbol.dispose]());

const UNKNOWN = "MTAlice00000000000000000000000005dc33c90";

const UNKNOWN_LISTING = `DEX010_${"0".repeat(33)}`;

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

test("accounts §8.4: a request cannot be accepted with locked tokens: 5000", async () => {
  const { dexid } = await market.listed("mrc010reqsell");
  const poor = await market.holder({ gold: 99n });
  await market.pay(poor, 1000n, { unlockdate: market.now + 1000 });
  const accept = async (): Promise<string> =>
    (await market.send("mrc010acceptreqsell", poor, { dexid, amount: "100" })).code;
  assert.equal(await accept(), "400 5000");
  await market.pay(poor, 1n);
  assert.equal(await accept(), "done");
});

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

test("tokens §11: the order in which acceptreqsell refuses", async () => {
  const by = await market.holder({ coins: 3000n, gold: 1009n });
  const { b, s: seller } = parties;
  const terms = market.listing1(parties);
  const list = async (op: string, of: Address, undo: string): Promise<string> => {
    const dexid = await market.list(op, of, terms);
    await market.client.done(undo, of, { dexid });
    return dexid;
  };
  const ownSale = await market.list("mrc010sell", by, market.listing1(parties, { amount: "10" }));
  const ownCancelled = await list("mrc010reqsell", by, "mrc010unreqsell");
  const sale = await list("mrc010sell", seller, "mrc010unsell");
  const cancelled = await list("mrc010reqsell", b, "mrc010unreqsell");
  const [sold, open] = [
    await market.list("mrc010reqsell", b, terms),
    await market.list("mrc010reqsell", b, terms),
  ];
  await market.client.done("mrc010acceptreqsell", by, { dexid: sold, amount: "990" });
  await market.client.done("mrc010acceptreqsell", parties.s, { dexid: sold, amount: "10" });
  // The remaining coins do not pay for any part of a request.
  await market.mending("mrc010acceptreqsell", by, [
    [{ dexid: UNKNOWN_LISTING, address: UNKNOWN, amount: "01" }, "400 1101"],
    [{ amount: "0" }, "400 1107"],
    [{ amount: "1015", address: "MTx" }, "400 3190"],
    [{ address: UNKNOWN }, "404 6004"],
    [{ dexid: ownSale }, "404 3090"],
    [{ address: by }, "key"],
    [{}, "400 3004"],
    [{ dexid: ownCancelled }, "400 3004"],
    [{ dexid: sale }, "409 7103"],
    [{ dexid: cancelled }, "409 7101"],
    [{ dexid: sold }, "409 7102"],
    [{ dexid: open }, "400 3005"],
    [{ amount: "1010" }, "400 3004"],
    [{ amount: "10" }, "400 5000"],
  ]);
  await market.pay(by, 1n, { from: seller });
  const params = { dexid: open, amount: "10" };
  assert.equal((await market.send("mrc010acceptreqsell", by, params)).code, "done");
});

test("conventions §8.4: values have the free entries of the tokens that were moved, and no locked one that was not touched", async () => {
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
