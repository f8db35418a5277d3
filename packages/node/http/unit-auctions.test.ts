import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { type Element, type ItemParams, sendItem } from "../testing/item-requests.ts";
import { NOBODY } from "../testing/item-trade.ts";
import {
  type Answered,
  type KeyHolder,
  parsed,
  signatureOf,
  TestNode,
} from "../testing/test-node.ts";
import { AMOUNT_MAX } from "../testing/token-requests.ts";
import {
  ART,
  listingsToChoose,
  NO_UNIT_ITEM,
  NO_UNIT_LISTING,
  type UnitListing,
  type UnitWord,
  unitListing,
  unitListingIdOf,
  unitRequest,
  unitsSaid,
} from "../testing/unit-requests.ts";
import {
  DAY,
  FORMS,
  LOT,
  listingParams,
  UNIT_AUCTION_MAX,
  UNIT_AUCTION_MIN,
  UnitTrade,
} from "../testing/unit-trade.ts";

// Rows 49 to 59 of mrc402 §18, and sections 2.7, 14 to 17. After each case row 66 holds.

let trade: UnitTrade;
let o: KeyHolder;
let s: KeyHolder;
let m: KeyHolder;
let c: KeyHolder;
let a: KeyHolder;
let b: KeyHolder;
let d: KeyHolder;
before(async () => {
  trade = await UnitTrade.open({ tokens: 9 });
  ({ o, seller: s, maker: m, c, a, b, d } = trade.cast);
});
after(() => trade[Symbol.asyncDispose]());
afterEach(() => trade.assertConserved());

/** The U of row 51, of which A has put 5 units on auction as in row 49, and what was bid. */
async function row49(
  bids: readonly (readonly [KeyHolder, string])[] = [],
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
    [b, "100", "200: b -100"],
    [d, "100", "400 3004"],
    [d, "95", "400 3004"],
    [d, "104", "400 3004"],
    [d, "106", "400 3004"],
  ] as const) {
    assert.equal(await trade.outcome(() => trade.bid(by, dexid, amount)), outcome);
  }
  const current = { auction_current_price: "100", auction_current_bidder: b.address };
  await trade.assertListing(dexid, { ...current, auction_bid_count: 1, state: "open" });
  await trade.assertItem(u, current);
});

test("mrc402 §18 row 50: then D 105: B +100 (receive_mrc402refund); D 110: 7105; B 501: 3004", async () => {
  const { u, dexid } = await row49([[b, "100"]]);
  const bidding = await trade.request("bid", d, { id: dexid, amount: "105" });
  assert.equal(await trade.outcome(() => trade.post(bidding)), "200: b +100, d -105");
  const { effects } = await trade.node.transaction(
    parsed<{ txid: string }>(await trade.post(bidding)).txid,
  );
  const refunds = effects.filter(({ type }) => type === "receive_mrc402refund");
  assert.deepEqual(
    refunds.map(({ address }) => address),
    [b.address],
  );
  assert.equal(await trade.outcome(() => trade.bid(d, dexid, "110")), "409 7105");
  assert.equal(await trade.outcome(() => trade.bid(d, u, "110")), "409 7105");
  assert.equal(await trade.outcome(() => trade.bid(b, dexid, "501")), "400 3004");
  const current = { auction_current_price: "105", auction_current_bidder: d.address };
  await trade.assertListing(dexid, { ...current, auction_bid_count: 2 });
});

test("mrc402 §18 row 51: then B 500, creatorcommission 2.5, sell_fee 10: D +105; O 50, C 12, seller 438; B +5 units; sold, last_trade_type Auction", async () => {
  const { u, dexid } = await row49([
    [b, "100"],
    [d, "105"],
  ]);
  trade.node.now += 9;
  const moved = "a -5 on auction, b +5 units";
  assert.equal(
    await trade.outcome(() => trade.bid(b, dexid, "500")),
    `200: a +438, b -500, d +105, o +50, maker +12, ${moved}`,
  );
  const { now } = trade.node;
  await trade.assertListing(dexid, {
    state: "sold",
    buyer: b.address,
    remain_amount: "0",
    sell_date: now,
    auction_settle_date: now,
    auction_bid_count: 3,
  });
  await trade.assertItem(u, {
    owner: b.address,
    last_trade_date: now,
    last_trade_amount: "500",
    last_trade_token: "0",
    last_trade_type: "Auction",
    auction_count: 0,
    auction_dexid: "",
    auction_current_bidder: "",
  });
});

