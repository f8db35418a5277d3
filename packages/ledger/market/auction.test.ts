import assert from "node:assert/strict";
import { test } from "node:test";
import type { Address, Amount, Refused, TokenId } from "@moneta/protocol";
import fc from "fast-check";
import type { Auction } from "../state/auction.ts";
import {
  endAfterBid,
  isBuyNow,
  refuseBidAmount,
  refuseBidden,
  refuseEarly,
  refuseLate,
  refuseLeader,
  refuseOtherToken,
  refuseRunning,
} from "./auction.ts";

const B1 = "B1" as Address;
const B2 = "B2" as Address;

function auction(terms: {
  readonly start?: bigint;
  readonly unit?: bigint;
  readonly buyNow?: bigint;
  /** The highest bid, by B1. */
  readonly bid?: bigint | undefined;
  readonly extend?: number;
  readonly latestEnd?: number;
}): Auction {
  const { start = 100n, unit = 5n, buyNow = 500n, bid, extend = 0, latestEnd = 0 } = terms;
  return {
    auction_start_price: start as Amount,
    auction_bidding_unit: unit as Amount,
    auction_buynow_price: buyNow as Amount,
    auction_current_price: (bid as Amount | undefined) ?? "",
    auction_current_bidder: bid === undefined ? "" : B1,
    auction_extend: extend,
    auction_latest_end: latestEnd,
  };
}

const code = (refused: Refused | undefined): string => refused?.fault.code ?? "accepted";

for (const { why, amount, answer, ...terms } of [
  { why: "below the start price", amount: 99n, answer: "3004" },
  { why: "a whole unit below the start price", amount: 95n, answer: "3004" },
  { why: "the start price", amount: 100n, answer: "accepted" },
  { why: "off the steps", amount: 102n, answer: "3004" },
  { why: "one step", amount: 105n, answer: "accepted" },
  { why: "many steps", amount: 495n, answer: "accepted" },
  { why: "as much as has been bid", bid: 105n, amount: 105n, answer: "3004" },
  { why: "less than has been bid", bid: 110n, amount: 105n, answer: "3004" },
  { why: "one step more than has been bid", bid: 105n, amount: 110n, answer: "accepted" },
  { why: "more than has been bid, off the steps", bid: 105n, amount: 111n, answer: "3004" },
  { why: "the buy-now price", amount: 500n, answer: "accepted" },
  { why: "the buy-now price, off the steps", buyNow: 503n, amount: 503n, answer: "accepted" },
  { why: "the last step below it", buyNow: 503n, amount: 500n, answer: "accepted" },
  { why: "the first step above it", buyNow: 503n, amount: 505n, answer: "3004" },
  { why: "one above the buy-now price", amount: 501n, answer: "3004" },
  { why: "buy-now after a bid", bid: 495n, amount: 500n, answer: "accepted" },
  {
    why: "any step where there is no buy-now price",
    buyNow: 0n,
    amount: 10n ** 40n,
    answer: "accepted",
  },
  { why: "0 where there is no buy-now price", buyNow: 0n, amount: 0n, answer: "3004" },
  { why: "steps of 1", unit: 1n, bid: 100n, amount: 101n, answer: "accepted" },
  {
    why: "steps from a start price that is none itself",
    start: 3n,
    amount: 8n,
    answer: "accepted",
  },
  { why: "a multiple of the unit that is no step", start: 3n, amount: 10n, answer: "3004" },
]) {
  test(`market §3.3: ${why}: ${amount}: ${answer}`, () =>
    assert.equal(code(refuseBidAmount(auction(terms), amount as Amount)), answer));
}

