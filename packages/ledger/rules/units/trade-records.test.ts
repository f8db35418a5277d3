import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import type { Address } from "@moneta/protocol";
import type { Params } from "../../testing/admitted.ts";
import type { Answer } from "../../testing/answer.ts";
import { assertRecords } from "../../testing/shown/expected-records.ts";
import {
  BLANK_UNIT_LISTING,
  type UnitItemShown,
  type UnitListingShown,
} from "../../testing/shown/shown-units.ts";
import { DAY, FORMS, listingParams, unitListingIdOf } from "../../testing/trade/unit-terms.ts";
import { UnitTrade } from "../../testing/trade/unit-trade.ts";

let trade: UnitTrade;
let p: Address;
let s: Address;
let m: Address;
let c: Address;
let a: Address;
let b: Address;
let d: Address;
beforeEach(async () => {
  trade = await UnitTrade.open({ tokens: 9 });
  ({ partner: p, seller: s, maker: m, c, a, b, d } = trade.cast);
  for (const holder of [b, d]) {
    await trade.client.pay(holder, 100_000n, { token: "2" });
  }
});
afterEach(() => trade[Symbol.dispose]());

const PLATFORM_NAMES = [
  "platform_name",
  "platform_url",
  "platform_address",
  "platform_commission",
] as const;

/** An item whose trade pays O 10 %, the maker 5 %, P as its platform 1 %, S 3 % and A 2 %. */
async function item(given = 20): Promise<string> {
  return trade.u(
    {
      totalsupply: "40",
      sell_fee: "10",
      creatorcommission: "5",
      platform_name: "Bazaar",
      platform_url: "https://bazaar.example/",
      platform_address: p,
      platform_commission: "1",
      shareholder: { [s]: "3", [a]: "2" },
    },
    { a: given },
  );
}

/** What a listing of `item` shows of its platform and fee. */
const ofItem = (): Partial<UnitListingShown> => ({
  sell_fee: "10",
  platform_name: "Bazaar",
  platform_url: "https://bazaar.example/",
  platform_address: p,
  platform_commission: "1",
});

const platformOf = (listing: Partial<UnitListingShown>): string[] =>
  PLATFORM_NAMES.map((name) => listing[name] ?? "");

function assertIs(dexid: string, fields: Partial<UnitListingShown>): void {
  const expected = { ...BLANK_UNIT_LISTING, dexid, ...fields };
  assert.deepEqual(trade.listing(dexid), expected);
}

test("mrc402 §3: a listing of an item that says nothing, by the only holder: nothing of it applies", async () => {
  const x = await trade.x();
  const dexid = await trade.sale(c, x, { token: "2" });
  assertIs(dexid, {
    mrc402: x,
    side: "sell",
    state: "open",
    seller: c,
    amount: "10",
    remain_amount: "10",
    sell_price: "30",
    sell_token: "2",
    regdate: trade.now,
    job_type: "mrc402_sell",
  });
});

test("mrc402 §2.1: ids of listings: of the actor, its key and the position in itemdata", async () => {
  const [x, u] = [await trade.x({}, { a: 9 }), await trade.u({ totalsupply: "3" })];
  const itemdata = [x, u].map((id) => ({ id, price: "7", token: "0" }));
  const both = itemdata.map((element) => ({ ...element, amount: "2" }));
  await trade.give(u, m, a, "3");
  for (const word of ["sell", "auction"] as const) {
    const elements = both.map(({ price, ...element }) => ({
      ...element,
      [word === "sell" ? "price" : "start"]: price,
      amount: "1",
    }));
    const { made, tkey } = await trade.done(word, a, { itemdata: elements });
    const ids = [0, 1].map((n) => unitListingIdOf(a, tkey, n));
    assert.deepEqual(made, ids);
    for (const [n, id] of [x, u].entries()) {
      trade.assertListing(ids[n] ?? "", { mrc402: id, amount: "1", remain_amount: "1" });
    }
  }
});

