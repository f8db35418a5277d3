import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { Market, type Parties } from "../testing/market.ts";
import { BLANK_LISTING, type Listing } from "../testing/market-requests.ts";
import { parsed, said, saidCode } from "../testing/test-node.ts";

// GET /token/dex/{dexid} at each stage of a listing: tokens §8, listing record; and the paths of the market: tokens §1.4.

const DAY = 86_400;

let market: Market;
before(async () => {
  market = await Market.open();
});
after(() => market[Symbol.asyncDispose]());
afterEach(() => market.assertConserved());

async function accepted(...sent: Parameters<Market["send"]>): Promise<void> {
  assert.equal(said(await market.send(...sent)), "200");
}

const PLATFORM = { platform_name: "Börse 😀", platform_url: "https://börse.example/?a=1" };

/** The record of listing 1 as it was created; 2 has prices instead. */
function created(dexid: string, { p }: Parties): Listing {
  return {
    ...BLANK_LISTING,
    ...PLATFORM,
    dexid,
    mrc010: market.gold,
    state: "open",
    amount: "1000",
    remain_amount: "1000",
    min_trade_unit: "10",
    platform_address: p.address,
    platform_commission: "2.5",
    regdate: market.node.now,
  };
}

test("tokens §8: the record of a sell listing: open, in part, sold", async () => {
  const parties = await market.parties();
  const { s, b } = parties;
  const c = await market.holder({ coins: 1000n });
  const params = market.listing1(parties, { ...PLATFORM, platform_commission: "2.50" });
  const dexid = await market.list("sell", s, params);
  let expected: Listing = {
    ...created(dexid, parties),
    side: "sell",
    seller: s.address,
    sell_price: "3",
    sell_token: "0",
    job_type: "mrc010_sell",
  };
  assert.deepEqual(await market.listing(dexid), expected);

  market.node.now += 10;
  await accepted("buy", b, { dexid, amount: "100" });
  expected = { ...expected, buyer: b.address, remain_amount: "900", job_type: "mrc010_buy" };
  assert.deepEqual(await market.listing(dexid), expected);

  market.node.now += 10;
  await accepted("buy", c, { dexid, amount: "900" });
  const sold = { state: "sold", buyer: c.address, remain_amount: "0", sell_date: market.node.now };
  assert.deepEqual(await market.listing(dexid), { ...expected, ...sold });
});

test("tokens §8: the record of a sell listing in part, then cancelled", async () => {
  const parties = await market.parties();
  const { s, b } = parties;
  const dexid = await market.list("sell", s, market.listing1(parties));
  await accepted("buy", b, { dexid, amount: "100" });
  const before = await market.listing(dexid);
  market.node.now += 10;
  await accepted("unsell", s, { dexid });
  assert.deepEqual(await market.listing(dexid), {
    ...before,
    state: "cancelled",
    remain_amount: "900",
    cancel_date: market.node.now,
    job_type: "mrc010_unsell",
  });
});

test("tokens §8: the record of a buy request: open, in part, sold; or cancelled", async () => {
  const parties = await market.parties();
  const { s, b } = parties;
  const params = market.listing1(parties, PLATFORM);
  const dexid = await market.list("reqsell", b, params);
  let expected: Listing = {
    ...created(dexid, parties),
    side: "buy",
    buyer: b.address,
    buy_price: "3",
    buy_token: "0",
    buy_price_total: "307",
    job_type: "mrc010_reqsell",
  };
  assert.deepEqual(await market.listing(dexid), expected);

  await accepted("acceptreqsell", s, { dexid, amount: "400" });
  expected = {
    ...expected,
    seller: s.address,
    remain_amount: "600",
    buy_price_total: "184",
    job_type: "mrc010_acceptreqsell",
  };
  assert.deepEqual(await market.listing(dexid), expected);

  const c = await market.holder({ gold: 600n });
  market.node.now += 10;
  await accepted("acceptreqsell", c, { dexid, amount: "600" });
  assert.deepEqual(await market.listing(dexid), {
    ...expected,
    state: "sold",
    seller: c.address,
    remain_amount: "0",
    buy_price_total: "0",
    sell_date: market.node.now,
  });

  const second = await market.list("reqsell", b, params);
  const before = await market.listing(second);
  market.node.now += 10;
  await accepted("unreqsell", b, { dexid: second });
  assert.deepEqual(await market.listing(second), {
    ...before,
    state: "cancelled",
    buy_price_total: "0",
    cancel_date: market.node.now,
    job_type: "mrc010_unreqsell",
  });
});

/** The record of listing 3 as it was created now. */
function auctioned(dexid: string, { s, p }: Parties): Listing {
  const { now } = market.node;
  return {
    ...BLANK_LISTING,
    dexid,
    mrc010: market.gold,
    side: "auction",
    state: "open",
    seller: s.address,
    amount: "50",
    remain_amount: "50",
    min_trade_unit: "1",
    platform_address: p.address,
    platform_commission: "1",
    regdate: now,
    sell_token: "0",
    auction_start_date: now,
    auction_end_date: now + DAY,
    auction_bidding_unit: "5",
    auction_start_price: "100",
    auction_buynow_price: "500",
    job_type: "mrc010_auction",
  };
}

