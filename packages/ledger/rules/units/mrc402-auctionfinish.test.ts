import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import type { Address } from "@moneta/protocol";
import type { Answer } from "../../testing/answer.ts";
import type { Element } from "../../testing/trade/creations.ts";
import { NO_UNIT_ITEM, NO_UNIT_LISTING, UNIT_AUCTION_MIN } from "../../testing/trade/unit-terms.ts";
import { UnitTrade } from "../../testing/trade/unit-trade.ts";

let trade: UnitTrade;
let o: Address;
let s: Address;
let m: Address;
let a: Address;
let b: Address;
let d: Address;
beforeEach(async () => {
  trade = await UnitTrade.open({ tokens: 9 });
  ({ o, seller: s, maker: m, a, b, d } = trade.cast);
});
afterEach(() => trade[Symbol.dispose]());

/** The U of row 51, of which A has put 5 units on auction as in row 49, and what was bid. */
async function row49(
  bids: readonly (readonly [Address, string])[] = [],
  { terms = {}, lot = {} }: { terms?: Element; lot?: Record<string, string> } = {},
): Promise<{ u: string; dexid: string }> {
  const rates = { creatorcommission: "2.5", sell_fee: "10", totalsupply: "5" };
  const u = await trade.u({ ...rates, ...terms }, { a: 5 });
  return { u, dexid: await trade.lot(a, u, lot, bids) };
}

test("mrc402 §18 row 52: after D's 105 of 50, rates of 51, at the end: bid 7202; auctionfinish: O 10, C 2, seller 93, D +5 units; again 7102, by item id 7106", async () => {
  const { u, dexid } = await row49([
    [b, "100"],
    [d, "105"],
  ]);
  trade.untilEnd(dexid);
  const { now } = trade;
  for (const id of [dexid, u]) {
    assert.equal((await trade.bid(b, id, "110")).outcome, "409 7202");
  }
  assert.equal(
    (await trade.finish(dexid)).outcome,
    "done: a +93, o +10, maker +2, a -5 on auction, d +5 units",
  );
  trade.assertListing(dexid, {
    state: "sold",
    buyer: d,
    remain_amount: "0",
    sell_date: now,
    auction_settle_date: now,
  });
  trade.assertItem(u, {
    owner: d,
    last_trade_date: now,
    last_trade_amount: "105",
    last_trade_type: "Auction",
  });
  assert.equal((await trade.finish(dexid)).outcome, "409 7102");
  assert.equal((await trade.finish(u)).outcome, "409 7106");
  assert.equal((await trade.bid(b, dexid, "110")).outcome, "409 7102");
  assert.equal((await trade.unauction(a, dexid)).outcome, "409 7102");
});

for (const by of ["item", "listing"] as const) {
  test(`mrc402 §18 row 53: auctionfinish by ${by} one second early: 7201; with no bid at the end: seller +5 units, failed`, async () => {
    const { u, dexid } = await row49();
    const item = trade.record(u);
    const finish = () => trade.finish(by === "item" ? u : dexid);
    trade.untilEnd(dexid);
    trade.now -= 1;
    assert.equal((await finish()).outcome, "409 7201");
    trade.now += 1;
    assert.equal((await finish()).outcome, "done: a +5 units, a -5 on auction");
    trade.assertListing(dexid, {
      state: "failed",
      buyer: "",
      remain_amount: "5",
      sell_date: 0,
      cancel_date: 0,
      auction_settle_date: trade.now,
    });
    const { last_trade_date, last_trade_type } = trade.record(u);
    assert.deepEqual([last_trade_date, last_trade_type], [0, ""]);
    trade.assertItem(u, { owner: item.owner, auction_count: 0, auction_dexid: "" });
    assert.equal((await finish()).outcome, by === "item" ? "409 7106" : "409 7102");
  });
}

