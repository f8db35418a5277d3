import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Market, type MarketCast } from "../../../testing/requests/market.ts";
import {
  type Answered,
  type Params,
  parsed,
  said,
  transactionIdOf,
} from "../../../testing/test-node.ts";

// What is bought and sold over HTTP: GET /token/trades/{token}, tokens §8, and who ends auctions.

const DAY = 86_400;

interface Trade {
  readonly transaction_id: string;
  readonly timestamp: number;
  readonly payment: string;
}

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
    assert.equal(said(answer), "200");
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
  assert.equal(said(await market.send("mrc010bid", b, { dexid: atOnce, amount: "105" })), "200");
  traded(await market.send("mrc010bid", b, { dexid: atOnce, amount: "500" }), {
    ...{ dexid: atOnce, side: "auction", seller, buyer, amount: "50", payment: "500" },
    token: silver,
  });
  const won = await market.list("auction", s, auction);
  const failed = await market.list("auction", s, auction);
  assert.equal(said(await market.send("mrc010bid", b, { dexid: won, amount: "210" })), "200");
  market.node.now += DAY;
  assert.equal(said(await market.finish(failed)), "200");
  traded(await market.finish(won), {
    ...{ dexid: won, side: "auction", seller, buyer, amount: "50", payment: "210", token: silver },
  });
  traded(await market.send("mrc010buy", b, { dexid: offer, amount: "600" }), {
    ...{ dexid: offer, side: "sell", seller, buyer, amount: "600", payment: "180", token: "0" },
  });
  assert.equal(said(await market.send("mrc010unsell", s, { dexid: offer })), "409 7102 dexid");
  expected = trades;
});
after(() => market[Symbol.asyncDispose]());

async function page(query: Params = {}): Promise<{ items: readonly Trade[]; cursor?: string }> {
  const answer = await market.node.get(`/token/trades/${gold}?${new URLSearchParams(query)}`);
  assert.equal(answer.status, 200, answer.text);
  return parsed(answer);
}

test("bought, sold to a request, bought at once and won: each trade with its payment, newest first; what failed is none", async () =>
  assert.deepEqual(await page(), { items: expected }));

test("the trades of a token are filtered by what was paid in, and by time", async () => {
  const { timestamp: last } = expected[0] as Trade;
  const first = last - DAY - 20;
  for (const { query, found } of [
    { query: { paytoken: "0" }, found: [0, 3, 4] },
    { query: { paytoken: silver }, found: [1, 2] },
    { query: { paytoken: gold }, found: [] },
    { query: { paytoken: "99999" }, found: [] },
    { query: { since: String(last) }, found: [0, 1] },
    { query: { until: String(last - 1) }, found: [2, 3, 4] },
    { query: { since: String(first + 1), until: String(last - 1) }, found: [2, 3] },
    { query: { since: String(first), until: String(first) }, found: [4] },
    { query: { since: String(first + 1), paytoken: "0" }, found: [0, 3] },
  ] as readonly { query: Params; found: readonly number[] }[]) {
    const items = found.map((index) => expected[index]);
    assert.deepEqual(await page(query), { items }, JSON.stringify(query));
  }
});

test("pages of trades neither repeat nor lose any", async () => {
  for (const filter of [{}, { paytoken: "0" }] as readonly Params[]) {
    const all: unknown[] = [];
    let cursor: string | undefined;
    do {
      const next = await page({ ...filter, limit: "2", ...(cursor && { cursor }) });
      assert.ok(next.items.length <= 2);
      all.push(...next.items);
      cursor = next.cursor;
    } while (cursor !== undefined);
    assert.deepEqual(all, (await page(filter)).items);
  }
});

test("a token without trades has an empty list; the token that was paid in has none by that", async () => {
  assert.equal((await market.node.get(`/token/trades/${silver}`)).text, '{"items":[]}');
  assert.equal((await market.node.get("/token/trades/0")).text, '{"items":[]}');
});

for (const { path, answer } of [
  { path: "/token/trades/99", answer: "404 4001 token" },
  { path: "/token/trades/x", answer: "400 1101 token" },
  { path: "/token/trades/0?paytoken=x", answer: "400 1101 paytoken" },
  { path: "/token/trades/0?since=x", answer: "400 1101 since" },
  { path: "/token/trades/0?cursor=x", answer: "400 3005 cursor" },
  { path: "/token/trades/0?limit=0", answer: "400 1101 limit" },
  { path: "/token/trades", answer: "404 9404" },
]) {
  test(`GET ${path}: ${answer}`, async () =>
    assert.equal(said(await market.node.get(path)), answer));
}