test("tokens §12: what is accepted is the buy-now price, or a step above the highest bid and below the buy-now price", () =>
  fc.assert(
    fc.property(
      fc.record({
        start: fc.bigInt(1n, 20n),
        unit: fc.bigInt(1n, 7n),
        above: fc.bigInt(0n, 40n),
        bid: fc.option(fc.bigInt(0n, 5n), { nil: undefined }),
      }),
      ({ start, unit, above, bid: steps }) => {
        const buyNow = above === 0n ? 0n : start + above;
        const bid = steps === undefined ? undefined : start + steps * unit;
        const terms = auction({ start, unit, buyNow, bid });
        const accepted = new Set<bigint>(buyNow === 0n ? [] : [buyNow]);
        for (let step = start; step <= 80n && (buyNow === 0n || step < buyNow); step += unit) {
          if (bid === undefined || step > bid) {
            accepted.add(step);
          }
        }
        for (let amount = 0n; amount <= 80n; amount += 1n) {
          assert.equal(
            code(refuseBidAmount(terms, amount as Amount)) === "accepted",
            accepted.has(amount),
            `bid ${amount}`,
          );
        }
      },
    ),
  ));

for (const { bidder, bid, amount, answer } of [
  { bidder: B1, bid: undefined, amount: 100n, answer: "accepted" },
  { bidder: B2, bid: 100n, amount: 105n, answer: "accepted" },
  { bidder: B1, bid: 100n, amount: 105n, answer: "7105" },
  { bidder: B1, bid: 100n, amount: 501n, answer: "7105" },
  { bidder: B1, bid: 100n, amount: 500n, answer: "accepted" },
]) {
  test(`market §3.3: ${bidder} bids ${amount} after ${bid ?? "nothing"} of B1: ${answer}`, () =>
    assert.equal(
      code(refuseLeader(auction({ bid }), { bidder, amount: amount as Amount }, "address")),
      answer,
    ));
}

test("tokens §12: without a buy-now price no bid buys at once, not even one of 0", () => {
  assert(!isBuyNow(auction({ buyNow: 0n }), 0n as Amount));
  assert(!isBuyNow(auction({}), 499n as Amount));
  assert(isBuyNow(auction({}), 500n as Amount));
});

for (const { why, time, extend = 300, amount = 105n, ends } of [
  { why: "no soft close", time: 999, extend: 0, ends: 1000 },
  { why: "more left than it adds", time: 699, ends: 1000 },
  { why: "just as much left", time: 700, ends: 1000 },
  { why: "one second less left", time: 701, ends: 1001 },
  { why: "near the latest end", time: 950, ends: 1200 },
  { why: "buy-now", time: 999, amount: 500n, ends: 1000 },
]) {
  test(`mrc401 §16: a bid at ${time} in an auction until 1000, at the latest 1200: ${why}: it ends at ${ends}`, () => {
    const bid = { bidder: B2, amount: amount as Amount };
    const terms = auction({ extend, latestEnd: 1200 });
    assert.equal(endAfterBid(terms, { end: 1000, bid, time }), ends);
  });
}

for (const { asked, answer } of [
  { asked: undefined, answer: "accepted" },
  { asked: "7", answer: "accepted" },
  { asked: "0", answer: "3004" },
] as { asked: TokenId | undefined; answer: string }[]) {
  test(`market §3.3: a bid that names token ${asked ?? "none"} for an auction in token 7: ${answer}`, () =>
    assert.equal(code(refuseOtherToken("7" as TokenId, asked)), answer));
}

test("tokens §12: an auction that somebody has bid in cannot be taken back", () => {
  assert.equal(code(refuseBidden(auction({}), "dexid")), "accepted");
  assert.equal(code(refuseBidden(auction({ bid: 100n }), "dexid")), "7104");
});

for (const { time, early, late, running } of [
  { time: 499, early: "7203", late: "accepted", running: "7201" },
  { time: 500, early: "accepted", late: "accepted", running: "7201" },
  { time: 999, early: "accepted", late: "accepted", running: "7201" },
  { time: 1000, early: "accepted", late: "7202", running: "accepted" },
  { time: 1001, early: "accepted", late: "7202", running: "accepted" },
]) {
  test(`tokens §12: of an auction from 500 to 1000 at ${time}: bid ${early} and ${late}, auctionfinish ${running}`, () => {
    assert.equal(code(refuseEarly(500, time, "dexid")), early);
    assert.equal(code(refuseLate(1000, time, "dexid")), late);
    assert.equal(code(refuseRunning(1000, time, "dexid")), running);
  });
}
