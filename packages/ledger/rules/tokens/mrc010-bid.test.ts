import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Address } from "@moneta/protocol";
import { assertRecords } from "../../testing/shown/expected-records.ts";
import { paymentsText } from "../../testing/shown/payments-text.ts";
import { auctionShown } from "../../testing/shown/token-listing-shown.ts";
import { createToken } from "../../testing/trade/creations.ts";
import { type Parties, TokenMarket } from "../../testing/trade/token-market.ts";

let market: TokenMarket;
let parties: Parties;
/** The id of the gold that is traded for coins. */
let x: string;
let s: Address;
let b: Address;
let b2: Address;
let p: Address;
before(async () => {
  market = await TokenMarket.open();
  parties = await market.parties({ gold: 1_000_000n, coins: 1_000_000n });
  x = market.gold;
  s = await market.holder({ coins: 5000n, gold: 100_000n });
  b = await market.holder({ coins: 50_000n, gold: 50n });
  b2 = await market.holder({ coins: 50_000n });
  p = await market.holder({ coins: 7n, gold: 7n });
});
after(() => market[Symbol.dispose]());

const UNKNOWN = "MTAlice00000000000000000000000005dc33c90";

const UNKNOWN_LISTING = `DEX010_${"0".repeat(33)}`;
const DAY = 86_400;

async function finishing(dexid: string): Promise<string> {
  return (await market.finish(dexid)).code;
}

test("tokens §12: the order in which bid refuses", async () => {
  const by = await market.holder({ coins: 300n, gold: 2000n });
  const { s } = parties;
  const terms = market.listing3(parties);
  const own = await market.list("mrc010sell", by, market.listing1(parties));
  const sale = await market.list("mrc010sell", s, market.listing1(parties));
  assert.equal((await market.send("mrc010unsell", s, { dexid: sale })).code, "done");
  const over = await market.list("mrc010auction", s, terms);
  const [cancelled, sold] = [
    await market.list("mrc010auction", s, terms),
    await market.list("mrc010auction", s, terms),
  ];
  assert.equal((await market.send("mrc010unauction", s, { dexid: cancelled })).code, "done");
  const bidding = async (dexid: string, amount: string, bidder = by): Promise<string> =>
    (await market.send("mrc010bid", bidder, { dexid, amount })).code;
  assert.equal(await bidding(sold, "500", parties.b), "done");
  assert.equal(await bidding(over, "100"), "done");
  market.now += DAY;
  const later = { ...terms, auction_start_date: String(market.now + 10) };
  const early = await market.list("mrc010auction", s, later);
  const [leading, open] = [
    await market.list("mrc010auction", s, terms),
    await market.list("mrc010auction", s, terms),
  ];
  assert.equal(await bidding(leading, "100"), "done");
  await market.mending("mrc010bid", by, [
    [{ dexid: UNKNOWN_LISTING, address: UNKNOWN, amount: "01" }, "400 1101"],
    [{ amount: "0" }, "400 1107"],
    [{ amount: "501", address: "MTx" }, "400 3190"],
    [{ address: UNKNOWN }, "404 6004"],
    [{ dexid: own }, "404 3090"],
    [{ address: by }, "key"],
    [{}, "400 3004"],
    [{ dexid: sale }, "409 7103"],
    [{ dexid: cancelled }, "409 7101"],
    [{ dexid: sold }, "409 7102"],
    [{ dexid: early }, "409 7203"],
    [{ dexid: over }, "409 7202"],
    [{ dexid: leading }, "409 7105"],
    [{ dexid: open }, "400 3004"],
    [{ amount: "300", dexid: leading }, "409 7105"],
    [{ dexid: open, amount: "499" }, "400 3004"],
    [{ amount: "105" }, "400 5000"],
  ]);
  assert.equal(await bidding(open, "100"), "done");
});