test("mrc402 §18 row 52: after D's 105 of 50, rates of 51, at the end: bid 7202; auctionfinish: O 10, C 2, seller 93, D +5 units; again 7102, by item id 7106", async () => {
  const { u, dexid } = await row49([
    [b, "100"],
    [d, "105"],
  ]);
  await trade.untilEnd(dexid);
  const { now } = trade.node;
  for (const id of [dexid, u]) {
    assert.equal(await trade.outcome(() => trade.bid(b, id, "110")), "409 7202");
  }
  assert.equal(
    await trade.outcome(() => trade.finish(dexid)),
    "200: a +93, o +10, maker +2, a -5 on auction, d +5 units",
  );
  await trade.assertListing(dexid, {
    state: "sold",
    buyer: d.address,
    remain_amount: "0",
    sell_date: now,
    auction_settle_date: now,
  });
  await trade.assertItem(u, {
    owner: d.address,
    last_trade_date: now,
    last_trade_amount: "105",
    last_trade_type: "Auction",
  });
  assert.equal(await trade.outcome(() => trade.finish(dexid)), "409 7102");
  assert.equal(await trade.outcome(() => trade.finish(u)), "409 7106");
  assert.equal(await trade.outcome(() => trade.bid(b, dexid, "110")), "409 7102");
  assert.equal(await trade.outcome(() => trade.unauction(a, dexid)), "409 7102");
});

for (const method of ["GET", "POST"] as const) {
  for (const by of ["item", "listing"] as const) {
    test(`mrc402 §18 row 53: ${method} auctionfinish by ${by} one second early: 7201; with no bid at the end: seller +5 units, failed`, async () => {
      const { u, dexid } = await row49();
      const item = await trade.record(u);
      const finish = () => trade.finish(by === "item" ? u : dexid, method);
      await trade.untilEnd(dexid);
      trade.node.now -= 1;
      assert.equal(await trade.outcome(finish), "409 7201");
      trade.node.now += 1;
      assert.equal(await trade.outcome(finish), "200: a +5 units, a -5 on auction");
      await trade.assertListing(dexid, {
        state: "failed",
        buyer: "",
        remain_amount: "5",
        sell_date: 0,
        cancel_date: 0,
        auction_settle_date: trade.node.now,
      });
      const { last_trade_date, last_trade_type } = await trade.record(u);
      assert.deepEqual([last_trade_date, last_trade_type], [0, ""]);
      await trade.assertItem(u, { owner: item.owner, auction_count: 0, auction_dexid: "" });
      assert.equal(await trade.outcome(finish), by === "item" ? "409 7106" : "409 7102");
    });
  }
}

for (const { what, bids, isOver, answer } of [
  { what: "without a bidder", bids: [], isOver: false, answer: "200: a +5 units, a -5 on auction" },
  { what: "with a bidder", bids: ["100"], isOver: false, answer: "409 7104" },
  {
    what: "after the end without",
    bids: [],
    isOver: true,
    answer: "200: a +5 units, a -5 on auction",
  },
  { what: "after the end with", bids: ["100"], isOver: true, answer: "409 7104" },
]) {
  for (const form of ["by item", "by listing in itemdata", "by listing"] as const) {
    test(`mrc402 §18 row 54: unauction ${what}, ${form}: ${answer}`, async () => {
      const { u, dexid } = await row49(bids.map((bid) => [b, bid]));
      if (isOver) {
        await trade.untilEnd(dexid);
      }
      const params: ItemParams = {
        "by item": { itemdata: [u] },
        "by listing in itemdata": { itemdata: [dexid] },
        "by listing": { id: dexid },
      }[form];
      assert.equal(await trade.outcome(() => trade.send("unauction", a, params)), answer);
      const isDone = answer.startsWith("200");
      await trade.assertListing(dexid, {
        state: isDone ? "cancelled" : "open",
        remain_amount: "5",
        cancel_date: isDone ? trade.node.now : 0,
        auction_settle_date: 0,
      });
    });
  }
}

test("mrc402 §18 row 55: bid with token 7 in an auction for 0: 3004; item form without token, string id|100||tkey: accepted", async () => {
  const { u, dexid } = await row49();
  for (const id of [u, dexid]) {
    assert.equal(await trade.outcome(() => trade.bid(b, id, "100", { token: "7" })), "400 3004");
  }
  const tkey = await trade.node.key(b);
  const signature = signatureOf(`${u}|100||${tkey}`, b);
  const bidding = () => trade.node.post(`/mrc402/bid/${u}`, { amount: "100", tkey, signature });
  assert.equal(await trade.outcome(bidding), "200: b -100");
});