test("mrc402 §2.4: an auction made Bound without a bidder can be cancelled, and fails at its end", async () => {
  const terms = { transferable: "Temporary", totalsupply: "10" };
  const u = await trade.u(terms, { a: 10 });
  const [first, second] = [await trade.lot(a, u), await trade.lot(a, u)];
  await trade.bind(u);
  const back = "done: a +5 units, a -5 on auction";
  assert.equal((await trade.unauction(a, first)).outcome, back);
  trade.untilEnd(second);
  assert.equal((await trade.finish(second)).outcome, back);
});

test("mrc402 §18 row 59: two auctions of X past their end, T-5 and T-9; auctionfinish by item id twice, then again: T-9, then T-5, then 7106", async () => {
  const x = await trade.x({}, { a: 15, b: 5 });
  const ends = (after: number) => ({
    auction_end_date: String(trade.now + UNIT_AUCTION_MIN + after),
  });
  const later = await trade.lot(a, x, ends(4));
  const earlier = await trade.lot(b, x, ends(0));
  const [first, second] = [await trade.lot(a, x, ends(10)), await trade.lot(a, x, ends(10))];
  trade.now += UNIT_AUCTION_MIN + 9;
  assert.equal((await trade.finish(x)).outcome, "done: b +5 units, b -5 on auction");
  trade.assertListing(earlier, { state: "failed" });
  const back = "done: a +5 units, a -5 on auction";
  assert.equal((await trade.finish(x)).outcome, back);
  trade.assertListing(later, { state: "failed" });
  assert.equal((await trade.finish(x)).outcome, "409 7201");
  trade.now += 1;
  for (const dexid of [first, second]) {
    assert.equal((await trade.finish(x)).outcome, back);
    trade.assertListing(dexid, { state: "failed" });
  }
  assert.equal((await trade.finish(x)).outcome, "409 7106");
});

// The lists of checks, in the order in which they answer.

test("mrc402 §17: what auctionfinish refuses", async () => {
  const e = await trade.newcomer("e", 1000n);
  const { sale, cancelled, settled, open, over } = await trade.obstacles(e);
  const idle = await trade.x();
  const running = await trade.x({}, { a: 5 });
  await trade.lot(a, running);
  for (const [id, answer] of [
    [NO_UNIT_LISTING, "404 6004"],
    [NO_UNIT_ITEM, "404 6004"],
    ["DEX402_x", "404 6004"],
    ["sell", "404 6004"],
    [trade.cast.project, "404 6004"],
    [idle, "409 7106"],
    [sale, "409 7103"],
    [cancelled, "409 7101"],
    [settled, "409 7102"],
    [open, "409 7201"],
    [running, "409 7201"],
  ] as const) {
    assert.equal((await trade.finish(id)).outcome, answer, id);
  }
  assert.equal((await trade.finish(over)).code, "done");
});

test("mrc402 §2.3: an agent's auction is won: the creator is paid; the bidder may be the agent, not the creator", async () => {
  const u = await trade.u({ sell_fee: "10", totalsupply: "5" });
  const dexid = await trade.lot(s, u);
  trade.assertListing(dexid, { seller: m, agent: s });
  assert.equal((await trade.bid(m, dexid, "100")).outcome, "400 3004");
  assert.equal((await trade.bid(s, dexid, "100")).outcome, "done: seller -100");
  trade.untilEnd(dexid);
  const moved = "seller +5 units, maker -5 on auction";
  const finish = (): Promise<Answer> => trade.finish(dexid);
  assert.equal((await finish()).outcome, `done: o +10, maker +90, ${moved}`);
});

test("mrc402 §17: the MRC400 owner wins, and gets its fee", async () => {
  const { dexid } = await row49([[o, "100"]]);
  trade.untilEnd(dexid);
  const moved = "a -5 on auction, o +5 units";
  assert.equal((await trade.finish(dexid)).outcome, `done: a +88, o +10, maker +2, ${moved}`);
});
