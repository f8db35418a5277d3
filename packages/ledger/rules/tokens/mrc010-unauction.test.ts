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
let p: Address;
before(async () => {
  market = await TokenMarket.open();
  parties = await market.parties({ gold: 1_000_000n, coins: 1_000_000n });
  x = market.gold;
  s = await market.holder({ coins: 5000n, gold: 100_000n });
  p = await market.holder({ coins: 7n, gold: 7n });
});
after(() => market[Symbol.dispose]());

const UNKNOWN_LISTING = `DEX010_${"0".repeat(33)}`;
const DAY = 86_400;

async function finishing(dexid: string): Promise<string> {
  return (await market.finish(dexid)).code;
}

test("tokens §12: the order in which unauction refuses", async () => {
  const by = await market.holder({ gold: 10_000n });
  const terms = market.listing3(parties);
  const [sale, cancelled, sold, contested, open] = [
    await market.list("mrc010sell", by, market.listing1(parties)),
    await market.list("mrc010auction", by, terms),
    await market.list("mrc010auction", by, terms),
    await market.list("mrc010auction", by, terms),
    await market.list("mrc010auction", by, terms),
  ];
  for (const [word, dexid] of [
    ["unsell", sale],
    ["unauction", cancelled],
  ] as const) {
    assert.equal((await market.send(`mrc010${word}`, by, { dexid })).code, "done");
  }
  for (const [dexid, amount] of [
    [sold, "500"],
    [contested, "100"],
  ] as const) {
    assert.equal((await market.send("mrc010bid", parties.b, { dexid, amount })).code, "done");
  }
  market.now += DAY;
  await market.mending("mrc010unauction", by, [
    [{ dexid: UNKNOWN_LISTING }, "404 6004"],
    [{ dexid: sale }, "key"],
    [{}, "409 7103"],
    [{ dexid: cancelled }, "409 7101"],
    [{ dexid: sold }, "409 7102"],
    [{ dexid: contested }, "409 7104"],
    [{ dexid: open }, "key"],
    [{}, "409 7202"],
  ]);
});

test("tokens §12: unauction: M and L", async () => {
  const dexid = await market.list("mrc010auction", s, market.listing3({ p }));
  const answer = await market.client.done("mrc010unauction", s, { dexid });
  const parameters = [dexid, s, "50", x, "100", "0", answer.signature, answer.tkey];
  assertRecords(
    market.client,
    answer,
    [
      { type: "mrc010unauction", of: s, parameters, moved: [x] },
      { type: "mrc010_unauction", of: dexid, parameters },
    ],
    x,
  );
});

test("tokens §13 row 34: unauction without a bidder gives the lot back; then all is 7101", async () => {
  const { s, b, dexid, end } = await market.auctioned();
  market.now = end - 1;
  assert.equal((await market.send("mrc010unauction", s, { dexid })).code, "done");
  assert.equal(market.held(s), "0 coins, 50 gold");
  const { state, cancel_date, auction_settle_date } = market.listing(dexid);
  assert.deepEqual([state, cancel_date, auction_settle_date], ["cancelled", end - 1, 0]);
  assert.equal((await market.send("mrc010unauction", s, { dexid })).code, "409 7101");
  assert.equal(await market.bid(b, dexid, "100"), "409 7101");
  assert.equal(await finishing(dexid), "409 7101");
  market.now = end;
  assert.equal(await finishing(dexid), "409 7101");
  assert.equal(market.held(s), "0 coins, 50 gold");
});

test("tokens §13 row 34: unauction with a bidder is 7104, after the end too; after the end without 7202", async () => {
  const one = await market.auctioned({ bids: ["100"] });
  assert.equal(
    (await market.send("mrc010unauction", one.s, { dexid: one.dexid })).code,
    "409 7104",
  );
  const two = await market.auctioned();
  market.now = Math.max(one.end, two.end);
  assert.equal(
    (await market.send("mrc010unauction", one.s, { dexid: one.dexid })).code,
    "409 7104",
  );
  assert.equal(
    (await market.send("mrc010unauction", two.s, { dexid: two.dexid })).code,
    "409 7202",
  );
});

test("tokens §12: an auction that has not begun can be cancelled", async () => {
  const change = { auction_start_date: String(market.now + 100) };
  const { s, dexid } = await market.auctioned({ change });
  assert.equal((await market.send("mrc010unauction", s, { dexid })).code, "done");
  assert.equal(market.held(s), "0 coins, 50 gold");
});
