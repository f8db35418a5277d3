import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Address } from "@moneta/protocol";
import { assertRecords } from "../../testing/shown/expected-records.ts";
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

const UNKNOWN_LISTING = `DEX010_${"0".repeat(33)}`;

test("tokens §13 row 5: unsell after row 2: S +900, cancelled, remain_amount stays 900; then unsell and buy are 7101", async () => {
  const { s, b, dexid, take } = await market.listed("mrc010sell", { taken: ["100"] });
  assert.equal((await market.send("mrc010unsell", s, { dexid })).code, "done");
  assert.equal(market.held(s), "30 coins, 900 gold");
  const { state, remain_amount, cancel_date } = market.listing(dexid);
  assert.deepEqual([state, remain_amount, cancel_date], ["cancelled", "900", market.now]);
  assert.equal((await market.send("mrc010unsell", s, { dexid })).code, "409 7101");
  assert.equal((await take("10")).code, "409 7101");
  assert.equal(market.held(s), "30 coins, 900 gold");
  assert.equal(market.held(b), "970 coins, 100 gold");
});

test("tokens §13 row 9: unsell signed by B with B's key is 2020, with a key of S 2010", async () => {
  const { s, b, dexid } = await market.listed("mrc010sell");
  assert.equal((await market.send("mrc010unsell", b, { dexid })).code, "401 2020");
  assert.equal(
    (await market.send("mrc010unsell", b, { dexid, tkey: market.client.ledger.key(s) })).code,
    "401 2010",
  );
  assert.equal(market.listing(dexid).state, "open");
});

for (const { side, by, words } of [
  { side: "reqsell", by: "s", words: ["buy", "bid"] },
  { side: "reqsell", by: "b", words: ["unsell", "unauction"] },
  { side: "sell", by: "b", words: ["acceptreqsell", "bid"] },
  { side: "sell", by: "s", words: ["unreqsell", "unauction"] },
] as const) {
  for (const word of words) {
    test(`tokens §13 row 10: ${word} on a listing by ${side}: 7103`, async () => {
      const { dexid, ...parties } = await market.listed(`mrc010${side}`);
      const params = { dexid, ...(word.startsWith("un") ? {} : { amount: "100" }) };
      assert.equal((await market.send(`mrc010${word}`, parties[by], params)).code, "409 7103");
    });
  }
}

for (const { word, own, other } of [
  { word: "unsell", own: "sell", other: "reqsell" },
  { word: "unreqsell", own: "reqsell", other: "sell" },
] as const) {
  test(`tokens §10: the order in which ${word} refuses`, async () => {
    const by = await market.holder({ coins: 10_000n, gold: 10_000n });
    const terms = market.listing1(parties);
    const [foreign, cancelled, sold] = [
      await market.list(`mrc010${other}`, by, terms),
      await market.list(`mrc010${own}`, by, terms),
      await market.list(`mrc010${own}`, by, terms),
    ];
    const undo = other === "sell" ? "unsell" : "unreqsell";
    assert.equal((await market.send(`mrc010${undo}`, by, { dexid: foreign })).code, "done");
    assert.equal((await market.send(`mrc010${word}`, by, { dexid: cancelled })).code, "done");
    const taker = word === "unsell" ? parties.b : parties.s;
    const take = word === "unsell" ? "buy" : "acceptreqsell";
    const taken = await market.send(`mrc010${take}`, taker, { dexid: sold, amount: "1000" });
    assert.equal(taken.code, "done");
    await market.mending(`mrc010${word}`, by, [
      [{ dexid: UNKNOWN_LISTING }, "404 6004"],
      [{ dexid: foreign }, "key"],
      [{}, "409 7103"],
      [{ dexid: cancelled }, "409 7101"],
      [{ dexid: sold }, "key"],
      [{}, "409 7102"],
      [{ dexid: await market.list(`mrc010${own}`, by, terms) }, "key"],
      [{}, "done"],
    ]);
  });
}

test("tokens §10: unsell: M and L", async () => {
  const dexid = await market.list("mrc010sell", s, market.listing1({ p }));
  await market.client.done("mrc010buy", b, { dexid, amount: "100" });
  const answer = await market.client.done("mrc010unsell", s, { dexid });
  const parameters = [dexid, s, "900", x, "3", "0", answer.signature, answer.tkey];
  assertRecords(
    market.client,
    answer,
    [
      { type: "mrc010unsell", of: s, parameters, moved: [x] },
      { type: "mrc010_unsell", of: dexid, parameters },
    ],
    x,
  );
});