test("mrc402 §16: by item |0| and || are different strings; by listing the token is not signed, but must fit", async () => {
  const { u, dexid } = await row49();
  for (const { id, token, string, answer } of [
    { id: u, token: "0", string: (tkey: string) => `${u}|100||${tkey}`, answer: "401 2010" },
    { id: u, token: "", string: (tkey: string) => `${u}|100|0|${tkey}`, answer: "401 2010" },
    {
      id: u,
      token: "0",
      string: (tkey: string) => `${u}|${b.address}|100|${tkey}`,
      answer: "401 2010",
    },
    {
      id: dexid,
      token: "0",
      string: (tkey: string) => `${dexid}|100|0|${tkey}`,
      answer: "401 2010",
    },
    {
      id: dexid,
      token: "7",
      string: (tkey: string) => `${dexid}|${b.address}|100|${tkey}`,
      answer: "400 3004",
    },
    {
      id: dexid,
      token: "0",
      string: (tkey: string) => `${dexid}|${b.address}|100|${tkey}`,
      answer: "200",
    },
  ]) {
    const tkey = await trade.node.key(b);
    const signature = signatureOf(string(tkey), b);
    const params = { bidder: b.address, amount: "100", token, tkey, signature };
    assert.equal(unitsSaid(await trade.node.post(`/mrc402/bid/${id}`, params)), answer);
  }
});

test("mrc402 §18 row 56: bid by the highest bidder with 105 held and 395 spendable, buy-now 500: accepted; with 394: 5000", async () => {
  for (const { coins, answer } of [
    { coins: 499n, answer: "400 5000" },
    { coins: 500n, answer: "200: a +438, o +50, maker +12, e -395, a -5 on auction, e +5 units" },
  ]) {
    const e = await trade.newcomer("e", coins);
    const { dexid } = await row49([[e, "105"]]);
    assert.equal(await trade.outcome(() => trade.bid(e, dexid, "500")), answer);
  }
});

/** Dates of an auction, relative to now, and where its start and end are then. */
const DATES: readonly (readonly [
  start: number | "0" | "",
  end: number | "0" | "",
  item: number | string,
  quantity: string,
])[] = [
  ["", "", UNIT_AUCTION_MIN, `0 ${DAY}`],
  ["0", "0", UNIT_AUCTION_MIN, `0 ${DAY}`],
  ["", 10, UNIT_AUCTION_MIN, "400 1102"],
  ["", -10, UNIT_AUCTION_MIN, "400 1102"],
  ["", UNIT_AUCTION_MIN - 1, UNIT_AUCTION_MIN, "400 1102"],
  ["", UNIT_AUCTION_MIN, UNIT_AUCTION_MIN, `0 ${UNIT_AUCTION_MIN}`],
  ["", UNIT_AUCTION_MIN + 1, UNIT_AUCTION_MIN + 1, `0 ${UNIT_AUCTION_MIN + 1}`],
  ["", UNIT_AUCTION_MAX, UNIT_AUCTION_MAX, `0 ${UNIT_AUCTION_MAX}`],
  ["", UNIT_AUCTION_MAX + 1, UNIT_AUCTION_MAX, "400 1102"],
  [0, "", "-", `0 ${DAY}`],
  [-1, "", "-", "400 1102"],
  [100, "", "-", `100 ${100 + DAY}`],
  [100, 100 + UNIT_AUCTION_MIN - 1, "-", "400 1102"],
  [100, 100 + UNIT_AUCTION_MIN, "-", `100 ${100 + UNIT_AUCTION_MIN}`],
  [100, 100 + UNIT_AUCTION_MAX, "-", `100 ${100 + UNIT_AUCTION_MAX}`],
  [100, 101 + UNIT_AUCTION_MAX, "-", "400 1102"],
  [1_814_400, "", "-", `1814400 ${1_814_400 + DAY}`],
  [1_814_401, "", "-", "400 1102"],
];

for (const [start, end, inItem, inQuantity] of DATES) {
  const shown = (date: number | string): string =>
    typeof date === "number" ? `T${date < 0 ? "" : "+"}${date}` : JSON.stringify(date);
  const dated = (date: number | string): string =>
    typeof date === "number" ? String(trade.node.now + date) : date;
  for (const { form, expected } of [
    { form: "item", expected: typeof inItem === "number" ? `0 ${inItem}` : inItem },
    { form: "quantity", expected: inQuantity },
  ] as const) {
    if (expected !== "-") {
      test(`mrc402 §18 row 57: start ${shown(start)}, end ${shown(end)}, ${form} form: ${expected}`, async () => {
        const x = await trade.x({}, { a: 5 });
        const { now } = trade.node;
        const dates = { auction_end_date: dated(end), auction_start_date: dated(start) };
        const answer = await trade.lists("auction", form, a, x, dates);
        if (expected.startsWith("400")) {
          assert.equal(unitsSaid(answer), expected);
          return;
        }
        assert.equal(unitsSaid(answer), "200");
        const { auction_dexid, auction_end } = await trade.record(x);
        const { auction_start_date, auction_end_date } = await trade.listing(auction_dexid);
        assert.equal(`${auction_start_date - now} ${auction_end_date - now}`, expected);
        assert.equal(auction_end, auction_end_date);
      });
    }
  }
}

