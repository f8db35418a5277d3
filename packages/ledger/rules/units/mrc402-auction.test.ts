import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { type Address, AMOUNT_MAX } from "@moneta/protocol";
import type { UnitListingShown } from "../../testing/shown/shown-units.ts";
import type { Element } from "../../testing/trade/creations.ts";
import {
  DAY,
  FORMS,
  listingParams,
  UNIT_AUCTION_MAX,
  UNIT_AUCTION_MIN,
} from "../../testing/trade/unit-terms.ts";
import { UnitTrade } from "../../testing/trade/unit-trade.ts";

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
    typeof date === "number" ? String(trade.now + date) : date;
  for (const { form, expected } of [
    { form: "item", expected: typeof inItem === "number" ? `0 ${inItem}` : inItem },
    { form: "quantity", expected: inQuantity },
  ] as const) {
    if (expected !== "-") {
      test(`mrc402 §18 row 57: start ${shown(start)}, end ${shown(end)}, ${form} form: ${expected}`, async () => {
        const x = await trade.x({}, { a: 5 });
        const { now } = trade;
        const dates = { auction_end_date: dated(end), auction_start_date: dated(start) };
        const answer = await trade.lists("auction", form, a, x, dates);
        if (expected.startsWith("400")) {
          assert.equal(answer.code, expected);
          return;
        }
        assert.equal(answer.code, "done");
        const { auction_dexid, auction_end } = trade.record(x);
        const { auction_start_date, auction_end_date } = trade.listing(auction_dexid);
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
      assert.equal(answer.code, "400 1101", date);
    }
  });
}

test("mrc402 §14: in item form the start is always now, whatever an element says of it", async () => {
  const x = await trade.x({}, { a: 5 });
  const { now } = trade;
  const dexid = await trade.list(
    "auction",
    a,
    x,
    {
      auction_start_date: String(now + 100),
      start_date: String(now + 100),
    },
    "item",
  );
  const dates = { auction_start_date: now, auction_end_date: now + UNIT_AUCTION_MIN };
  trade.assertListing(dexid, dates);
});

test("mrc402 §16, §17: before the start bids are 7203, from then on they are taken, at the end 7202; unauction works before the start", async () => {
  const x = await trade.x({}, { a: 10 });
  const starts = String(trade.now + 100);
  const dexid = await trade.lot(a, x, { auction_start_date: starts });
  const other = await trade.lot(a, x, { auction_start_date: starts });
  const back = "done: a +5 units, a -5 on auction";
  assert.equal((await trade.unauction(a, other)).outcome, back);
  trade.now += 99;
  assert.equal((await trade.bid(b, dexid, "100")).outcome, "409 7203");
  assert.equal((await trade.bid(b, x, "500")).outcome, "409 7203");
  assert.equal((await trade.finish(dexid)).outcome, "409 7201");
  trade.now += 1;
  assert.equal((await trade.bid(b, dexid, "100")).outcome, "done: b -100");
  trade.now += DAY - 1;
  assert.equal((await trade.bid(d, dexid, "105")).outcome, "done: b +100, d -105");
  trade.now += 1;
  assert.equal((await trade.bid(b, dexid, "110")).outcome, "409 7202");
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
  { change: { auction_bidding_unit: "" }, answer: "done", shown: { auction_bidding_unit: "1" } },
  { change: { auction_buynow_price: "100" }, answer: "400 3005" },
  { change: { auction_buynow_price: "99" }, answer: "400 3005" },
  {
    change: { auction_buynow_price: "101" },
    answer: "done",
    shown: { auction_buynow_price: "101" },
  },
  { change: { auction_buynow_price: "0" }, answer: "done", shown: { auction_buynow_price: "0" } },
  { change: { auction_buynow_price: "" }, answer: "done", shown: { auction_buynow_price: "0" } },
  { change: { auction_buynow_price: String(AMOUNT_MAX + 1n) }, answer: "400 1101" },
  {
    change: { auction_buynow_price: String(AMOUNT_MAX) },
    answer: "done",
    shown: { auction_buynow_price: String(AMOUNT_MAX) },
  },
  { change: { token: "9" }, answer: "done", shown: { sell_token: "9" } },
  { change: { token: "10" }, answer: "404 4001" },
  { change: { platform_commission: "10.01" }, answer: "400 3005" },
] as readonly { change: Element; answer: string; shown?: Partial<UnitListingShown> }[]) {
  for (const form of FORMS) {
    test(`mrc402 §14: the lot of row 49 with ${JSON.stringify(change)}, ${form} form: ${answer}`, async () => {
      const x = await trade.x({}, { a: 5 });
      assert.equal((await trade.lists("auction", form, a, x, change)).code, answer);
      if (answer === "done") {
        const { auction_dexid } = trade.record(x);
        trade.assertListing(auction_dexid, { amount: "5", ...shown });
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
    const [dexid = ""] = (await trade.done("auction", a, { itemdata })).made;
    trade.assertListing(dexid, shown);
  }
  const twice = [{ id: x, start: "7", token: "0", buynow: "9", bnynow: "10" }];
  assert.equal((await trade.send("auction", a, { itemdata: twice })).code, "400 1005");
});

test("mrc402 §2.2: units on auction can be neither sold, auctioned, transferred, burned nor melted", async () => {
  const x = await trade.x({ totalsupply: "5" });
  await trade.lot(c, x);
  for (const act of [
    () => trade.lists("sell", "quantity", c, x, { amount: "1" }),
    () => trade.send("auction", c, listingParams("auction", "item", x, { amount: "5" })),
    () => trade.send("transfer", c, { mrc402id: x, toAddr: b }),
    () => trade.send("burn", c, { mrc402id: x, amount: "1" }),
    () => trade.send("melt", c, { mrc402id: x, amount: "1" }),
  ]) {
    assert.equal((await act()).outcome, "409 7108");
  }
});
