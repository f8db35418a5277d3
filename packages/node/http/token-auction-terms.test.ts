import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { Market } from "../testing/market.ts";
import { type Params, parsed, saidCode } from "../testing/test-node.ts";

// Row 35 of tokens §13, and what else §12 asks of the terms of an auction.

const DAY = 86_400;
const MAX = 10n ** 40n;

let market: Market;
before(async () => {
  market = await Market.open();
});
after(() => market[Symbol.asyncDispose]());
afterEach(() => market.assertConserved());

/** What a creation is answered by somebody who has 50 of gold, with some parameters of listing 3 changed. */
async function auctioning(change: Params): Promise<string> {
  const parties = await market.parties({ gold: 50n });
  return saidCode(await market.send("auction", parties.s, market.listing3(parties, change)));
}

for (const { what, start, end, answer } of [
  { what: "end_date = start + 3599", end: 3599, answer: "400 1102" },
  { what: "end_date = start + 1814401", end: 1_814_401, answer: "400 1102" },
  { what: "start in the past", start: -1, answer: "400 1102" },
  { what: "start in the past, end allowed", start: -1, end: DAY, answer: "400 1102" },
  { what: "start 1814401 from now", start: 1_814_401, answer: "400 1102" },
  { what: "end before start", start: 10_000, end: -1, answer: "400 1102" },
  { what: "a later start, end 3600 from now", start: 10, end: 3590, answer: "400 1102" },
  { what: "end_date = start + 3600", end: 3600, answer: "200" },
  { what: "end_date = start + 1814400", end: 1_814_400, answer: "200" },
  { what: "start now", start: 0, answer: "200" },
  { what: "start 1814400 from now", start: 1_814_400, answer: "200" },
  {
    what: "the latest start and the latest end",
    start: 1_814_400,
    end: 1_814_400,
    answer: "200",
  },
] as readonly { what: string; start?: number; end?: number; answer: string }[]) {
  test(`tokens §13 row 35: ${what}: ${answer}`, async () => {
    const { now } = market.node;
    const begun = now + (start ?? 0);
    const change = {
      auction_start_date: start === undefined ? "" : String(begun),
      auction_end_date: end === undefined ? "" : String(begun + end),
    };
    const parties = await market.parties({ gold: 50n });
    const sent = await market.send("auction", parties.s, market.listing3(parties, change));
    assert.equal(saidCode(sent), answer);
    if (sent.status === 200) {
      const { mrc010dexid } = parsed<{ mrc010dexid: string }>(sent);
      const listing = await market.listing(mrc010dexid);
      assert.equal(listing.auction_start_date, begun);
      assert.equal(listing.auction_end_date, begun + (end ?? DAY));
    }
  });
}

test("tokens §12: dates of 0 mean now and a day later", async () => {
  const { now } = market.node;
  const change = { auction_start_date: "0", auction_end_date: "0" };
  const parties = await market.parties({ gold: 50n });
  const dexid = await market.list("auction", parties.s, market.listing3(parties, change));
  const { auction_start_date, auction_end_date } = await market.listing(dexid);
  assert.deepEqual([auction_start_date, auction_end_date], [now, now + DAY]);
});

for (const { what, change, answer } of [
  ...["x", "01", "-1", "1.5", String(MAX + 1n)].flatMap((value) =>
    [
      "amount",
      "auction_start_price",
      "auction_bidding_unit",
      "auction_buynow_price",
      "auction_start_date",
      "auction_end_date",
    ].map((name) => ({ what: `${name} ${value}`, change: { [name]: value }, answer: "400 1101" })),
  ),
  { what: "amount 0", change: { amount: "0" }, answer: "400 1107" },
  { what: "start price 0", change: { auction_start_price: "0" }, answer: "400 1104" },
  { what: "unit 0", change: { auction_bidding_unit: "0" }, answer: "400 1104" },
  { what: "buy-now = start", change: { auction_buynow_price: "100" }, answer: "400 3005" },
  { what: "buy-now below start", change: { auction_buynow_price: "99" }, answer: "400 3005" },
  { what: "buy-now = start + 1", change: { auction_buynow_price: "101" }, answer: "200" },
  { what: "buy-now 0", change: { auction_buynow_price: "0" }, answer: "200" },
  { what: "buy-now 10^40", change: { auction_buynow_price: String(MAX) }, answer: "200" },
  {
    what: "start price and unit 10^40",
    change: {
      auction_start_price: String(MAX),
      auction_bidding_unit: String(MAX),
      auction_buynow_price: "",
    },
    answer: "200",
  },
  { what: "commission 10.01", change: { platform_commission: "10.01" }, answer: "400 3005" },
  { what: "a huge date", change: { auction_end_date: String(MAX) }, answer: "400 1102" },
]) {
  test(`tokens §12: an auction with ${what}: ${answer}`, async () =>
    assert.equal(await auctioning(change), answer));
}