test("tokens §12: bid: M and L; a higher one has A of the refund, too", async () => {
  const dexid = await market.list("mrc010auction", s, market.listing3({ p }));
  const first = await market.client.done("mrc010bid", b, { dexid, amount: "100" });
  const firstBid = ["mrc010_bid", b, dexid, "100", "0", "paid"] as const;
  assertRecords(
    market.client,
    first,
    [
      {
        type: "transfer_mrc010bid",
        of: b,
        parameters: [b, dexid, "100", "0", first.signature, "0", "0", x, first.tkey],
        moved: ["0"],
      },
      {
        type: "mrc010_auctionbid",
        of: dexid,
        parameters: [dexid, s, b, paymentsText(firstBid), x],
      },
    ],
    x,
  );
  const answer = await market.client.done("mrc010bid", b2, { dexid, amount: "105" });
  const { signature: S, tkey } = answer;
  const payments = paymentsText(
    ["mrc010_recv_refund", dexid, b, "100", "0", "paid"],
    ["mrc010_bid", b2, dexid, "105", "0", "paid"],
  );
  assertRecords(
    market.client,
    answer,
    [
      {
        type: "transfer_mrc010bid",
        of: b2,
        parameters: [b2, dexid, "105", "0", S, "0", "0", x, tkey],
        moved: ["0"],
      },
      {
        type: "receive_mrc010refund",
        of: b,
        parameters: [dexid, b, "100", "0", S, "0", "0", x, tkey],
        moved: ["0"],
      },
      {
        type: "mrc010_auctionbid",
        of: dexid,
        parameters: [dexid, s, b2, payments, x],
      },
    ],
    x,
  );
});

for (const { what, earlier } of [
  { what: "as the first bid", earlier: [] },
  { what: "after a bid of another", earlier: ["b2"] },
  { what: "after an own bid", earlier: ["b"] },
] as const) {
  test(`tokens §12: a bid of the buy-now price ${what}: M with the lot, A of refund, seller and platform, L`, async () => {
    const dexid = await market.list("mrc010auction", s, market.listing3({ p }));
    const refunded = earlier[0] === undefined ? undefined : { b, b2 }[earlier[0]];
    if (refunded !== undefined) {
      await market.client.done("mrc010bid", refunded, { dexid, amount: "100" });
    }
    const answer = await market.client.done("mrc010bid", b, { dexid, amount: "500" });
    const { signature: S, tkey } = answer;
    const back = refunded ?? "";
    const isBack = refunded !== undefined;
    const payments = paymentsText(
      ...(isBack ? [["mrc010_recv_refund", dexid, back, "100", "0", "paid"] as const] : []),
      ["mrc010_bid", b, dexid, "500", "0", "paid"],
      ["mrc010_recv_item", dexid, b, "50", x, "traded"],
      ["mrc010_recv_fee_platform", dexid, p, "5", "0", "paid"],
      ["mrc010_recv_auction", dexid, s, "495", "0", "paid"],
    );
    assertRecords(
      market.client,
      answer,
      [
        {
          type: "transfer_mrc010bid",
          of: b,
          parameters: [b, dexid, "500", "0", S, "0", "50", x, tkey],
          moved: ["0", x],
        },
        ...(isBack
          ? [
              {
                type: "receive_mrc010refund",
                of: refunded,
                parameters: [dexid, back, "100", "0", S, "0", "0", x, tkey],
                moved: refunded === b ? ["0", x] : ["0"],
              },
            ]
          : []),
        {
          type: "receive_mrc010auction",
          of: s,
          parameters: [dexid, s, "495", "0", S, "0", "0", x, tkey],
          moved: ["0"],
        },
        {
          type: "receive_mrc010fee",
          of: p,
          parameters: [dexid, p, "5", "0", S, "0", "0", x, tkey],
          moved: ["0"],
        },
        {
          type: "mrc010_auctionbuynow",
          of: dexid,
          parameters: [dexid, s, b, payments, x],
        },
      ],
      x,
    );
  });
}

test("tokens §13 row 29: bids of 99 and 102 are 3004, 100 by B1 is accepted, 100 by B2 is 3004", async () => {
  const { b, b2, dexid } = await market.auctioned();
  assert.equal(await market.bid(b, dexid, "99"), "400 3004");
  assert.equal(await market.bid(b, dexid, "102"), "400 3004");
  assert.equal(await market.bid(b, dexid, "100"), "done");
  assert.equal(await market.bid(b2, dexid, "100"), "400 3004");
  assert.equal(market.held(b), "900 coins, 0 gold");
  assert.equal(market.held(b2), "1000 coins, 0 gold");
});

