import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Address } from "@moneta/protocol";
import type { Params } from "../../testing/admitted.ts";
import { assertRecords } from "../../testing/expected-records.ts";
import { type Parties, TokenMarket } from "../../testing/token-market.ts";

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

/** Sends a request whose faults are mended one after the other. */
function mending(
  op: string,
  by: Address,
  changes: readonly (readonly [change: Params, answer: string])[],
): Promise<void> {
  const stranger = by === parties.s ? parties.b : parties.s;
  return market.client.mending(op, { by, stranger }, changes);
}

interface Auctioned extends Parties {
  /** B1 and B2 of the examples; B1 is `b`. */
  readonly b2: Address;
  readonly dexid: string;
  /** The dates of the auction. */
  readonly start: number;
  readonly end: number;
}

/** Listing 3, on which B1 and B2 have bid in turn; S has 50 of gold, the bidders 1000 coins each. */
async function auctioned({
  change = {},
  bids = [],
}: {
  readonly change?: Params;
  readonly bids?: readonly string[];
} = {}): Promise<Auctioned> {
  const parties = await market.parties({ gold: 50n });
  const b2 = await market.holder({ coins: 1000n });
  const dexid = await market.list("mrc010auction", parties.s, market.listing3(parties, change));
  const { auction_start_date: start, auction_end_date: end } = market.listing(dexid);
  for (const [index, amount] of bids.entries()) {
    assert.equal(await bidding(index % 2 === 0 ? parties.b : b2, dexid, amount), "done");
  }
  return { ...parties, b2, dexid, start, end };
}

async function bidding(by: Address, dexid: string, amount: string): Promise<string> {
  return (await market.send("mrc010bid", by, { dexid, amount })).code;
}

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
  await mending("mrc010unauction", by, [
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
  const { s, b, dexid, end } = await auctioned();
  market.now = end - 1;
  assert.equal((await market.send("mrc010unauction", s, { dexid })).code, "done");
  assert.equal(market.held(s), "0 coins, 50 gold");
  const { state, cancel_date, auction_settle_date } = market.listing(dexid);
  assert.deepEqual([state, cancel_date, auction_settle_date], ["cancelled", end - 1, 0]);
  assert.equal((await market.send("mrc010unauction", s, { dexid })).code, "409 7101");
  assert.equal(await bidding(b, dexid, "100"), "409 7101");
  assert.equal(await finishing(dexid), "409 7101");
  market.now = end;
  assert.equal(await finishing(dexid), "409 7101");
  assert.equal(market.held(s), "0 coins, 50 gold");
});

test("tokens §13 row 34: unauction with a bidder is 7104, after the end too; after the end without 7202", async () => {
  const one = await auctioned({ bids: ["100"] });
  assert.equal(
    (await market.send("mrc010unauction", one.s, { dexid: one.dexid })).code,
    "409 7104",
  );
  const two = await auctioned();
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
  const { s, dexid } = await auctioned({ change });
  assert.equal((await market.send("mrc010unauction", s, { dexid })).code, "done");
  assert.equal(market.held(s), "0 coins, 50 gold");
});