test("tokens §8: the record of an auction: open, with bids, won at the end", async () => {
  const parties = await market.parties();
  const { s, b } = parties;
  const c = await market.holder({ coins: 1000n });
  const dexid = await market.list("auction", s, market.listing3(parties));
  let expected = auctioned(dexid, parties);
  assert.deepEqual(await market.listing(dexid), expected);
  for (const [index, bidder] of [b, c].entries()) {
    const price = String(100 + 5 * index);
    await accepted("bid", bidder, { dexid, amount: price });
    expected = {
      ...expected,
      auction_bid_count: index + 1,
      auction_current_price: price,
      auction_current_bidder: bidder.address,
      job_type: "mrc010_auctionbid",
    };
    assert.deepEqual(await market.listing(dexid), expected);
  }
  market.node.now += DAY + 5;
  assert.equal(said(await market.finish(dexid)), "200");
  assert.deepEqual(await market.listing(dexid), {
    ...expected,
    state: "sold",
    buyer: c.address,
    remain_amount: "0",
    sell_date: market.node.now,
    auction_settle_date: market.node.now,
    job_type: "mrc010_auctionwinning",
  });
});

test("tokens §8: the record of an auction: won by buy-now, cancelled, failed", async () => {
  const parties = await market.parties();
  const { s, b } = parties;
  const dexid = await market.list("auction", s, market.listing3(parties));
  const open = auctioned(dexid, parties);
  market.node.now += 10;
  await accepted("bid", b, { dexid, amount: "500" });
  assert.deepEqual(await market.listing(dexid), {
    ...open,
    state: "sold",
    buyer: b.address,
    remain_amount: "0",
    sell_date: market.node.now,
    auction_settle_date: market.node.now,
    auction_bid_count: 1,
    auction_current_price: "500",
    auction_current_bidder: b.address,
    job_type: "mrc010_auctionbuynow",
  });

  const change = { auction_bidding_unit: "", auction_buynow_price: "", platform_commission: "" };
  const plain = { auction_bidding_unit: "1", auction_buynow_price: "0", platform_commission: "0" };
  const params = market.listing3(parties, change);
  const cancelled = await market.list("auction", s, params);
  const failed = await market.list("auction", s, params);
  const [one, two] = [auctioned(cancelled, parties), auctioned(failed, parties)];
  await accepted("unauction", s, { dexid: cancelled });
  assert.deepEqual(await market.listing(cancelled), {
    ...one,
    ...plain,
    state: "cancelled",
    cancel_date: market.node.now,
    job_type: "mrc010_unauction",
  });
  market.node.now = two.auction_end_date;
  assert.equal(said(await market.finish(failed)), "200");
  assert.deepEqual(await market.listing(failed), {
    ...two,
    ...plain,
    state: "failed",
    auction_settle_date: market.node.now,
    job_type: "mrc010_auctionfailure",
  });
});

test("tokens §8: a unit that is not given is shown as 1, a listing is found with a trailing slash and after a restart", async () => {
  const parties = await market.parties();
  const params = market.listing1(parties, { min_trade_unit: "" });
  const dexid = await market.list("sell", parties.s, params);
  const { text, headers } = await market.node.get(`/token/dex/${dexid}/`);
  assert.equal((JSON.parse(text) as Listing).min_trade_unit, "1");
  assert.equal(headers.get("cache-control"), "no-store");
  assert.ok(headers.has("etag"));
  await market.node.restart();
  assert.equal((await market.node.get(`/token/dex/${dexid}`)).text, text);
});

const WORDS =
  "dex sell unsell buy reqsell unreqsell acceptreqsell auction unauction bid auctionfinish burn increase update";

for (const word of WORDS.split(" ")) {
  test(`tokens §1.4: /token/${word} is nobody's path: 9404, with and without a slash at the end`, async () => {
    for (const path of [`/token/${word}`, `/token/${word}/`]) {
      for (const method of ["GET", "POST", "PUT"]) {
        const answer = await market.node.request(path, { method });
        const isList = word === "dex" && method === "GET";
        assert.equal(saidCode(answer), isList ? "200" : "404 9404", `${method} ${path}`);
      }
    }
  });
}

test("conventions §3: the operations are known by POST only, the record and the list by GET only", async () => {
  const dexid = `DEX010_${"0".repeat(33)}`;
  for (const word of WORDS.split(" ").slice(1, 10)) {
    const { status, headers } = await market.node.get(`/token/${word}/7`);
    assert.equal(status, 405, word);
    assert.equal(headers.get("allow"), "POST");
  }
  assert.equal(saidCode(await market.node.post(`/token/dex/${dexid}`, {})), "405 9405");
  const { text } = await market.node.get("/openapi.json");
  const { paths } = parsed<{ paths: object }>({ text } as never);
  for (const word of WORDS.split(" ").slice(1, 10)) {
    const isListed = Object.keys(paths).some((path) => path.startsWith(`/token/${word}/{`));
    assert.ok(isListed, `openapi has /token/${word}/{id}`);
  }
});
