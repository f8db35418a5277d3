import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { Market, type Parties } from "../testing/market.ts";
import { type KeyHolder, type Params, saidCode, transactionIdOf } from "../testing/test-node.ts";

// Rows 29 to 34 of tokens §13, and what else §12 says of bids and time. After each of them row 36 holds.

const DAY = 86_400;
const UNKNOWN_LISTING = `DEX010_${"0".repeat(33)}`;

let market: Market;
before(async () => {
  market = await Market.open();
});
after(() => market[Symbol.asyncDispose]());
afterEach(() => market.assertConserved());

interface Auctioned extends Parties {
  /** B1 and B2 of the examples; B1 is `b`. */
  readonly b2: KeyHolder;
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
  const dexid = await market.list("auction", parties.s, market.listing3(parties, change));
  const { auction_start_date: start, auction_end_date: end } = await market.listing(dexid);
  for (const [index, amount] of bids.entries()) {
    assert.equal(await bidding(index % 2 === 0 ? parties.b : b2, dexid, amount), "200");
  }
  return { ...parties, b2, dexid, start, end };
}

async function bidding(by: KeyHolder, dexid: string, amount: string): Promise<string> {
  return saidCode(await market.send("bid", by, { dexid, amount }));
}

async function finishing(dexid: string, method: "GET" | "POST" = "POST"): Promise<string> {
  return saidCode(await market.finish(dexid, method));
}

test("tokens §12: an auction takes the lot into escrow, and not what is locked", async () => {
  const { s, b, p } = await market.parties({ gold: 49n });
  const unlockdate = market.node.now + DAY;
  await market.pay(market.issuer, s, 50n, { unlockdate });
  const auction = (): Promise<string> =>
    market.send("auction", s, market.listing3({ p })).then(saidCode);
  assert.equal(await auction(), "400 5000");
  await market.pay(market.issuer, s, 1n);
  assert.equal(await auction(), "200");
  assert.equal(await market.held(s), `0 coins, 0 + 50@${unlockdate} gold`);
  assert.equal(await market.held(b), "1000 coins, 0 gold");
});

test("tokens §13 row 29: bids of 99 and 102 are 3004, 100 by B1 is accepted, 100 by B2 is 3004", async () => {
  const { b, b2, dexid } = await auctioned();
  assert.equal(await bidding(b, dexid, "99"), "400 3004");
  assert.equal(await bidding(b, dexid, "102"), "400 3004");
  assert.equal(await bidding(b, dexid, "100"), "200");
  assert.equal(await bidding(b2, dexid, "100"), "400 3004");
  assert.equal(await market.held(b), "900 coins, 0 gold");
  assert.equal(await market.held(b2), "1000 coins, 0 gold");
});

test("tokens §13 row 30: then B1 bids 105: 7105; B2 bids 105: accepted, and B1 has its 100 back", async () => {
  const { b, b2, dexid } = await auctioned({ bids: ["100"] });
  assert.equal(await bidding(b, dexid, "105"), "409 7105");
  const answer = await market.send("bid", b2, { dexid, amount: "105" });
  const { effects } = await market.node.transaction(transactionIdOf(answer));
  assert.deepEqual(
    effects.map(({ type, address }) => [type, address]),
    [
      ["receive_mrc010refund", b.address],
      ["mrc010_auctionbid", ""],
    ],
  );
  assert.equal(await market.held(b), "1000 coins, 0 gold");
  assert.equal(await market.held(b2), "895 coins, 0 gold");
});

test("tokens §13 row 31: then B1 bids 501: 3004; 500 wins at once", async () => {
  const { s, b, b2, p, dexid } = await auctioned({ bids: ["100", "105"] });
  assert.equal(await bidding(b, dexid, "501"), "400 3004");
  assert.equal(await bidding(b, dexid, "500"), "200");
  assert.equal(await market.held(b2), "1000 coins, 0 gold");
  assert.equal(await market.held(p), "5 coins, 0 gold");
  assert.equal(await market.held(s), "495 coins, 0 gold");
  assert.equal(await market.held(b), "500 coins, 50 gold");
  const { state, buyer, sell_date, auction_settle_date } = await market.listing(dexid);
  assert.deepEqual([state, buyer], ["sold", b.address]);
  assert.deepEqual([sell_date, auction_settle_date], [market.node.now, market.node.now]);
  assert.equal(await bidding(b2, dexid, "500"), "409 7102");
  assert.equal(await finishing(dexid), "409 7102");
});

