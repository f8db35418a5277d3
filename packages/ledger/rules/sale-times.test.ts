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

/** A sale of one kind of goods between two times, relative to now. */
interface Sold {
  readonly market: { now: number };
  readonly buy: () => Promise<string>;
  readonly unsell: () => Promise<string>;
}

const full = { signed: "full" };

const SALES = {
  async item(start: number, end: number): Promise<Sold> {
    const { a, b } = items.cast;
    const window = { sell_start: at(items, start), sell_end: at(items, end) };
    const x = await items.onSale({}, window);
    return {
      market: items,
      buy: async () => (await items.buy(b, x)).code,
      unsell: async () => (await items.unsell(a, x)).code,
    };
  },
  async "units in item form"(start: number, end: number): Promise<Sold> {
    return unitSale("item", start, end);
  },
  async "units in quantity form"(start: number, end: number): Promise<Sold> {
    return unitSale("quantity", start, end);
  },
  async tokens(start: number, end: number): Promise<Sold> {
    const window = { sell_start: at(tokens, start), sell_end: at(tokens, end), ...full };
    const { dexid, take, s } = await tokens.listed("mrc010sell", { change: window });
    return {
      market: tokens,
      buy: async () => (await take("10")).code,
      unsell: async () => (await tokens.send("mrc010unsell", s, { dexid })).code,
    };
  },
};

async function unitSale(form: "item" | "quantity", start: number, end: number): Promise<Sold> {
  const { a, b } = units.cast;
  const x = await units.x({}, { a: 60 });
  const window = { sell_start: at(units, start), sell_end: at(units, end) };
  const signed = form === "quantity" ? full : {};
  const dexid = await units.list("sell", a, x, { ...window, ...signed }, form);
  return {
    market: units,
    buy: async () => (await units.buy(b, dexid, "1")).code,
    unsell: async () => (await units.unsell(a, dexid)).code,
  };
}

/** So many seconds from now; `0` for none. */
function at(market: { readonly now: number }, seconds: number): string {
  return seconds === 0 ? "0" : String(market.now + seconds);
}

for (const [goods, sale] of Object.entries(SALES)) {
  test(`mrc401 §12, mrc402 §13, tokens §11: a sale of ${goods} is open from its start until before its end, and can be taken off afterwards`, async () => {
    const { market, buy } = await sale(HOUR, 2 * HOUR);
    const begin = market.now;
    for (const [seconds, answer] of [
      [HOUR - 1, "409 7203"],
      [HOUR, "done"],
    ] as const) {
      market.now = begin + seconds;
      assert.equal(await buy(), answer);
    }
    const second = await sale(0, HOUR);
    const later = second.market.now;
    second.market.now = later + HOUR;
    assert.equal(await second.buy(), "409 7202");
    assert.equal(await second.unsell(), "done");
  });
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
  test(`mrc402 §11, tokens §9: the end of a sale of ${goods} needs a full signature where the signed string lacks it`, async () => {
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

/** An auction of one kind of goods, with `extend` 300 and an end in an hour. */
interface Auctioned {
  readonly market: { now: number };
  readonly bid: (step: number) => Promise<string>;
  readonly shown: () => { readonly end: number; readonly latest: unknown };
}

const AUCTIONS = {
  async item(): Promise<Auctioned> {
    const { b, d } = items.cast;
    const terms = { end: at(items, HOUR), extend: "300", buynow: "0" };
    const x = await items.onAuction({}, { change: terms });
    return {
      market: items,
      bid: async (step) => (await items.bid(step % 2 ? b : d, x, String(100 + step * 5))).code,
      shown: () => {
        const { auction_end: end, auction_latest_end: latest } = items.shown(x);
        return { end, latest };
      },
    };
  },
  async "units in item form"(): Promise<Auctioned> {
    return unitAuction("item", { end: at(units, HOUR), extend: "300", buynow: "0" });
  },
  async "units in quantity form"(): Promise<Auctioned> {
    const end = { auction_end_date: at(units, HOUR), auction_buynow_price: "0" };
    return unitAuction("quantity", { ...end, extend: "300", ...full });
  },
  async tokens(): Promise<Auctioned> {
    const end = { auction_end_date: at(tokens, HOUR), auction_buynow_price: "0" };
    const { dexid, b, b2 } = await tokens.auctioned({ change: { ...end, extend: "300", ...full } });
    await tokens.client.pay(b, 100_000n);
    await tokens.client.pay(b2, 100_000n);
    return {
      market: tokens,
      bid: (step) => tokens.bid(step % 2 ? b : b2, dexid, String(100 + step * 5)),
      shown: () => endsOf(tokens.listing(dexid)),
    };
  },
};

async function unitAuction(
  form: "item" | "quantity",
  terms: Readonly<Record<string, string>>,
): Promise<Auctioned> {
  const { a, b, d } = units.cast;
  const x = await units.x({}, { a: 60 });
  const dexid = await units.list("auction", a, x, terms, form);
  return {
    market: units,
    bid: async (step) => (await units.bid(step % 2 ? b : d, dexid, String(100 + step * 5))).code,
    shown: () => endsOf(units.listing(dexid)),
  };
}

function endsOf(listing: { readonly auction_end_date: number }): ReturnType<Auctioned["shown"]> {
  const all = Object.entries(listing);
  return {
    end: listing.auction_end_date,
    latest: all.find(([name]) => name === "auction_latest_end")?.[1],
  };
}

for (const [goods, auction] of Object.entries(AUCTIONS)) {
  test(`mrc401 §18 row 83: an auction of ${goods} with extend 300: bids with 300 s, 299 s and 10 s left, and after that for two days: the end moves each time, never past the first end + 86400`, async () => {
    const { market, bid, shown } = await auction();
    const first = shown().end;
    assert.deepEqual(shown(), { end: first, latest: first + DAY });
    let step = 0;
    for (const [left, ends] of [
      [300, first],
      [299, first + 1],
      [10, first + 291],
    ] as const) {
      market.now = shown().end - left;
      assert.equal(await bid(step), "done");
      assert.equal(shown().end, ends);
      step += 1;
    }
    // So many bids would move the end by two days.
    while (step < (2 * DAY) / 299 + 10) {
      market.now = shown().end - 1;
      const expected = Math.min(market.now + 300, first + DAY);
      const wasLast = shown().end === first + DAY;
      assert.equal(await bid(step), "done");
      assert.equal(shown().end, expected);
      step += 1;
      if (wasLast) {
        break;
      }
    }
    market.now = first + DAY;
    assert.equal(await bid(step), "409 7202");
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