test("mrc402 §3: what an item shows of its listings: the oldest open one of each side, and how many", async () => {
  const x = await trade.x({}, { a: 50, b: 20 });
  const item = trade.record(x);
  const shown = async (fields: Partial<UnitItemShown>): Promise<void> =>
    assert.deepEqual(trade.record(x), { ...item, ...fields });
  trade.now += 5;
  const first = await trade.sale(a, x);
  const ofFirst = {
    sell_date: trade.now,
    sell_price: "30",
    sell_token: "0",
    sell_dexid: first,
  };
  await shown({ ...ofFirst, sell_count: 1 });
  trade.now += 5;
  const second = await trade.sale(b, x, { price: "20", token: "2" });
  const ofSecond = {
    sell_date: trade.now,
    sell_price: "20",
    sell_token: "2",
    sell_dexid: second,
  };
  await shown({ ...ofFirst, sell_count: 2 });
  assert.equal((await trade.unsell(a, first)).code, "done");
  await shown({ ...ofSecond, sell_count: 1 });
  assert.equal((await trade.unsell(b, second)).code, "done");
  await shown({});
  trade.now += 5;
  const auction_date = trade.now;
  const lots = [await trade.lot(a, x), await trade.lot(b, x, { token: "2" })] as const;
  const ofLot = {
    auction_date,
    auction_end: auction_date + DAY,
    auction_token: "0",
    auction_bidding_unit: "5",
    auction_start_price: "100",
    auction_buynow_price: "500",
    auction_dexid: lots[0],
    auction_count: 2,
  };
  await shown(ofLot);
  assert.equal((await trade.bid(d, lots[0], "105")).code, "done");
  const bid = { auction_current_price: "105", auction_current_bidder: d };
  await shown({ ...ofLot, ...bid });
  assert.equal((await trade.bid(d, lots[0], "500")).code, "done");
  const trade1 = {
    last_trade_date: trade.now,
    last_trade_amount: "500",
    last_trade_token: "0",
    last_trade_type: "Auction",
    holders: 4,
  };
  const ofSecondLot = { auction_dexid: lots[1], auction_token: "2", auction_count: 1 };
  await shown({ ...ofLot, ...ofSecondLot, ...trade1 });
  assert.equal((await trade.unauction(b, lots[1])).code, "done");
  await shown(trade1);
});

// §11 to §17: records.

/** The terms that a listing has, as its record L gives them. */
function termsOf(dexid: string): readonly string[] {
  const listing = trade.listing(dexid);
  const { seller, amount, mrc402, sell_price, sell_token } = listing;
  const own =
    listing.side === "sell"
      ? [sell_price, sell_token]
      : [
          listing.auction_start_price,
          sell_token,
          listing.auction_bidding_unit,
          listing.auction_buynow_price,
          String(listing.auction_start_date),
          String(listing.auction_end_date),
        ];
  return [dexid, seller, amount, mrc402, ...own, ...platformOf(listing)];
}

