import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Address } from "@moneta/protocol";
import { assertRecords } from "../../testing/shown/expected-records.ts";
import { paymentsText } from "../../testing/shown/payments-text.ts";
import { auctionShown } from "../../testing/shown/token-listing-shown.ts";
import { TokenMarket } from "../../testing/trade/token-market.ts";

let market: TokenMarket;
/** The id of the gold that is traded for coins. */
let x: string;
let s: Address;
let b: Address;
let p: Address;
before(async () => {
  market = await TokenMarket.open();
  x = market.gold;
  s = await market.holder({ coins: 5000n, gold: 100_000n });
  b = await market.holder({ coins: 50_000n, gold: 50n });
  p = await market.holder({ coins: 7n, gold: 7n });
});
after(() => market[Symbol.dispose]());

const UNKNOWN_LISTING = `DEX010_${"0".repeat(33)}`;
const DAY = 86_400;

async function finishing(dexid: string): Promise<string> {
  return (await market.finish(dexid)).code;
}

for (const { bid, fee, sellers } of [
  { bid: "105", fee: "1", sellers: "104" },
  { bid: "100", fee: "0", sellers: "100" },
]) {
  test(`tokens §12: auctionfinish with a bid of ${bid}, fee ${fee}: M of the winner, A of the seller, A of a fee, L`, async () => {
    const isFee = fee !== "0";
    const params = market.listing3({ p }, isFee ? {} : { platform_commission: "0.5" });
    const dexid = await market.list("mrc010auction", s, params);
    await market.client.done("mrc010bid", b, { dexid, amount: bid });
    market.now += 86_400;
    const payments = paymentsText(
      ["mrc010_recv_item", dexid, b, "50", x, "traded"],
      ...(isFee ? [["mrc010_recv_fee_platform", dexid, p, fee, "0", "paid"] as const] : []),
      ["mrc010_recv_auction", dexid, s, sellers, "0", "paid"],
    );
    const toPlatform = [dexid, p, fee, "0", "", "0", "0", x, ""];
    assertRecords(
      market.client,
      await market.finish(dexid),
      [
        {
          type: "receive_mrc010item",
          of: b,
          parameters: [dexid, b, "0", "0", "", "0", "50", x, ""],
          moved: [x],
        },
        {
          type: "receive_mrc010auction",
          of: s,
          parameters: [dexid, s, sellers, "0", "", "0", "0", x, ""],
          moved: ["0"],
        },
        ...(isFee
          ? [{ type: "receive_mrc010fee", of: p, parameters: toPlatform, moved: ["0"] }]
          : []),
        {
          type: "mrc010_auctionwinning",
          of: dexid,
          parameters: [dexid, s, b, payments, x],
        },
      ],
      x,
    );
  });
}

test("tokens §12: auctionfinish without a bid: M of the seller, and L", async () => {
  const dexid = await market.list("mrc010auction", s, market.listing3({ p }));
  market.now += 86_400;
  const parameters = [dexid, s, "50", x];
  assertRecords(
    market.client,
    await market.finish(dexid),
    [
      { type: "mrc010auctionfailure", of: s, parameters, moved: [x] },
      { type: "mrc010_auctionfailure", of: dexid, parameters },
    ],
    x,
  );
});

test(`tokens §13 row 32: after row 30 auctionfinish at the end: P +1, S +104, B2 has the lot; again 7102`, async () => {
  const { s, b, b2, p, dexid, end } = await market.auctioned({ bids: ["100", "105"] });
  market.now = end;
  assert.equal(await finishing(dexid), "done");
  assert.equal(market.held(p), "1 coins, 0 gold");
  assert.equal(market.held(s), "104 coins, 0 gold");
  assert.equal(market.held(b2), "895 coins, 50 gold");
  assert.equal(market.held(b), "1000 coins, 0 gold");
  assert.equal(await finishing(dexid), "409 7102");
  const { state, buyer, sell_date, auction_settle_date } = market.listing(dexid);
  assert.deepEqual([state, buyer, sell_date, auction_settle_date], ["sold", b2, end, end]);
});

test("tokens §13 row 33: auctionfinish one second before the end 7201, a bid then is accepted", async () => {
  const { b, dexid, end } = await market.auctioned();
  market.now = end - 1;
  assert.equal(await finishing(dexid), "409 7201");
  assert.equal(await market.bid(b, dexid, "100"), "done");
  assert.equal(await finishing(dexid), "409 7201");
});

