import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Address } from "@moneta/protocol";
import { assertRecords } from "../../testing/shown/expected-records.ts";
import { T } from "../../testing/test-ledger.ts";
import type { Element } from "../../testing/trade/creations.ts";
import { AUCTION, AUCTION_MAX, AUCTION_MIN, UNLISTED } from "../../testing/trade/item-terms.ts";
import { ItemTrade } from "../../testing/trade/item-trade.ts";

const AMOUNT_MAX = 10n ** 40n;

let trade: ItemTrade;
let a: Address;
before(async () => {
  trade = await ItemTrade.open({ tokens: 9 });
  ({ a } = trade.cast);
});
after(() => trade[Symbol.dispose]());

for (const { end, ends } of [
  { end: undefined, ends: AUCTION_MIN },
  { end: () => "0", ends: AUCTION_MIN },
  { end: () => "", ends: AUCTION_MIN },
  { end: (now: number) => String(now + 10), ends: AUCTION_MIN },
  { end: (now: number) => String(now - 10), ends: AUCTION_MIN },
  { end: (now: number) => String(now + AUCTION_MIN + 1), ends: AUCTION_MIN + 1 },
  { end: (now: number) => String(now + 7200), ends: 7200 },
  { end: (now: number) => now + 7200, ends: 7200 },
  { end: (now: number) => String(now + AUCTION_MAX), ends: AUCTION_MAX },
  { end: (now: number) => String(now + AUCTION_MAX + 1), ends: AUCTION_MAX },
  { end: () => String(AMOUNT_MAX), ends: AUCTION_MAX },
]) {
  const shown = end === undefined ? "absent" : JSON.stringify(end(T)).replaceAll(String(T), "T");
  test(`mrc401 §18 row 66: auction X: end ${shown}: auction_end T+${ends}`, async () => {
    const { now } = trade;
    const x = await trade.onAuction({}, { change: end === undefined ? {} : { end: end(now) } });
    trade.assertItem(x, { auction_date: now, auction_end: now + ends });
  });
}

// biome-ignore format: a line for each case
for (const { terms, answer, item } of [
  { terms: { buynow: "100" }, answer: "400 3005 itemdata[0].buynow" },
  { terms: { buynow: "99" }, answer: "400 3005 itemdata[0].buynow" },
  { terms: { bnynow: "100" }, answer: "400 3005 itemdata[0].buynow" },
  { terms: { bnynow: "101" }, answer: "done", item: { auction_buynow_price: "101" } },
  { terms: { buynow: "101", bnynow: "101" }, answer: "done", item: { auction_buynow_price: "101" } },
  { terms: { buynow: "101", bnynow: "102" }, answer: "400 1005 itemdata[0].buynow" },
  { terms: { buynow: "0" }, answer: "done", item: { auction_buynow_price: "0" } },
  { terms: { buynow: "x" }, answer: "400 1101 itemdata[0].buynow" },
  { terms: { start: "0" }, answer: "400 1101 itemdata[0].start" },
  { terms: { start: "" }, answer: "400 1000 itemdata[0].start" },
  { terms: { start: String(AMOUNT_MAX + 1n) }, answer: "400 1101 itemdata[0].start" },
  { terms: { start: String(AMOUNT_MAX) }, answer: "done", item: { auction_start_price: String(AMOUNT_MAX) } },
  { terms: { bidding: "0" }, answer: "400 1101 itemdata[0].bidding" },
  { terms: { bidding: "" }, answer: "done", item: { auction_bidding_unit: "1" } },
  { terms: { bidding: 5, start: 100, token: 0 }, answer: "done", item: { auction_bidding_unit: "5" } },
  { terms: { end: "x" }, answer: "400 1102 itemdata[0].end" },
  { terms: { end: "-1" }, answer: "400 1102 itemdata[0].end" },
  { terms: { token: "" }, answer: "400 1000 itemdata[0].token" },
  { terms: { token: "x" }, answer: "400 1101 itemdata[0].token" },
  { terms: { token: "10" }, answer: "404 4001 itemdata[0].token" },
  { terms: { token: "9" }, answer: "done", item: { auction_token: "9" } },
  { terms: { id: "" }, answer: "400 1000 itemdata[0].id" },
] as readonly { terms: Element; answer: string; item?: object }[]) {
  test(`mrc401 §18 row 67: start 100 with ${JSON.stringify(terms)}: ${answer}`, async () => {
    const x = await trade.x();
    const itemdata = [{ id: x, start: "100", token: "0", ...terms }];
    assert.equal((await trade.send("mrc401auction", a, { itemdata })).said, answer);
    trade.assertItem(x, item ?? UNLISTED);
  });
}

test("mrc401 §14: auction sets these fields and no others", async () => {
  const x = await trade.x();
  const item = trade.shown(x);
  trade.now += 3;
  assert.equal((await trade.auction(a, x)).outcome, "done");
  const { now } = trade;
  assert.deepEqual(trade.shown(x), {
    ...item,
    auction_date: now,
    auction_end: now + AUCTION_MIN,
    auction_token: AUCTION.token,
    auction_bidding_unit: AUCTION.bidding,
    auction_start_price: AUCTION.start,
    auction_buynow_price: AUCTION.buynow,
    auction_current_price: "0",
    auction_current_bidder: "",
    listing_fee: "10",
  });
});

test("mrc401 §14: auction with nothing but what it must have: I has the defaults filled in; names and numbers as sent in M only", async () => {
  const id = await trade.x();
  const itemdata = `[{"bnynow":101,"id":"${id}","start":100,"token":2}]`;
  const answer = await trade.done("mrc401auction", a, { itemdata });
  const { signature, tkey } = answer;
  const terms = ["100", "2", "101", "1", signature, tkey];
  assertRecords(trade.client, answer, [
    { type: "mrc401auction", of: a, parameters: [itemdata, a, signature, tkey] },
    { type: "mrc401_auction", of: id, parameters: [id, a, ...terms] },
  ]);
  const other = await trade.x();
  const least = [{ id: other, start: "7", token: "0" }];
  const second = await trade.done("mrc401auction", a, { itemdata: least });
  const by = [second.signature, second.tkey];
  assertRecords(trade.client, second, [
    { type: "mrc401auction", of: a, parameters: [JSON.stringify(least), a, ...by] },
    {
      type: "mrc401_auction",
      of: other,
      parameters: [other, a, "7", "0", "0", "1", ...by],
    },
  ]);
});
