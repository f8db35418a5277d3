import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Market, type MarketCast } from "../../../testing/requests/market.ts";
import { type Answered, parsed, summaryOf, transactionIdOf } from "../../../testing/test-node.ts";

// What is bought and sold over HTTP: GET /token/trades/{token}, tokens §8, and who ends auctions.

const DAY = 86_400;

let market: Market;
let parties: MarketCast;
let gold: string;
let silver: string;
/** The trades that there were, newest first. */
let expected: readonly object[];

before(async () => {
  market = await Market.open({ tokens: 1 });
  parties = await market.cast({ coins: 2000n, gold: 5000n });
  const { s, b } = parties;
  gold = market.gold;
  silver = await market.issue(b, "1000");
  const [seller, buyer] = [s.address, b.address];
  const auction = market.listing3(parties, { token: silver });
  const trades: object[] = [];
  const traded = (answer: Answered, trade: object): void => {
    assert.equal(summaryOf(answer), "200");
    const { now: timestamp } = market.node;
    trades.unshift({ transaction_id: transactionIdOf(answer), timestamp, ...trade });
  };

  const offer = await market.list("sell", s, market.listing1(parties));
  traded(await market.send("mrc010buy", b, { dexid: offer, amount: "400" }), {
    ...{ dexid: offer, side: "sell", seller, buyer, amount: "400", payment: "120", token: "0" },
  });
  market.node.now += 10;
  const request = await market.list("reqsell", b, market.listing1(parties));
  traded(await market.send("mrc010acceptreqsell", s, { dexid: request, amount: "1000" }), {
    ...{ dexid: request, side: "buy", seller, buyer, amount: "1000", payment: "300", token: "0" },
  });
  market.node.now += 10;
  const atOnce = await market.list("auction", s, auction);
  assert.equal(
    summaryOf(await market.send("mrc010bid", b, { dexid: atOnce, amount: "105" })),
    "200",
  );
  traded(await market.send("mrc010bid", b, { dexid: atOnce, amount: "500" }), {
    ...{ dexid: atOnce, side: "auction", seller, buyer, amount: "50", payment: "500" },
    token: silver,
  });
  const won = await market.list("auction", s, auction);
  const failed = await market.list("auction", s, auction);
  assert.equal(summaryOf(await market.send("mrc010bid", b, { dexid: won, amount: "210" })), "200");
  market.node.now += DAY;
  assert.equal(summaryOf(await market.finish(failed)), "200");
  traded(await market.finish(won), {
    ...{ dexid: won, side: "auction", seller, buyer, amount: "50", payment: "210", token: silver },
  });
  traded(await market.send("mrc010buy", b, { dexid: offer, amount: "600" }), {
    ...{ dexid: offer, side: "sell", seller, buyer, amount: "600", payment: "180", token: "0" },
  });
  assert.equal(summaryOf(await market.send("mrc010unsell", s, { dexid: offer })), "409 7102 dexid");
  expected = trades;
});
after(() => market[Symbol.asyncDispose]());

test("bought, sold to a request, bought at once and won: each trade with its payment, newest first; what failed is none", async () =>
  assert.deepEqual(parsed(await market.node.get(`/token/trades/${gold}`)), { items: expected }));