for (const method of ["GET", "POST"] as const) {
  test(`tokens §13 row 32: after row 30 ${method} auctionfinish at the end: P +1, S +104, B2 has the lot; again 7102`, async () => {
    const { s, b, b2, p, dexid, end } = await auctioned({ bids: ["100", "105"] });
    market.node.now = end;
    assert.equal(await finishing(dexid, method), "200");
    assert.equal(await market.held(p), "1 coins, 0 gold");
    assert.equal(await market.held(s), "104 coins, 0 gold");
    assert.equal(await market.held(b2), "895 coins, 50 gold");
    assert.equal(await market.held(b), "1000 coins, 0 gold");
    assert.equal(await finishing(dexid, "GET"), "409 7102");
    assert.equal(await finishing(dexid, "POST"), "409 7102");
    const { state, buyer, sell_date, auction_settle_date } = await market.listing(dexid);
    assert.deepEqual(
      [state, buyer, sell_date, auction_settle_date],
      ["sold", b2.address, end, end],
    );
  });
}

test("tokens §13 row 33: auctionfinish one second before the end 7201, a bid then is accepted", async () => {
  const { b, dexid, end } = await auctioned();
  market.node.now = end - 1;
  assert.equal(await finishing(dexid), "409 7201");
  assert.equal(await bidding(b, dexid, "100"), "200");
  assert.equal(await finishing(dexid), "409 7201");
});

test("tokens §13 row 33: a bid at the end 7202; without a bid auctionfinish gives the lot back, failed", async () => {
  const { s, b, p, dexid, end } = await auctioned();
  market.node.now = end;
  assert.equal(await bidding(b, dexid, "100"), "409 7202");
  assert.equal(await bidding(b, dexid, "500"), "409 7202");
  assert.equal(await finishing(dexid), "200");
  assert.equal(await market.held(s), "0 coins, 50 gold");
  assert.equal(await market.held(p), "0 coins, 0 gold");
  const { state, buyer, sell_date, auction_settle_date } = await market.listing(dexid);
  assert.deepEqual([state, buyer, sell_date, auction_settle_date], ["failed", "", 0, end]);
  assert.equal(await finishing(dexid), "409 7102");
  assert.equal(await bidding(b, dexid, "100"), "409 7102");
  assert.equal(saidCode(await market.send("unauction", s, { dexid })), "409 7102");
});

test("tokens §13 row 34: unauction without a bidder gives the lot back; then all is 7101", async () => {
  const { s, b, dexid, end } = await auctioned();
  market.node.now = end - 1;
  assert.equal(saidCode(await market.send("unauction", s, { dexid })), "200");
  assert.equal(await market.held(s), "0 coins, 50 gold");
  const { state, cancel_date, auction_settle_date } = await market.listing(dexid);
  assert.deepEqual([state, cancel_date, auction_settle_date], ["cancelled", end - 1, 0]);
  assert.equal(saidCode(await market.send("unauction", s, { dexid })), "409 7101");
  assert.equal(await bidding(b, dexid, "100"), "409 7101");
  assert.equal(await finishing(dexid), "409 7101");
  market.node.now = end;
  assert.equal(await finishing(dexid), "409 7101");
  assert.equal(await market.held(s), "0 coins, 50 gold");
});

test("tokens §13 row 34: unauction with a bidder is 7104, after the end too; after the end without 7202", async () => {
  const one = await auctioned({ bids: ["100"] });
  assert.equal(saidCode(await market.send("unauction", one.s, { dexid: one.dexid })), "409 7104");
  const two = await auctioned();
  market.node.now = Math.max(one.end, two.end);
  assert.equal(saidCode(await market.send("unauction", one.s, { dexid: one.dexid })), "409 7104");
  assert.equal(saidCode(await market.send("unauction", two.s, { dexid: two.dexid })), "409 7202");
});

test("tokens §12: a bid before the start is 7203, at the start it is accepted", async () => {
  const { now } = market.node;
  const change = { auction_start_date: String(now + 100) };
  const { b, s, dexid, start } = await auctioned({ change });
  assert.equal(start, now + 100);
  market.node.now = start - 1;
  assert.equal(await bidding(b, dexid, "100"), "409 7203");
  assert.equal(await finishing(dexid), "409 7201");
  market.node.now = start;
  assert.equal(await bidding(b, dexid, "100"), "200");
  assert.equal(saidCode(await market.send("unauction", s, { dexid })), "409 7104");
});