for (const form of FORMS) {
  test(`conventions §1.6: a date that is no integer string, ${form} form: 1101`, async () => {
    const x = await trade.x({}, { a: 5 });
    for (const date of ["x", "-1", "01", "1e9", "1.5"]) {
      const answer = await trade.lists("auction", form, a, x, { auction_end_date: date });
      assert.equal(unitsSaid(answer), "400 1101", date);
    }
  });
}

test("mrc402 §14: in item form the start is always now, whatever an element says of it", async () => {
  const x = await trade.x({}, { a: 5 });
  const { now } = trade.node;
  const dexid = await trade.listByItem("auction", a, x, {
    auction_start_date: String(now + 100),
    start_date: String(now + 100),
  });
  const dates = { auction_start_date: now, auction_end_date: now + UNIT_AUCTION_MIN };
  await trade.assertListing(dexid, dates);
});

test("mrc402 §16, §17: before the start bids are 7203, from then on they are taken, at the end 7202; unauction works before the start", async () => {
  const x = await trade.x({}, { a: 10 });
  const starts = String(trade.node.now + 100);
  const dexid = await trade.lot(a, x, { auction_start_date: starts });
  const other = await trade.lot(a, x, { auction_start_date: starts });
  const back = "200: a +5 units, a -5 on auction";
  assert.equal(await trade.outcome(() => trade.unauction(a, other)), back);
  trade.node.now += 99;
  assert.equal(await trade.outcome(() => trade.bid(b, dexid, "100")), "409 7203");
  assert.equal(await trade.outcome(() => trade.bid(b, x, "500")), "409 7203");
  assert.equal(await trade.outcome(() => trade.finish(dexid)), "409 7201");
  trade.node.now += 1;
  assert.equal(await trade.outcome(() => trade.bid(b, dexid, "100")), "200: b -100");
  trade.node.now += DAY - 1;
  assert.equal(await trade.outcome(() => trade.bid(d, dexid, "105")), "200: b +100, d -105");
  trade.node.now += 1;
  assert.equal(await trade.outcome(() => trade.bid(b, dexid, "110")), "409 7202");
});

test("mrc402 §18 row 58: auction made Bound with a bidder: bid 7109; at the end auctionfinish: settled", async () => {
  const { u, dexid } = await row49([[b, "100"]], { terms: { transferable: "Temporary" } });
  await trade.bind(u);
  for (const [by, amount] of [
    [d, "105"],
    [d, "500"],
    [b, "500"],
  ] as const) {
    assert.equal(await trade.outcome(() => trade.bid(by, dexid, amount)), "409 7109");
  }
  await trade.untilEnd(dexid);
  assert.equal(
    await trade.outcome(() => trade.finish(u)),
    "200: a +88, o +10, maker +2, a -5 on auction, b +5 units",
  );
});

test("mrc402 §2.4: an auction made Bound without a bidder can be cancelled, and fails at its end", async () => {
  const terms = { transferable: "Temporary", totalsupply: "10" };
  const u = await trade.u(terms, { a: 10 });
  const [first, second] = [await trade.lot(a, u), await trade.lot(a, u)];
  await trade.bind(u);
  const back = "200: a +5 units, a -5 on auction";
  assert.equal(await trade.outcome(() => trade.unauction(a, first)), back);
  await trade.untilEnd(second);
  assert.equal(await trade.outcome(() => trade.finish(second)), back);
});

test("mrc402 §18 row 59: two auctions of X past their end, T-5 and T-9; auctionfinish by item id twice, then again: T-9, then T-5, then 7106", async () => {
  const x = await trade.x({}, { a: 15, b: 5 });
  const ends = (after: number) => ({
    auction_end_date: String(trade.node.now + UNIT_AUCTION_MIN + after),
  });
  const later = await trade.lot(a, x, ends(4));
  const earlier = await trade.lot(b, x, ends(0));
  const [first, second] = [await trade.lot(a, x, ends(10)), await trade.lot(a, x, ends(10))];
  trade.node.now += UNIT_AUCTION_MIN + 9;
  assert.equal(await trade.outcome(() => trade.finish(x)), "200: b +5 units, b -5 on auction");
  await trade.assertListing(earlier, { state: "failed" });
  const back = "200: a +5 units, a -5 on auction";
  assert.equal(await trade.outcome(() => trade.finish(x, "GET")), back);
  await trade.assertListing(later, { state: "failed" });
  assert.equal(await trade.outcome(() => trade.finish(x)), "409 7201");
  trade.node.now += 1;
  for (const dexid of [first, second]) {
    assert.equal(await trade.outcome(() => trade.finish(x)), back);
    await trade.assertListing(dexid, { state: "failed" });
  }
  assert.equal(await trade.outcome(() => trade.finish(x)), "409 7106");
});