test("tokens §13 row 33: a bid at the end 7202; without a bid auctionfinish gives the lot back, failed", async () => {
  const { s, b, p, dexid, end } = await market.auctioned();
  market.now = end;
  assert.equal(await market.bid(b, dexid, "100"), "409 7202");
  assert.equal(await market.bid(b, dexid, "500"), "409 7202");
  assert.equal(await finishing(dexid), "done");
  assert.equal(market.held(s), "0 coins, 50 gold");
  assert.equal(market.held(p), "0 coins, 0 gold");
  const { state, buyer, sell_date, auction_settle_date } = market.listing(dexid);
  assert.deepEqual([state, buyer, sell_date, auction_settle_date], ["failed", "", 0, end]);
  assert.equal(await finishing(dexid), "409 7102");
  assert.equal(await market.bid(b, dexid, "100"), "409 7102");
  assert.equal((await market.send("mrc010unauction", s, { dexid })).code, "409 7102");
});

test("tokens §12: without a platform_address the seller gets the whole bid", async () => {
  const { s, b, dexid, end } = await market.auctioned({
    change: { platform_address: "" },
    bids: ["100"],
  });
  market.now = end + 1000;
  const answer = await market.finish(dexid);
  const { effects } = answer;
  assert.deepEqual(
    effects.map(({ type }) => type),
    ["receive_mrc010auction", "mrc010_auctionwinning"],
  );
  assert.equal(market.held(s), "100 coins, 0 gold");
  assert.equal(market.held(b), "900 coins, 50 gold");
});

test("tokens §12: auctionfinish: no listing 6004, no auction 7103, cancelled 7101 and settled 7102 also before the end", async () => {
  assert.equal(await finishing(UNKNOWN_LISTING), "404 6004");
  assert.equal(await finishing("DEX010_x"), "404 6004");
  const parties = await market.parties();
  const sale = await market.list("mrc010sell", parties.s, market.listing1(parties));
  assert.equal(await finishing(sale), "409 7103");
  const request = await market.list("mrc010reqsell", parties.b, market.listing1(parties));
  assert.equal(await finishing(request), "409 7103");
  assert.equal((await market.send("mrc010unsell", parties.s, { dexid: sale })).code, "done");
  assert.equal(await finishing(sale), "409 7103");
  const { dexid } = await market.auctioned({ bids: ["500"] });
  assert.equal(await finishing(dexid), "409 7102");
});

test("conventions §7.1: an auction that was over by the ledger time stays over when the clock is set back", async () => {
  const { s, b, dexid, end } = await market.auctioned();
  market.now = end;
  await market.holder();
  market.now = end - 100;
  assert.equal(await market.bid(b, dexid, "100"), "409 7202");
  assert.equal((await market.send("mrc010unauction", s, { dexid })).code, "409 7202");
  assert.equal(await finishing(dexid), "done");
  assert.equal(market.listing(dexid).auction_settle_date, end);
  market.now = end;
});

test("tokens §8: an auction that is over and not closed yet is open, with its bid in escrow", async () => {
  const { b, dexid, end } = await market.auctioned({ bids: ["100"] });
  market.now = end + 10 * DAY;
  assert.equal(market.listing(dexid).state, "open");
  assert.equal(market.held(b), "900 coins, 0 gold");
  assert.equal(await finishing(dexid), "done");
  const { sell_date, auction_end_date } = market.listing(dexid);
  assert.deepEqual([sell_date, auction_end_date], [market.now, end]);
});

test("tokens §8: the record of an auction: open, with bids, won at the end", async () => {
  const parties = await market.parties();
  const { s, b } = parties;
  const c = await market.holder({ coins: 1000n });
  const dexid = await market.list("mrc010auction", s, market.listing3(parties));
  let expected = auctionShown(market, dexid, parties);
  assert.deepEqual(market.listing(dexid), expected);
  for (const [index, bidder] of [b, c].entries()) {
    const price = String(100 + 5 * index);
    await market.client.done("mrc010bid", bidder, { dexid, amount: price });
    expected = {
      ...expected,
      auction_bid_count: index + 1,
      auction_current_price: price,
      auction_current_bidder: bidder,
      job_type: "mrc010_auctionbid",
    };
    assert.deepEqual(market.listing(dexid), expected);
  }
  market.now += DAY + 5;
  assert.equal((await market.finish(dexid)).said, "done");
  assert.deepEqual(market.listing(dexid), {
    ...expected,
    state: "sold",
    buyer: c,
    remain_amount: "0",
    sell_date: market.now,
    auction_settle_date: market.now,
    job_type: "mrc010_auctionwinning",
  });
});