test("tokens §13 row 30: then B1 bids 105: 7105; B2 bids 105: accepted, and B1 has its 100 back", async () => {
  const { b, b2, dexid } = await market.auctioned({ bids: ["100"] });
  assert.equal(await market.bid(b, dexid, "105"), "409 7105");
  const answer = await market.send("mrc010bid", b2, { dexid, amount: "105" });
  const { effects } = answer;
  assert.deepEqual(
    effects.map(({ type, address }) => [type, address]),
    [
      ["receive_mrc010refund", b],
      ["mrc010_auctionbid", ""],
    ],
  );
  assert.equal(market.held(b), "1000 coins, 0 gold");
  assert.equal(market.held(b2), "895 coins, 0 gold");
});

test("tokens §13 row 31: then B1 bids 501: 3004; 500 wins at once", async () => {
  const { s, b, b2, p, dexid } = await market.auctioned({ bids: ["100", "105"] });
  assert.equal(await market.bid(b, dexid, "501"), "400 3004");
  assert.equal(await market.bid(b, dexid, "500"), "done");
  assert.equal(market.held(b2), "1000 coins, 0 gold");
  assert.equal(market.held(p), "5 coins, 0 gold");
  assert.equal(market.held(s), "495 coins, 0 gold");
  assert.equal(market.held(b), "500 coins, 50 gold");
  const { state, buyer, sell_date, auction_settle_date } = market.listing(dexid);
  assert.deepEqual([state, buyer], ["sold", b]);
  assert.deepEqual([sell_date, auction_settle_date], [market.now, market.now]);
  assert.equal(await market.bid(b2, dexid, "500"), "409 7102");
  assert.equal(await finishing(dexid), "409 7102");
});

test("tokens §12: a bid before the start is 7203, at the start it is accepted", async () => {
  const { now } = market;
  const change = { auction_start_date: String(now + 100) };
  const { b, s, dexid, start } = await market.auctioned({ change });
  assert.equal(start, now + 100);
  market.now = start - 1;
  assert.equal(await market.bid(b, dexid, "100"), "409 7203");
  assert.equal(await finishing(dexid), "409 7201");
  market.now = start;
  assert.equal(await market.bid(b, dexid, "100"), "done");
  assert.equal((await market.send("mrc010unauction", s, { dexid })).code, "409 7104");
});

test("tokens §12: bids are the start price plus a whole multiple of the unit, above the current bid, whoever bids", async () => {
  const { b, b2, dexid } = await market.auctioned({ bids: ["125"] });
  for (const amount of ["100", "120", "125", "126", "129"]) {
    assert.equal(await market.bid(b2, dexid, amount), "400 3004", amount);
  }
  assert.equal(await market.bid(b2, dexid, "130"), "done");
  assert.equal(await market.bid(b, dexid, "495"), "done");
  const { auction_bid_count, auction_current_price, auction_current_bidder } =
    market.listing(dexid);
  assert.deepEqual(
    [auction_bid_count, auction_current_price, auction_current_bidder],
    [3, "495", b],
  );
});

test("tokens §12: the unit is 1 and there is no buy-now price unless they are given", async () => {
  const change = { auction_bidding_unit: "", auction_buynow_price: "" };
  const { b, b2, dexid } = await market.auctioned({ change, bids: ["100", "101"] });
  assert.equal(await market.bid(b, dexid, "1000"), "done");
  assert.equal(market.listing(dexid).state, "open");
  assert.equal(market.held(b2), "1000 coins, 0 gold");
});

test("tokens §12: a buy-now price beside the steps can be bid, and the first bid may be it", async () => {
  const { b, s, dexid } = await market.auctioned({ change: { auction_buynow_price: "503" } });
  assert.equal(await market.bid(b, dexid, "503"), "done");
  assert.equal(market.held(b), "497 coins, 50 gold");
  assert.equal(market.held(s), "498 coins, 0 gold");
});