// §2.7: which auction a bid by item id means.

test("mrc402 §2.7: a bid by item means the auction of another; 3004 if there is only the bidder's own", async () => {
  const x = await trade.x({}, { a: 5, b: 5 });
  await trade.lot(b, x);
  assert.equal(await trade.outcome(() => trade.bid(b, x, "100")), "400 3004");
  const ofA = await trade.lot(a, x);
  assert.equal(await trade.outcome(() => trade.bid(b, x, "100")), "200: b -100");
  await trade.assertListing(ofA, { auction_current_bidder: b.address });
});

test("mrc402 §2.7: a bid by item means the only auction of others, announced and ended ones included; 7107 with all of several", async () => {
  const x = await trade.x({}, { a: 20 });
  const { now } = trade.node;
  const ends = (at: number) => ({ auction_end_date: String(now + at) });
  const future = await trade.lot(a, x, {
    auction_start_date: String(now + 5000),
    ...ends(9000),
  });
  assert.equal(await trade.outcome(() => trade.bid(b, x, "100")), "409 7203");
  const short = await trade.lot(a, x, ends(3600));
  const choose = async () => listingsToChoose(await trade.bid(d, x, "100")).toSorted();
  assert.equal(await trade.outcome(() => trade.bid(b, x, "100")), "409 7107");
  assert.deepEqual(await choose(), [short, future].toSorted());
  assert.equal(await trade.outcome(() => trade.bid(b, short, "100")), "200: b -100");
  trade.node.now = now + 3600;
  assert.deepEqual(await choose(), [short, future].toSorted());
  assert.equal(unitsSaid(await trade.finish(short)), "200");
  assert.equal(await trade.outcome(() => trade.bid(d, x, "105")), "409 7203");
  trade.node.now = now + 9000;
  assert.equal(await trade.outcome(() => trade.bid(d, x, "105")), "409 7202");
});

test("mrc402 §2.7: unsell means sales and unauction auctions only; buy and bid likewise", async () => {
  const x = await trade.x({}, { a: 20 });
  const [sale, lot] = [await trade.sale(a, x), await trade.lot(a, x)];
  assert.equal(await trade.outcome(() => trade.bid(b, x, "100")), "200: b -100");
  assert.equal(
    await trade.outcome(() => trade.buy(b, x)),
    "200: a +30, b -30, a -1 on sale, b +1 units",
  );
  for (const [dexid, word] of [
    [sale, "unauction"],
    [lot, "unsell"],
    [sale, "bid"],
    [lot, "buy"],
  ] as const) {
    const by = word === "unauction" || word === "unsell" ? a : d;
    const params = word === "bid" || word === "buy" ? { amount: "100" } : {};
    const sending = () => trade.send(word, by, { id: dexid, ...params });
    assert.equal(await trade.outcome(sending), "409 7103");
  }
  assert.equal(await trade.outcome(() => trade.finish(sale)), "409 7103");
  const unsell = () => trade.send("unsell", a, { itemdata: [x] });
  assert.equal(await trade.outcome(unsell), "200: a +9 units, a -9 on sale");
  assert.equal(await trade.outcome(unsell), "409 7106");
  assert.equal(
    await trade.outcome(() => trade.send("unauction", a, { itemdata: [x] })),
    "409 7104",
  );
});

// §14 and §16: what a lot may be offered for, and what may be bid.