test("tokens §12: an auction that has not begun can be cancelled", async () => {
  const change = { auction_start_date: String(market.node.now + 100) };
  const { s, dexid } = await auctioned({ change });
  assert.equal(saidCode(await market.send("unauction", s, { dexid })), "200");
  assert.equal(await market.held(s), "0 coins, 50 gold");
});

test("tokens §12: bids are the start price plus a whole multiple of the unit, above the current bid, whoever bids", async () => {
  const { b, b2, dexid } = await auctioned({ bids: ["125"] });
  for (const amount of ["100", "120", "125", "126", "129"]) {
    assert.equal(await bidding(b2, dexid, amount), "400 3004", amount);
  }
  assert.equal(await bidding(b2, dexid, "130"), "200");
  assert.equal(await bidding(b, dexid, "495"), "200");
  const { auction_bid_count, auction_current_price, auction_current_bidder } =
    await market.listing(dexid);
  assert.deepEqual(
    [auction_bid_count, auction_current_price, auction_current_bidder],
    [3, "495", b.address],
  );
});

test("tokens §12: the unit is 1 and there is no buy-now price unless they are given", async () => {
  const change = { auction_bidding_unit: "", auction_buynow_price: "" };
  const { b, b2, dexid } = await auctioned({ change, bids: ["100", "101"] });
  assert.equal(await bidding(b, dexid, "1000"), "200");
  assert.equal((await market.listing(dexid)).state, "open");
  assert.equal(await market.held(b2), "1000 coins, 0 gold");
});

test("tokens §12: a buy-now price beside the steps can be bid, and the first bid may be it", async () => {
  const { b, s, dexid } = await auctioned({ change: { auction_buynow_price: "503" } });
  assert.equal(await bidding(b, dexid, "503"), "200");
  assert.equal(await market.held(b), "497 coins, 50 gold");
  assert.equal(await market.held(s), "498 coins, 0 gold");
});

for (const { coins, answer } of [
  { coins: 499n, answer: "400 5000" },
  { coins: 500n, answer: "200" },
]) {
  test(`tokens §12: the highest bidder of 100, with ${coins} in all, bids the buy-now price: ${answer}`, async () => {
    const { dexid } = await auctioned();
    const bidder = await market.holder({ coins });
    assert.equal(await bidding(bidder, dexid, "100"), "200");
    assert.equal(await bidding(bidder, dexid, "500"), answer);
    const held = answer === "200" ? "0 coins, 50 gold" : "399 coins, 0 gold";
    assert.equal(await market.held(bidder), held);
  });
}

test("tokens §12: a bid above what the bidder can spend is 5000, what is locked included", async () => {
  const { dexid } = await auctioned();
  const poor = await market.holder({ coins: 99n });
  await market.node.pay(poor, 100n, { unlockdate: market.node.now + DAY });
  assert.equal(await bidding(poor, dexid, "100"), "400 5000");
  await market.node.pay(poor, 1n);
  assert.equal(await bidding(poor, dexid, "100"), "200");
});

test("tokens §12: the platform may bid and win", async () => {
  const { s, p, dexid } = await auctioned();
  await market.node.pay(p, 500n);
  assert.equal(await bidding(p, dexid, "500"), "200");
  assert.equal(await market.held(p), "5 coins, 50 gold");
  assert.equal(await market.held(s), "495 coins, 0 gold");
});

test("tokens §12: without a platform_address the seller gets the whole bid", async () => {
  const { s, b, dexid, end } = await auctioned({ change: { platform_address: "" }, bids: ["100"] });
  market.node.now = end + 1000;
  const answer = await market.finish(dexid);
  const { effects } = await market.node.transaction(transactionIdOf(answer));
  assert.deepEqual(
    effects.map(({ type }) => type),
    ["receive_mrc010auction", "mrc010_auctionwinning"],
  );
  assert.equal(await market.held(s), "100 coins, 0 gold");
  assert.equal(await market.held(b), "900 coins, 50 gold");
});