for (const { coins, answer } of [
  { coins: 499n, answer: "400 5000" },
  { coins: 500n, answer: "done" },
]) {
  test(`tokens §12: the highest bidder of 100, with ${coins} in all, bids the buy-now price: ${answer}`, async () => {
    const { dexid } = await market.auctioned();
    const bidder = await market.holder({ coins });
    assert.equal(await market.bid(bidder, dexid, "100"), "done");
    assert.equal(await market.bid(bidder, dexid, "500"), answer);
    const held = answer === "done" ? "0 coins, 50 gold" : "399 coins, 0 gold";
    assert.equal(market.held(bidder), held);
  });
}

test("tokens §12: a bid above what the bidder can spend is 5000, what is locked included", async () => {
  const { dexid } = await market.auctioned();
  const poor = await market.holder({ coins: 99n });
  await market.client.pay(poor, 100n, { unlockdate: market.now + DAY });
  assert.equal(await market.bid(poor, dexid, "100"), "400 5000");
  await market.client.pay(poor, 1n);
  assert.equal(await market.bid(poor, dexid, "100"), "done");
});

test("tokens §12: the platform may bid and win", async () => {
  const { s, p, dexid } = await market.auctioned();
  await market.client.pay(p, 500n);
  assert.equal(await market.bid(p, dexid, "500"), "done");
  assert.equal(market.held(p), "5 coins, 50 gold");
  assert.equal(market.held(s), "495 coins, 0 gold");
});

test("tokens §12: the native coin can be put up, for a token; bids of 10^40 are possible", async () => {
  const seller = await market.holder({ coins: 10n });
  const bidder = await market.holder();
  const y = await createToken(market.client, bidder, { totalsupply: String(10n ** 40n) });
  const dexid = await market.list("mrc010auction", seller, {
    mrc010id: "0",
    amount: "10",
    token: y,
    auction_start_price: "1",
  });
  assert.equal(await market.bid(bidder, dexid, String(10n ** 40n + 1n)), "400 1101");
  assert.equal(await market.bid(bidder, dexid, String(10n ** 40n)), "done");
  market.now = market.listing(dexid).auction_end_date;
  assert.equal(await finishing(dexid), "done");
  assert.equal(market.client.held(bidder), "10");
  assert.equal(market.client.held(seller), "0");
  assert.equal(market.client.held(seller, y), String(10n ** 40n));
});

test("tokens §8: the record of an auction: won by buy-now, cancelled, failed", async () => {
  const parties = await market.parties();
  const { s, b } = parties;
  const dexid = await market.list("mrc010auction", s, market.listing3(parties));
  const open = auctionShown(market, dexid, parties);
  market.now += 10;
  await market.client.done("mrc010bid", b, { dexid, amount: "500" });
  assert.deepEqual(market.listing(dexid), {
    ...open,
    state: "sold",
    buyer: b,
    remain_amount: "0",
    sell_date: market.now,
    auction_settle_date: market.now,
    auction_bid_count: 1,
    auction_current_price: "500",
    auction_current_bidder: b,
    job_type: "mrc010_auctionbuynow",
  });

  const change = { auction_bidding_unit: "", auction_buynow_price: "", platform_commission: "" };
  const plain = { auction_bidding_unit: "1", auction_buynow_price: "0", platform_commission: "0" };
  const params = market.listing3(parties, change);
  const cancelled = await market.list("mrc010auction", s, params);
  const failed = await market.list("mrc010auction", s, params);
  const [one, two] = [
    auctionShown(market, cancelled, parties),
    auctionShown(market, failed, parties),
  ];
  await market.client.done("mrc010unauction", s, { dexid: cancelled });
  assert.deepEqual(market.listing(cancelled), {
    ...one,
    ...plain,
    state: "cancelled",
    cancel_date: market.now,
    job_type: "mrc010_unauction",
  });
  market.now = two.auction_end_date;
  assert.equal((await market.finish(failed)).said, "done");
  assert.deepEqual(market.listing(failed), {
    ...two,
    ...plain,
    state: "failed",
    auction_settle_date: market.now,
    job_type: "mrc010_auctionfailure",
  });
});