for (const { change, answer, shown = {} } of [
  { change: { amount: "0" }, answer: "400 1108" },
  { change: { amount: "6" }, answer: "400 5000" },
  { change: { amount: "100000000" }, answer: "400 1101" },
  { change: { auction_start_price: "" }, answer: "400 1000" },
  { change: { token: "" }, answer: "400 1000" },
  { change: { auction_start_price: "0" }, answer: "400 1101" },
  { change: { auction_start_price: String(AMOUNT_MAX + 1n) }, answer: "400 1101" },
  { change: { auction_start_price: "1e2" }, answer: "400 1101" },
  { change: { auction_start_price: "x", auction_buynow_price: "" }, answer: "400 1101" },
  { change: { auction_bidding_unit: "0" }, answer: "400 1101" },
  { change: { auction_bidding_unit: "" }, answer: "200", shown: { auction_bidding_unit: "1" } },
  { change: { auction_buynow_price: "100" }, answer: "400 3005" },
  { change: { auction_buynow_price: "99" }, answer: "400 3005" },
  {
    change: { auction_buynow_price: "101" },
    answer: "200",
    shown: { auction_buynow_price: "101" },
  },
  { change: { auction_buynow_price: "0" }, answer: "200", shown: { auction_buynow_price: "0" } },
  { change: { auction_buynow_price: "" }, answer: "200", shown: { auction_buynow_price: "0" } },
  { change: { auction_buynow_price: String(AMOUNT_MAX + 1n) }, answer: "400 1101" },
  {
    change: { auction_buynow_price: String(AMOUNT_MAX) },
    answer: "200",
    shown: { auction_buynow_price: String(AMOUNT_MAX) },
  },
  { change: { token: "9" }, answer: "200", shown: { sell_token: "9" } },
  { change: { token: "10" }, answer: "404 4001" },
  { change: { platform_commission: "10.01" }, answer: "400 3005" },
] as readonly { change: Element; answer: string; shown?: Partial<UnitListing> }[]) {
  for (const form of FORMS) {
    test(`mrc402 §14: the lot of row 49 with ${JSON.stringify(change)}, ${form} form: ${answer}`, async () => {
      const x = await trade.x({}, { a: 5 });
      assert.equal(unitsSaid(await trade.lists("auction", form, a, x, change)), answer);
      if (answer === "200") {
        const { auction_dexid } = await trade.record(x);
        await trade.assertListing(auction_dexid, { amount: "5", ...shown });
      }
    });
  }
}

test("mrc402 §14: without amount an element is for one unit; numbers may be numbers; buynow may be called bnynow", async () => {
  const x = await trade.x({}, { a: 5 });
  for (const { element, shown } of [
    {
      element: { start: "7", token: "0" },
      shown: {
        amount: "1",
        auction_start_price: "7",
        auction_buynow_price: "0",
        auction_bidding_unit: "1",
      },
    },
    {
      element: { start: 7, token: 0, amount: 2, bidding: 3, bnynow: 8 },
      shown: { amount: "2", auction_bidding_unit: "3", auction_buynow_price: "8" },
    },
    {
      element: { start: "7", token: "0", buynow: "9", bnynow: "9" },
      shown: { auction_buynow_price: "9" },
    },
  ]) {
    const itemdata = [{ id: x, ...element }];
    const answer = await trade.send("auction", a, { itemdata });
    assert.equal(unitsSaid(answer), "200");
    const [dexid = ""] = parsed<{ mrc402dexids: string[] }>(answer).mrc402dexids;
    await trade.assertListing(dexid, shown);
  }
  const twice = [{ id: x, start: "7", token: "0", buynow: "9", bnynow: "10" }];
  assert.equal(unitsSaid(await trade.send("auction", a, { itemdata: twice })), "400 1005");
});

for (const { amount, more = {}, answer } of [
  { amount: "", answer: "400 1000" },
  { amount: "0", answer: "400 1101" },
  { amount: "x", answer: "400 1101" },
  { amount: String(AMOUNT_MAX + 1n), answer: "400 1101" },
  { amount: String(AMOUNT_MAX), answer: "400 3004" },
  { amount: "100", more: { token: "x" }, answer: "400 1101" },
  { amount: "100", more: { token: "99" }, answer: "400 3004" },
  { amount: "495", answer: "200: b -495" },
  { amount: "499", answer: "400 3004" },
  {
    amount: "500",
    more: { token: "0" },
    answer: "200: a +438, b -500, o +50, maker +12, a -5 on auction, b +5 units",
  },
  { amount: "505", answer: "400 3004" },
] as readonly { amount: string; more?: ItemParams; answer: string }[]) {
  for (const by of ["item", "listing"] as const) {
    test(`mrc402 §16: a bid of ${amount || "nothing"} ${JSON.stringify(more)} by ${by} in the auction of row 49: ${answer}`, async () => {
      const { u, dexid } = await row49();
      const id = by === "item" ? u : dexid;
      assert.equal(await trade.outcome(() => trade.bid(b, id, amount, more)), answer);
    });
  }
}

test("mrc402 §16: a buy-now price that is no step may be bid; without one there is no upper bound; another token", async () => {
  const lot = { auction_buynow_price: "503" };
  const { dexid } = await row49([[d, "500"]], { lot });
  const shares = "200: a +441, b -503, d +500, o +50, maker +12, a -5 on auction, b +5 units";
  assert.equal(await trade.outcome(() => trade.bid(b, dexid, "503")), shares);
  const e = await trade.newcomer("e", 0n, { "9": 10_000n });
  const open = await row49([], { lot: { auction_buynow_price: "0", token: "9" } });
  assert.equal(await trade.outcome(() => trade.bid(e, open.u, "10000")), "200: e -10000 of 9");
  await trade.untilEnd(open.dexid);
  assert.equal(
    await trade.outcome(() => trade.finish(open.u)),
    "200: a +8750 of 9, o +1000 of 9, maker +250 of 9, a -5 on auction, e +5 units",
  );
});

