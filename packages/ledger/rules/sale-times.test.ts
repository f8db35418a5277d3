import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createProject } from "../testing/trade/creations.ts";
import { ItemTrade } from "../testing/trade/item-trade.ts";
import { TokenMarket } from "../testing/trade/token-market.ts";
import { UnitTrade } from "../testing/trade/unit-trade.ts";

const HOUR = 3600;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

let items: ItemTrade;
let units: UnitTrade;
let tokens: TokenMarket;
before(async () => {
  items = await ItemTrade.open();
  units = await UnitTrade.open();
  tokens = await TokenMarket.open();
});
after(() => {
  items[Symbol.dispose]();
  units[Symbol.dispose]();
  tokens[Symbol.dispose]();
});

const full = { signed: "full" };

/** So many seconds from now; `0` for none. */
function at(market: { readonly now: number }, seconds: number): string {
  return seconds === 0 ? "0" : String(market.now + seconds);
}

for (const { start, end, answer } of [
  { start: YEAR, end: 0, answer: "done" },
  { start: YEAR + 1, end: 0, answer: "400 3005 itemdata[0].sell_start" },
  { start: 0, end: 1, answer: "done" },
  { start: HOUR, end: HOUR, answer: "400 3005 itemdata[0].sell_end" },
  { start: HOUR, end: HOUR + 1, answer: "done" },
  { start: 0, end: -1, answer: "400 3005 itemdata[0].sell_end" },
]) {
  test(`mrc401 §10: a sale from T+${start} to T+${end}: ${answer}, also of a new item and of units`, async () => {
    const x = await items.x();
    const window = { sell_start: at(items, start), sell_end: at(items, end) };
    assert.equal((await items.sell(items.cast.a, x, window)).said, answer);

    const { o, q } = items.cast;
    const itemdata = [{ sell_price: "5", ...window }];
    assert.equal((await items.send("mrc401create", o, { mrc400id: q, itemdata })).said, answer);
    assert.equal((await items.send("mrc402create", o, { mrc400id: q, itemdata })).said, answer);
  });
}

test("mrc401 §10: dates of a sale that is not asked for have no effect", async () => {
  const x = await items.fresh({ sell_end: "1" });
  items.assertItem(x, { sell_date: 0 });
  assert.equal(items.shown(x).sell_end, 0);
});

for (const [goods, send] of [
  [
    "units",
    async () => {
      const { a } = units.cast;
      const x = await units.x({}, { a: 60 });
      return units.lists("sell", "quantity", a, x, { sell_end: at(units, HOUR) });
    },
  ],
  [
    "tokens",
    async () => {
      const parties = await tokens.parties();
      const change = { sell_end: at(tokens, HOUR) };
      return tokens.send("mrc010sell", parties.s, tokens.listing1(parties, change));
    },
  ],
] as const) {
  test(`market §2.1: the end of a sale of ${goods} needs a full signature where the signed string lacks it`, async () => {
    assert.equal((await send()).code, "401 2010");
  });
}

for (const act of ["sell", "auction", "transfer", "melt"] as const) {
  test(`mrc401 §18 row 82: ${act} of an item while its sale is open: 7108; once it has ended: done, and the sale is left`, async () => {
    const { a, d } = items.cast;
    const x = await items.onSale({}, { sell_end: at(items, HOUR) });
    const acts = {
      sell: () => items.sell(a, x, { price: "7" }),
      auction: () => items.auction(a, x),
      transfer: () => items.transfer(a, x, d),
      melt: () => items.melt(a, x),
    };
    const end = items.now + HOUR;
    items.now = end - 1;
    assert.equal((await acts[act]()).code, "409 7108");
    items.now = end;
    assert.equal((await acts[act]()).code, "done");
    const isSold = act === "sell";
    items.assertItem(x, { sell_price: isSold ? "7" : "0", sell_date: isSold ? end : 0 });
    assert.equal(items.shown(x).sell_end, 0);
  });
}

test("mrc401 §16: the record of a bid that moves the end has it in its values", async () => {
  const { client, cast } = items;
  const x = await items.onAuction({}, { change: { extend: "300" } });
  items.untilEnd(x);
  items.now -= 100;
  const { record } = await client.done("mrc401bid", cast.b, { mrc401id: x, amount: "100" });
  const { effects = [] } = record ?? {};
  const { values } = effects.find(({ type }) => type === "mrc401_auctionbid") ?? {};
  assert.deepEqual(values, {
    auction_current_bidder: cast.b,
    auction_current_price: "100",
    auction_end: items.now + 300,
  });
});

test("mrc401 §16: a bid of the buy-now price closes the auction, whatever extend says", async () => {
  const { a, b } = units.cast;
  const x = await units.x({}, { a: 60 });
  const dexid = await units.lot(a, x, { extend: "300", ...full });
  const { auction_end_date: end } = units.listing(dexid);
  units.now = end - 1;
  assert.equal((await units.bid(b, dexid, "500")).code, "done");
  units.assertListing(dexid, { state: "sold", auction_end_date: end });
});

for (const extend of ["3601", "-1", "x", "1.5"]) {
  test(`mrc401 §14: extend ${extend}: 1101`, async () => {
    const x = await items.x();
    const { said } = await items.auction(items.cast.a, x, { extend });
    assert.equal(said, "400 1101 itemdata[0].extend");
  });
}

test("mrc401 §14: bids do not move the end of an auction past the time at which the policy closes, unless the issuer sells", async () => {
  const { a, b, o } = items.cast;
  const closes = items.now + 2 * HOUR;
  const policy = JSON.stringify({ closes });
  const project = await createProject(items.client, o, {}, { policy, ...full });
  const end = closes - 100;
  const terms = { end: String(end), extend: "300" };
  const sold = [
    { seller: a, x: await items.x({}, project), latest: closes },
    { seller: o, x: await items.fresh({}, project), latest: end + DAY },
  ];
  for (const { seller, x, latest } of sold) {
    assert.equal((await items.auction(seller, x, terms)).code, "done");
    items.assertItem(x, { auction_latest_end: latest });
  }
  items.now = end - 10;
  for (const { x, latest } of sold) {
    assert.equal((await items.bid(b, x, "100")).code, "done");
    items.assertItem(x, { auction_end: Math.min(end + 290, latest) });
  }
});
