import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { type Address, AMOUNT_MAX } from "@moneta/protocol";
import type { Params } from "../../testing/admitted.ts";
import type { Element } from "../../testing/trade/creations.ts";
import { NOBODY } from "../../testing/trade/item-terms.ts";
import { NO_UNIT_ITEM, NO_UNIT_LISTING } from "../../testing/trade/unit-terms.ts";
import { listingsToChoose, UnitTrade } from "../../testing/trade/unit-trade.ts";

let trade: UnitTrade;
let c: Address;
let a: Address;
let b: Address;
let d: Address;
beforeEach(async () => {
  trade = await UnitTrade.open({ tokens: 9 });
  ({ c, a, b, d } = trade.cast);
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

test("mrc402 §18 row 49: auction of 5 units, start 100, unit 5, buy-now 500: bids 99, 102: 3004; B 100: held; D 100: 3004", async () => {
  const { u, dexid } = await row49();
  for (const [by, amount, outcome] of [
    [b, "99", "400 3004"],
    [b, "102", "400 3004"],
    [b, "100", "done: b -100"],
    [d, "100", "400 3004"],
    [d, "95", "400 3004"],
    [d, "104", "400 3004"],
    [d, "106", "400 3004"],
  ] as const) {
    assert.equal((await trade.bid(by, dexid, amount)).outcome, outcome);
  }
  const current = { auction_current_price: "100", auction_current_bidder: b };
  trade.assertListing(dexid, { ...current, auction_bid_count: 1, state: "open" });
  trade.assertItem(u, current);
});

test("mrc402 §18 row 50: then D 105: B +100 (receive_mrc402refund); D 110: 7105; B 501: 3004", async () => {
  const { u, dexid } = await row49([[b, "100"]]);
  const sent = await trade.send("bid", d, { id: dexid, amount: "105" });
  assert.equal(sent.outcome, "done: b +100, d -105");
  const { effects } = sent;
  const refunds = effects.filter(({ type }) => type === "receive_mrc402refund");
  assert.deepEqual(
    refunds.map(({ address }) => address),
    [b],
  );
  assert.equal((await trade.bid(d, dexid, "110")).outcome, "409 7105");
  assert.equal((await trade.bid(d, u, "110")).outcome, "409 7105");
  assert.equal((await trade.bid(b, dexid, "501")).outcome, "400 3004");
  const current = { auction_current_price: "105", auction_current_bidder: d };
  trade.assertListing(dexid, { ...current, auction_bid_count: 2 });
});

test("mrc402 §18 row 51: then B 500, creatorcommission 2.5, sell_fee 10: D +105; O 50, C 12, seller 438; B +5 units; sold, last_trade_type Auction", async () => {
  const { u, dexid } = await row49([
    [b, "100"],
    [d, "105"],
  ]);
  trade.now += 9;
  const moved = "a -5 on auction, b +5 units";
  assert.equal(
    (await trade.bid(b, dexid, "500")).outcome,
    `done: a +438, b -500, d +105, o +50, maker +12, ${moved}`,
  );
  const { now } = trade;
  trade.assertListing(dexid, {
    state: "sold",
    buyer: b,
    remain_amount: "0",
    sell_date: now,
    auction_settle_date: now,
    auction_bid_count: 3,
  });
  trade.assertItem(u, {
    owner: b,
    last_trade_date: now,
    last_trade_amount: "500",
    last_trade_token: "0",
    last_trade_type: "Auction",
    auction_count: 0,
    auction_dexid: "",
    auction_current_bidder: "",
  });
});

test("mrc402 §18 row 55: bid with token 7 in an auction for 0: 3004; item form without token, string id|100||tkey: accepted", async () => {
  const { u, dexid } = await row49();
  for (const id of [u, dexid]) {
    assert.equal((await trade.bid(b, id, "100", { token: "7" })).outcome, "400 3004");
  }
  assert.equal((await trade.bid(b, u, "100")).outcome, "done: b -100");
});

test("mrc402 §18 row 56: bid by the highest bidder with 105 held and 395 spendable, buy-now 500: accepted; with 394: 5000", async () => {
  for (const { coins, answer } of [
    { coins: 499n, answer: "400 5000" },
    { coins: 500n, answer: "done: a +438, o +50, maker +12, e -395, a -5 on auction, e +5 units" },
  ]) {
    const e = await trade.newcomer("e", coins);
    const { dexid } = await row49([[e, "105"]]);
    assert.equal((await trade.bid(e, dexid, "500")).outcome, answer);
  }
});

test("mrc402 §18 row 58: auction made Bound with a bidder: bid 7109; at the end auctionfinish: settled", async () => {
  const { u, dexid } = await row49([[b, "100"]], { terms: { transferable: "Temporary" } });
  await trade.bind(u);
  for (const [by, amount] of [
    [d, "105"],
    [d, "500"],
    [b, "500"],
  ] as const) {
    assert.equal((await trade.bid(by, dexid, amount)).outcome, "409 7109");
  }
  trade.untilEnd(dexid);
  assert.equal(
    (await trade.finish(u)).outcome,
    "done: a +88, o +10, maker +2, a -5 on auction, b +5 units",
  );
});

// §2.7: which auction a bid by item id means.

test("mrc402 §2.7: a bid by item means the auction of another; 3004 if there is only the bidder's own", async () => {
  const x = await trade.x({}, { a: 5, b: 5 });
  await trade.lot(b, x);
  assert.equal((await trade.bid(b, x, "100")).outcome, "400 3004");
  const ofA = await trade.lot(a, x);
  assert.equal((await trade.bid(b, x, "100")).outcome, "done: b -100");
  trade.assertListing(ofA, { auction_current_bidder: b });
});

test("mrc402 §2.7: a bid by item means the only auction of others, announced and ended ones included; 7107 with all of several", async () => {
  const x = await trade.x({}, { a: 20 });
  const { now } = trade;
  const ends = (at: number) => ({ auction_end_date: String(now + at) });
  const future = await trade.lot(a, x, {
    auction_start_date: String(now + 5000),
    ...ends(9000),
  });
  assert.equal((await trade.bid(b, x, "100")).outcome, "409 7203");
  const short = await trade.lot(a, x, ends(3600));
  const choose = async () => listingsToChoose(await trade.bid(d, x, "100"));
  assert.equal((await trade.bid(b, x, "100")).outcome, "409 7107");
  assert.deepEqual(await choose(), [short, future].toSorted());
  assert.equal((await trade.bid(b, short, "100")).outcome, "done: b -100");
  trade.now = now + 3600;
  assert.deepEqual(await choose(), [short, future].toSorted());
  assert.equal((await trade.finish(short)).code, "done");
  assert.equal((await trade.bid(d, x, "105")).outcome, "409 7203");
  trade.now = now + 9000;
  assert.equal((await trade.bid(d, x, "105")).outcome, "409 7202");
});

for (const { amount, more = {}, answer } of [
  { amount: "", answer: "400 1000" },
  { amount: "0", answer: "400 1101" },
  { amount: "x", answer: "400 1101" },
  { amount: String(AMOUNT_MAX + 1n), answer: "400 1101" },
  { amount: String(AMOUNT_MAX), answer: "400 3004" },
  { amount: "100", more: { token: "x" }, answer: "400 1101" },
  { amount: "100", more: { token: "99" }, answer: "400 3004" },
  { amount: "495", answer: "done: b -495" },
  { amount: "499", answer: "400 3004" },
  {
    amount: "500",
    more: { token: "0" },
    answer: "done: a +438, b -500, o +50, maker +12, a -5 on auction, b +5 units",
  },
  { amount: "505", answer: "400 3004" },
] as readonly { amount: string; more?: Params; answer: string }[]) {
  for (const by of ["item", "listing"] as const) {
    test(`mrc402 §16: a bid of ${amount || "nothing"} ${JSON.stringify(more)} by ${by} in the auction of row 49: ${answer}`, async () => {
      const { u, dexid } = await row49();
      const id = by === "item" ? u : dexid;
      assert.equal((await trade.bid(b, id, amount, more)).outcome, answer);
    });
  }
}

test("mrc402 §16: a buy-now price that is no step may be bid; without one there is no upper bound; another token", async () => {
  const lot = { auction_buynow_price: "503" };
  const { dexid } = await row49([[d, "500"]], { lot });
  const shares = "done: a +441, b -503, d +500, o +50, maker +12, a -5 on auction, b +5 units";
  assert.equal((await trade.bid(b, dexid, "503")).outcome, shares);
  const e = await trade.newcomer("e", 0n, { "9": 10_000n });
  const open = await row49([], { lot: { auction_buynow_price: "0", token: "9" } });
  assert.equal((await trade.bid(e, open.u, "10000")).outcome, "done: e -10000 of 9");
  trade.untilEnd(open.dexid);
  assert.equal(
    (await trade.finish(open.u)).outcome,
    "done: a +8750 of 9, o +1000 of 9, maker +250 of 9, a -5 on auction, e +5 units",
  );
});

test("mrc402 §16: a bidder's own earlier bid counts in its auction, and in no other", async () => {
  const e = await trade.newcomer("e", 205n);
  const x = await trade.x({}, { a: 10 });
  const [one, other] = [await trade.lot(a, x, {}, [[e, "105"]]), await trade.lot(a, x)];
  assert.equal((await trade.bid(e, other, "105")).outcome, "400 5000");
  assert.equal((await trade.bid(e, other, "100")).outcome, "done: e -100");
  assert.equal((await trade.bid(e, one, "500")).outcome, "400 5000");
  assert.equal((await trade.bid(d, one, "110")).outcome, "done: d -110, e +105");
});

// The lists of checks, in the order in which they answer.

test("mrc402 §16: the order in which bid refuses by listing", async () => {
  const e = await trade.newcomer("e", 304n);
  const found = await trade.obstacles(e);
  await trade.mending("bid", { by: e, stranger: d }, [
    [{ id: NO_UNIT_LISTING, buyer: NOBODY, token: "x" }, "400 1000"],
    [{ amount: "0" }, "400 1101"],
    [{ amount: "104" }, "400 1101"],
    [{ token: "7", buyer: "MTx" }, "400 3190"],
    [{ buyer: NOBODY, transferable: "Temporary" }, "400 3005 transferable"],
    [{ signed: "full" }, "404 6004"],
    [{ id: found.own }, "404 3090"],
    [{ buyer: e }, "key"],
    [{}, "400 3004"],
    [{ id: found.sale }, "409 7103"],
    [{ id: found.cancelled }, "409 7101"],
    [{ id: found.settled }, "409 7102"],
    [{ id: found.bound }, "409 7112 transferable"],
    [{ transferable: "" }, "409 7109"],
    [{ id: found.mine }, "409 7105"],
    [{ id: found.future }, "409 7203"],
    [{ id: found.over }, "409 7202"],
    [{ id: found.open }, "400 3004"],
    [{ token: "0" }, "400 3004"],
    [{ amount: "505" }, "400 3004"],
    [{ amount: "100" }, "400 3004"],
    [{ amount: "105" }, "400 5000"],
  ]);
  await trade.client.pay(e, 1n);
  assert.equal((await trade.bid(e, found.open, "105")).outcome, "done: b +100, e -105");
});

test("mrc402 §16: the order in which bid refuses by item", async () => {
  const e = await trade.newcomer("e", 199n);
  const [own, idle, several, x] = [
    await trade.x(),
    await trade.x({}, { a: 5 }),
    await trade.x({}, { a: 10 }),
    await trade.x({}, { a: 5 }),
  ];
  await trade.give(own, c, e, "5");
  await trade.lot(e, own);
  const ids = [await trade.lot(a, several), await trade.lot(a, several)];
  const mine = await trade.x({}, { a: 5 });
  await trade.lot(a, mine, {}, [[e, "100"]]);
  await trade.lot(a, x);
  await trade.mending("bid", { by: e, stranger: d }, [
    [{ id: NO_UNIT_ITEM, buyer: NOBODY, token: "7" }, "400 1000"],
    [{ amount: "x" }, "400 1101"],
    [{ amount: "104" }, "404 6004"],
    [{ id: own }, "404 3090"],
    [{ buyer: e }, "key"],
    [{}, "400 3004"],
    [{ id: idle }, "409 7106"],
    [{ id: several }, "409 7107"],
    [{ id: mine }, "409 7105"],
    [{ id: x }, "400 3004"],
    [{ token: "" }, "400 3004"],
    [{ amount: "100" }, "400 5000"],
  ]);
  assert.deepEqual(listingsToChoose(await trade.bid(e, several, "100")), ids.toSorted());
});