test("mrc402 §16: a bidder's own earlier bid counts in its auction, and in no other", async () => {
  const e = await trade.newcomer("e", 205n);
  const x = await trade.x({}, { a: 10 });
  const [one, other] = [await trade.lot(a, x, {}, [[e, "105"]]), await trade.lot(a, x)];
  assert.equal(await trade.outcome(() => trade.bid(e, other, "105")), "400 5000");
  assert.equal(await trade.outcome(() => trade.bid(e, other, "100")), "200: e -100");
  assert.equal(await trade.outcome(() => trade.bid(e, one, "500")), "400 5000");
  assert.equal(await trade.outcome(() => trade.bid(d, one, "110")), "200: d -110, e +105");
});

// The lists of checks, in the order in which they answer.

/** Listings of X, and of a Bound U, in which E cannot bid for some reason, E's own among them. */
async function obstacles(e: KeyHolder) {
  const x = await trade.x({}, { a: 60 });
  const u = await trade.u({ transferable: "Temporary" }, { a: 1 });
  await trade.units.give(x, c, e, "5");
  const { now } = trade.node;
  const ends = { auction_end_date: String(now + UNIT_AUCTION_MIN) };
  const found = {
    own: await trade.lot(e, x),
    sale: await trade.sale(a, x),
    cancelled: await trade.lot(a, x),
    settled: await trade.lot(a, x, {}, [[b, "500"]]),
    bound: await trade.lot(a, u, { amount: "1", ...ends }, [[e, "100"]]),
    mine: await trade.lot(a, x, ends, [[e, "100"]]),
    future: await trade.lot(a, x, { auction_start_date: String(now + 2 * UNIT_AUCTION_MIN) }),
    over: await trade.lot(a, x, ends, [[b, "100"]]),
    open: await trade.lot(a, x, {}, [[b, "100"]]),
  };
  assert.equal(unitsSaid(await trade.unauction(a, found.cancelled)), "200");
  await trade.bind(u);
  trade.node.now = now + UNIT_AUCTION_MIN;
  return found;
}

test("mrc402 §16: the order in which bid refuses by listing", async () => {
  const e = await trade.newcomer("e", 304n);
  const found = await obstacles(e);
  await trade.units.mending("bidListing", { by: e, stranger: d }, [
    [{ id: NO_UNIT_LISTING, buyer: NOBODY, token: "x" }, "400 1000"],
    [{ amount: "0" }, "400 1101"],
    [{ amount: "104" }, "400 1101"],
    [{ token: "7", buyer: "MTx" }, "400 3190"],
    [{ buyer: NOBODY }, "404 6004"],
    [{ id: found.own }, "404 3090"],
    [{ buyer: e.address }, "key"],
    [{}, "400 3004"],
    [{ id: found.sale }, "409 7103"],
    [{ id: found.cancelled }, "409 7101"],
    [{ id: found.settled }, "409 7102"],
    [{ id: found.bound }, "409 7109"],
    [{ id: found.mine }, "409 7105"],
    [{ id: found.future }, "409 7203"],
    [{ id: found.over }, "409 7202"],
    [{ id: found.open }, "400 3004"],
    [{ token: "0" }, "400 3004"],
    [{ amount: "505" }, "400 3004"],
    [{ amount: "100" }, "400 3004"],
    [{ amount: "105" }, "400 5000"],
  ]);
  await trade.node.pay(e, 1n);
  assert.equal(await trade.outcome(() => trade.bid(e, found.open, "105")), "200: b +100, e -105");
});

test("mrc402 §16: the order in which bid refuses by item", async () => {
  const e = await trade.newcomer("e", 199n);
  const [own, idle, several, x] = [
    await trade.x(),
    await trade.x({}, { a: 5 }),
    await trade.x({}, { a: 10 }),
    await trade.x({}, { a: 5 }),
  ];
  await trade.units.give(own, c, e, "5");
  await trade.lot(e, own);
  const ids = [await trade.lot(a, several), await trade.lot(a, several)];
  const mine = await trade.x({}, { a: 5 });
  await trade.lot(a, mine, {}, [[e, "100"]]);
  await trade.lot(a, x);
  await trade.units.mending("bid", { by: e, stranger: d }, [
    [{ id: NO_UNIT_ITEM, buyer: NOBODY, token: "7" }, "400 1000"],
    [{ amount: "x" }, "400 1101"],
    [{ amount: "104" }, "404 6004"],
    [{ id: own }, "404 3090"],
    [{ buyer: e.address }, "key"],
    [{}, "400 3004"],
    [{ id: idle }, "409 7106"],
    [{ id: several }, "409 7107"],
    [{ id: mine }, "409 7105"],
    [{ id: x }, "400 3004"],
    [{ token: "" }, "400 3004"],
    [{ amount: "100" }, "400 5000"],
  ]);
  assert.deepEqual(listingsToChoose(await trade.bid(e, several, "100")).toSorted(), ids.toSorted());
});