test("tokens §12: auctionfinish: no listing 6004, no auction 7103, cancelled 7101 and settled 7102 also before the end", async () => {
  assert.equal(await finishing(UNKNOWN_LISTING), "404 6004");
  assert.equal(await finishing("DEX010_x", "GET"), "404 6004");
  const parties = await market.parties();
  const sale = await market.list("sell", parties.s, market.listing1(parties));
  assert.equal(await finishing(sale), "409 7103");
  const request = await market.list("reqsell", parties.b, market.listing1(parties));
  assert.equal(await finishing(request), "409 7103");
  assert.equal(saidCode(await market.send("unsell", parties.s, { dexid: sale })), "200");
  assert.equal(await finishing(sale), "409 7103");
  const { dexid } = await auctioned({ bids: ["500"] });
  assert.equal(await finishing(dexid), "409 7102");
});

test("conventions §2.5: auctionfinish is a write by GET and POST: not stored, no temporary key; HEAD and others are 405", async () => {
  const { dexid, end } = await auctioned({ bids: ["100"] });
  const path = `/token/auctionfinish/${dexid}`;
  market.node.now = end;
  for (const method of ["HEAD", "PUT", "DELETE", "PATCH"]) {
    const { status, headers } = await market.node.request(path, { method });
    assert.equal(status, 405, method);
    assert.deepEqual(headers.get("allow")?.split(", ").sort().includes("HEAD"), false);
    assert.match(headers.get("allow") ?? "", /GET/);
    assert.match(headers.get("allow") ?? "", /POST/);
  }
  assert.equal(saidCode(await market.node.get(`${path}?dexid=${UNKNOWN_LISTING}`)), "400 1005");
  assert.equal(saidCode(await market.node.post(path, { dexid: "x" })), "400 1005");
  assert.equal((await market.listing(dexid)).state, "open");
  const height = await market.node.height();
  const { headers, text, status } = await market.node.get(`${path}/`, { "If-None-Match": "*" });
  assert.equal(status, 200, text);
  assert.equal(headers.get("cache-control"), "no-store");
  assert.equal(headers.has("etag"), false);
  assert.equal(headers.has("replay-nonce"), false);
  assert.equal(headers.get("ledger-height"), String(height + 1));
  const transaction_id = headers.get("transaction-id");
  assert.deepEqual(JSON.parse(text), { transaction_id, txid: transaction_id });
});

test("conventions §7.1: an auction that was over by the ledger time stays over when the clock is set back", async () => {
  const { s, b, dexid, end } = await auctioned();
  market.node.now = end;
  await market.holder();
  market.node.now = end - 100;
  assert.equal(await bidding(b, dexid, "100"), "409 7202");
  assert.equal(saidCode(await market.send("unauction", s, { dexid })), "409 7202");
  assert.equal(await finishing(dexid), "200");
  assert.equal((await market.listing(dexid)).auction_settle_date, end);
  market.node.now = end;
});

test("tokens §8: an auction that is over and not closed yet is open, with its bid in escrow", async () => {
  const { b, dexid, end } = await auctioned({ bids: ["100"] });
  market.node.now = end + 10 * DAY;
  assert.equal((await market.listing(dexid)).state, "open");
  assert.equal(await market.held(b), "900 coins, 0 gold");
  await market.assertConserved();
  assert.equal(await finishing(dexid), "200");
  const { sell_date, auction_end_date } = await market.listing(dexid);
  assert.deepEqual([sell_date, auction_end_date], [market.node.now, end]);
});

test("tokens §12: the native coin can be put up, for a token; bids of 10^40 are possible", async () => {
  const seller = await market.holder({ coins: 10n });
  const bidder = await market.holder();
  const y = await market.issue(bidder, String(10n ** 40n));
  const dexid = await market.list("auction", seller, {
    mrc010id: "0",
    amount: "10",
    token: y,
    auction_start_price: "1",
  });
  assert.equal(await bidding(bidder, dexid, String(10n ** 40n + 1n)), "400 1101");
  assert.equal(await bidding(bidder, dexid, String(10n ** 40n)), "200");
  market.node.now = (await market.listing(dexid)).auction_end_date;
  assert.equal(await finishing(dexid), "200");
  assert.deepEqual(await market.node.balances(bidder), ["0: 10"]);
  assert.deepEqual(await market.node.balances(seller), ["0: 0", `${y}: ${10n ** 40n}`]);
});