for (const word of ["sell", "auction"] as const) {
  const price = word === "sell" ? "price" : "auction_start_price";
  for (const { what, change } of [
    { what: "and nothing but what it must have", change: {} },
    {
      what: "and everything",
      change: {
        platform_name: "Fair",
        platform_url: "https://fair.example/",
        platform_address: "S",
        platform_commission: "2.5",
        ...(word === "sell" ? {} : { auction_bidding_unit: "5", auction_buynow_price: "500" }),
      },
    },
  ]) {
    test(`mrc402 §11, §14: ${word} in quantity form, ${what}: M as sent, L as it applies`, async () => {
      const u = await item();
      const now = trade.now;
      const dates = { auction_start_date: String(now + 9), auction_end_date: String(now + 9999) };
      const params: Record<string, string> = {
        amount: "5",
        [price]: "30",
        token: "2",
        ...change,
        ...("platform_address" in change ? { platform_address: s } : {}),
        ...("auction_bidding_unit" in change ? dates : {}),
      };
      const all = { id: u, ...params };
      const answer = await trade.done(word, a, all);
      const { signature, tkey } = answer;
      const dexid = unitListingIdOf(a, tkey);
      const names = [
        price,
        "token",
        ...(word === "sell"
          ? []
          : [
              "auction_bidding_unit",
              "auction_buynow_price",
              "auction_start_date",
              "auction_end_date",
            ]),
        ...PLATFORM_NAMES,
      ];
      const asSent = names.map((name) => params[name] ?? "");
      const first = [dexid, a, "5", u];
      assertRecords(
        trade.client,
        answer,
        [
          {
            type: `mrc402${word}`,
            of: a,
            parameters: [...first, ...asSent, signature, tkey],
            units: [u],
          },
          {
            type: `mrc402_${word}`,
            of: dexid,
            parameters: [...termsOf(dexid), signature, tkey],
          },
        ],
        "2",
      );
      const ofSent = {
        platform_name: "Fair",
        platform_commission: "2.5",
        platform_address: s,
      };
      trade.assertListing(dexid, "platform_name" in change ? ofSent : ofItem());
    });
  }

  test(`mrc402 §11, §14: ${word} of several in item form: M with itemdata as sent, L of each with what applies`, async () => {
    const [u, x] = [await item(), await trade.x({}, { a: 5 })];
    const own = word === "sell" ? `"price":30` : `"start":30`;
    const itemdata = `[ {"id":"${u}",${own},"token":"0"}, {"id":"${x}", ${own},"token":0,"amount":"5","platform_name":"é"} ]`;
    const answer = await trade.done(word, a, { itemdata });
    const { signature, tkey } = answer;
    const ids = [unitListingIdOf(a, tkey, 0), unitListingIdOf(a, tkey, 1)];
    const listings = await Promise.all(
      ids.map(async (dexid) => ({
        type: `mrc402_${word}`,
        of: dexid,
        parameters: [...termsOf(dexid), signature, tkey],
      })),
    );
    assertRecords(trade.client, answer, [
      {
        type: `mrc402${word}`,
        of: a,
        parameters: [itemdata, a, signature, tkey],
        units: [u, x],
      },
      ...listings,
    ]);
    assert.deepEqual(
      listings.map(({ parameters }) => parameters.slice(1, 4)),
      [
        [a, "1", u],
        [a, "5", x],
      ],
    );
  });

  const undo = word === "sell" ? "unsell" : "unauction";
  test(`mrc402 §12, §15: ${undo} by listing, partly bought or not: M and L with what went back`, async () => {
    const u = await item();
    const dexid = await trade.list(word, a, u, { token: "2" });
    if (word === "sell") {
      assert.equal((await trade.buy(b, dexid, "4")).code, "done");
    }
    const answer = await trade.done(undo, a, { id: dexid });
    const { signature, tkey } = answer;
    const terms = word === "sell" ? ["6", u, "30", "2"] : ["5", u, "100", "2"];
    const parameters = [dexid, a, ...terms, signature, tkey];
    assertRecords(
      trade.client,
      answer,
      [
        { type: `mrc402${undo}`, of: a, parameters, units: [u] },
        { type: `mrc402_${undo}`, of: dexid, parameters },
      ],
      "2",
    );
  });

  test(`mrc402 §12, §15: ${undo} of several, by item and by listing: M with itemdata as sent, L of each`, async () => {
    const [u, x] = [await item(), await trade.x({}, { a: 10 })];
    const ids = [await trade.list(word, a, u), await trade.list(word, a, x)] as const;
    const itemdata = ` ["${u}",  "${ids[1]}"]`;
    const answer = await trade.done(undo, a, { itemdata, seller: "" });
    const { signature, tkey } = answer;
    const terms = word === "sell" ? ["10", "30"] : ["5", "100"];
    const [amount = "", price1 = ""] = terms;
    assertRecords(trade.client, answer, [
      {
        type: `mrc402${undo}`,
        of: a,
        parameters: [itemdata, a, signature, tkey],
        units: [u, x],
      },
      ...[u, x].map((id, n) => ({
        type: `mrc402_${undo}`,
        of: ids[n] ?? "",
        parameters: [ids[n] ?? "", a, amount, id, price1, "0", signature, tkey],
      })),
    ]);
  });

  for (const form of FORMS) {
    test(`mrc402 §2.3: ${word} and ${undo} by an agent, ${form} form: one more A(creator), of M's type, with L's parameters`, async () => {
      const u = await trade.u({ totalsupply: "9" });
      const params = listingParams(word, form, u, { amount: "3" });
      const listed = await trade.done(word, s, params);
      const dexid = unitListingIdOf(s, listed.tkey);
      const undoing: Params = form === "item" ? { itemdata: [u] } : { id: dexid };
      const terms = [...termsOf(dexid), listed.signature, listed.tkey];
      assertAgent(listed, word, dexid, terms, u);
      const undone = await trade.done(undo, s, undoing);
      const unit = word === "sell" ? "30" : "100";
      const back = [dexid, m, "3", u, unit, "0", undone.signature, undone.tkey];
      assertAgent(undone, undo, dexid, back, u);
    });
  }
}

/** M of the agent S, for whom nothing moved; A of the creator and L, with equal parameters. */
function assertAgent(
  { record, effects }: Answer,
  word: string,
  dexid: string,
  parameters: readonly string[],
  u: string,
): void {
  const brief = (type: string, address: string, item?: string) => ({
    type,
    address,
    item,
    parameters,
  });
  assert.deepEqual(
    effects
      .map(({ type, address, item, parameters: given }) => ({
        type,
        address,
        item,
        parameters: given,
      }))
      .toSorted((one, other) => (one.type < other.type ? -1 : 1)),
    [brief(`mrc402_${word}`, "", dexid), brief(`mrc402${word}`, m)],
  );
  assert.deepEqual([record.type, record.address], [`mrc402${word}`, s]);
  assert.deepEqual(record.values, {}, "nothing has moved at the agent");
  const ofCreator = effects.find(({ address }) => address === m);
  const { moved, ...values } = ofCreator?.values ?? {};
  assert.deepEqual(values, { mrc402: { [u]: trade.client.holding(m, u) } });
  assert.deepEqual(
    (moved as readonly object[]).map((move) => Object.keys(move)),
    [["amount", "mrc402id"]],
  );
}