for (const method of ["GET", "POST"] as const) {
  test(`mrc402 §17: what ${method} auctionfinish refuses, and what it answers`, async () => {
    const e = await trade.newcomer("e", 1000n);
    const { sale, cancelled, settled, open, over } = await obstacles(e);
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
      assert.equal(await trade.outcome(() => trade.finish(id, method)), answer, id);
    }
    const answer = await trade.finish(over, method);
    assert.equal(unitsSaid(answer), "200");
    const id = answer.headers.get("transaction-id");
    assert.deepEqual(parsed(answer), { transaction_id: id, txid: id });
    assert.match(answer.headers.get("content-type") ?? "", /^application\/json/);
    assert.match(answer.headers.get("cache-control") ?? "", /no-store/);
    assert.equal(answer.headers.has("replay-nonce"), false);
  });
}

test("mrc402 §2.3: an agent's auction is won: the creator is paid; the bidder may be the agent, not the creator", async () => {
  const u = await trade.u({ sell_fee: "10", totalsupply: "5" });
  const dexid = await trade.lot(s, u);
  await trade.assertListing(dexid, { seller: m.address, agent: s.address });
  assert.equal(await trade.outcome(() => trade.bid(m, dexid, "100")), "400 3004");
  assert.equal(await trade.outcome(() => trade.bid(s, dexid, "100")), "200: seller -100");
  await trade.untilEnd(dexid);
  const moved = "seller +5 units, maker -5 on auction";
  const finish = (): Promise<Answered> => trade.finish(dexid);
  assert.equal(await trade.outcome(finish), `200: o +10, maker +90, ${moved}`);
});

test("mrc402 §17: the MRC400 owner wins, and gets its fee", async () => {
  const { dexid } = await row49([[o, "100"]]);
  await trade.untilEnd(dexid);
  const moved = "a -5 on auction, o +5 units";
  assert.equal(
    await trade.outcome(() => trade.finish(dexid)),
    `200: a +88, o +10, maker +2, ${moved}`,
  );
});

test("mrc402 §2.2: units on auction can be neither sold, auctioned, transferred, burned nor melted", async () => {
  const x = await trade.x({ totalsupply: "5" });
  await trade.lot(c, x);
  for (const act of [
    () => trade.lists("sell", "quantity", c, x, { amount: "1" }),
    () => trade.send("auction", c, listingParams("auction", "item", x, { amount: "5" })),
    () => trade.send("transfer", c, { mrc402id: x, toAddr: b.address }),
    () => trade.send("burn", c, { mrc402id: x, amount: "1" }),
    () => trade.send("melt", c, { mrc402id: x, amount: "1" }),
  ]) {
    assert.equal(await trade.outcome(act), "409 7108");
  }
});

test("mrc402 §17: a node that finishes auctions settles each that is over, and no other", async () => {
  await using node = await TestNode.start("--finish-auctions", "yes");
  const [seller, bidder] = [await node.holder(), await node.holder({ coins: 1000n })];
  const sent = async (word: UnitWord, by: KeyHolder, params: ItemParams) => {
    const request = await unitRequest(node, word, by, params);
    const answer = await sendItem(node, request);
    assert.equal(unitsSaid(answer), "200");
    return { answer, tkey: request.params.tkey };
  };
  const created = await sent("create", seller, { ...ART, totalsupply: "15" });
  const { mrc402id: id } = parsed<{ mrc402id: string }>(created.answer);
  const end = node.now + UNIT_AUCTION_MIN;
  const lot = async (after: number) => {
    const terms = { ...LOT, auction_end_date: String(end + after) };
    const { tkey } = await sent("auction", seller, { id, ...terms });
    return unitListingIdOf(seller.address, tkey);
  };
  const dexids = [await lot(0), await lot(0), await lot(100)] as const;
  await sent("bidListing", bidder, { id: dexids[0], amount: "105" });
  node.now = end;
  const states = async () =>
    (await Promise.all(dexids.map((dexid) => unitListing(node, dexid)))).map(({ state }) => state);
  for (let tries = 0; tries < 100 && (await states()).filter((s) => s === "open").length > 1; ) {
    tries += 1;
    await node.pay(bidder, 1n);
    await setTimeout(100);
  }
  assert.deepEqual(await states(), ["sold", "failed", "open"]);
  assert.deepEqual(await node.balances(seller, "0"), ["105"]);
});
