import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Address,
  type Amount,
  canonicalJson,
  type Rate,
  type TokenId,
  type Transferable,
} from "@moneta/protocol";
import fc from "fast-check";
import { type Condition, holderOf, IDLE, ITEM, type Item, type OnAuction } from "./item-entry.ts";

const ALICE = "MTAlice00000000000000000000000005dc33c90" as Address;
const BOB = "MTBob0000000000000000000000000005f59bcba" as Address;
const T = 1767225600;

/** The example of mrc401 §6, as it stands there. */
const EXAMPLE = `{"id":"MRC400_c7735425f08d740230c98da57e9977dfc_0000000000000000000000000000000000000001","mrc400":"MRC400_c7735425f08d740230c98da57e9977dfc","owner":"",
 "holder":"MTAlice00000000000000000000000005dc33c90","creator":"MTBob0000000000000000000000000005f59bcba","item_url":"","item_image_url":"","groupid":"sword",
 "createdate":1767225600,"initial_reserve":"400","initial_token":"0","meltint_fee":"12.5","melting_fee":"12.5","melting_date":0,"expiredate":0,"transferable":"Permanent",
 "sell_date":1767225600,"sell_fee":"10","sell_price":"300","sell_token":"0","listing_fee":"10","auction_date":0,"auction_end":0,"auction_token":"0","auction_bidding_unit":"0",
 "auction_start_price":"0","auction_buynow_price":"0","auction_current_price":"0","auction_current_bidder":"","last_trade_date":0,"last_trade_amount":"0",
 "last_trade_token":"0","last_trade_type":""}`;

const example: Item = {
  id: "MRC400_c7735425f08d740230c98da57e9977dfc_0000000000000000000000000000000000000001",
  project: "MRC400_c7735425f08d740230c98da57e9977dfc",
  projectOrder: 256,
  projectOwner: ALICE,
  owner: "",
  creator: BOB,
  url: "",
  imageUrl: "",
  group: "sword",
  createDate: T,
  reserve: 400n as Amount,
  reserveToken: "0" as TokenId,
  meltFee: 125_000n as Rate,
  sellFee: 100_000n as Rate,
  transferable: "Permanent",
  expireDate: 0,
  lastTrade: undefined,
  condition: {
    is: "on sale",
    date: T,
    price: 300n as Amount,
    token: "0" as TokenId,
    listingFee: 100_000n as Rate,
  },
  order: 25_800,
};

const auction: OnAuction = {
  is: "on auction",
  date: T,
  token: "7" as TokenId,
  listingFee: 25_000n as Rate,
  auction: {
    startPrice: 100n as Amount,
    bidUnit: 5n as Amount,
    buyNowPrice: 0n as Amount,
    endDate: T + 3600,
    bid: undefined,
  },
};

/** As objects are by nature. */
const plain = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<T> =>
  fc.record(model, { noNullPrototype: true }) as fc.Arbitrary<T>;

const date = fc.integer({ min: 1, max: 253_402_300_799 });
const amount = fc.bigInt(0n, 10n ** 40n).map((value) => value as Amount);
const rate = fc.bigInt(0n, 999_999n).map((value) => value as Rate);
const token = fc.constantFrom("0", "7", "9007199254740991").map((id) => id as TokenId);
const address = fc.constantFrom(ALICE, BOB);

const conditions: fc.Arbitrary<Condition> = fc.oneof(
  fc.constant(IDLE),
  plain({ is: fc.constant("melted" as const), date }),
  plain({ is: fc.constant("on sale" as const), date, price: amount, token, listingFee: rate }),
  plain({
    is: fc.constant("on auction" as const),
    date,
    token,
    listingFee: rate,
    auction: plain({
      startPrice: amount,
      bidUnit: amount,
      buyNowPrice: amount,
      endDate: date,
      bid: fc.option(plain({ bidder: address, amount }), { nil: undefined }),
    }),
  }),
);

const items: fc.Arbitrary<Item> = plain({
  id: fc.constant(example.id),
  project: fc.constant(example.project),
  projectOrder: fc.nat(),
  projectOwner: address,
  owner: fc.constantFrom<Address | "">("", ALICE, BOB),
  creator: address,
  url: fc.string(),
  imageUrl: fc.string({ unit: "grapheme" }),
  group: fc.string({ unit: "binary" }),
  createDate: date,
  reserve: amount,
  reserveToken: token,
  meltFee: rate,
  sellFee: rate,
  transferable: fc.constantFrom<Transferable>("Permanent", "Bound", "Temporary"),
  expireDate: fc.oneof(fc.constant(0), date),
  lastTrade: fc.option(
    plain({
      date,
      amount,
      token,
      type: fc.constantFrom("Sell" as const, "Auction" as const),
    }),
    { nil: undefined },
  ),
  condition: conditions,
  order: fc.nat(),
});

test("mrc401 §6: the example, with every field and no other", () => {
  assert.deepEqual(ITEM.view?.(example), JSON.parse(EXAMPLE));
  assert.deepEqual(ITEM.restore(ITEM.stored?.(example) ?? ""), example);
});

test("chain §5: a block commits to what is shown but for what follows from the rest: holder and melting_fee", () => {
  const { holder, melting_fee, ...committed } = JSON.parse(EXAMPLE) as Record<string, unknown>;
  assert.deepEqual([holder, melting_fee], [ALICE, "12.5"]);
  assert.deepEqual(ITEM.json(example), committed);
  assert.equal(ITEM.prefix + ITEM.id(example), `mrc401/${example.id}`);
});

const { sell_date, sell_price, sell_token, listing_fee, ...others } = JSON.parse(EXAMPLE);
const unlisted = {
  ...others,
  ...{ sell_date: 0, sell_price: "0", sell_token: "0", listing_fee: "0" },
};
const onAuction = {
  ...unlisted,
  auction_date: T,
  auction_end: T + 3600,
  auction_token: "7",
  auction_bidding_unit: "5",
  auction_start_price: "100",
  listing_fee: "2.5",
};

for (const { what, item, shown } of [
  { what: "idle", item: { ...example, condition: IDLE }, shown: unlisted },
  {
    what: "held by somebody else",
    item: { ...example, condition: IDLE, owner: BOB },
    shown: { ...unlisted, owner: BOB, holder: BOB },
  },
  {
    what: "melted, its reserve as it was created with",
    item: { ...example, owner: BOB, condition: { is: "melted" as const, date: T + 9 } },
    shown: { ...unlisted, owner: "MELTED", holder: "", melting_date: T + 9 },
  },
  {
    what: "on auction without a bid",
    item: { ...example, condition: auction },
    shown: onAuction,
  },
  {
    what: "on auction with a bid",
    item: {
      ...example,
      condition: {
        ...auction,
        auction: { ...auction.auction, bid: { bidder: BOB, amount: 105n as Amount } },
      },
    },
    shown: { ...onAuction, auction_current_price: "105", auction_current_bidder: BOB },
  },
  {
    what: "traded before",
    item: {
      ...example,
      condition: IDLE,
      lastTrade: { date: T, amount: 9n as Amount, token: "7" as TokenId, type: "Sell" as const },
    },
    shown: {
      ...unlisted,
      ...{ last_trade_date: T, last_trade_amount: "9" },
      ...{ last_trade_token: "7", last_trade_type: "Sell" },
    },
  },
]) {
  test(`mrc401 §6: an item that is ${what}`, () => assert.deepEqual(ITEM.view?.(item), shown));
}

test("an item that is stored and restored is the same", () =>
  fc.assert(
    fc.property(items, (item) => {
      const stored = canonicalJson(ITEM.stored?.(item) ?? "");
      assert.deepEqual(ITEM.restore(JSON.parse(stored)), item);
    }),
    { numRuns: 500 },
  ));

test("what is shown of any item has the fields of mrc401 §6, amounts as text and times as numbers", () =>
  fc.assert(
    fc.property(items, (item) => {
      const shown = ITEM.view?.(item) as Record<string, unknown>;
      const wanted = JSON.parse(EXAMPLE) as Record<string, unknown>;
      assert.deepEqual(Object.keys(shown).sort(), Object.keys(wanted).sort());
      for (const [name, value] of Object.entries(wanted)) {
        assert.equal(typeof shown[name], typeof value, name);
      }
      const { holder, melting_fee, ...committed } = shown;
      assert.deepEqual(ITEM.json(item), committed);
      assert.deepEqual([holder, melting_fee], [holderOf(item), shown["meltint_fee"]]);
    }),
  ));

test("two items are the same if they look the same", () =>
  fc.assert(
    fc.property(items, items, (one, other) => {
      assert.ok(ITEM.isSame(one, { ...one }));
      const isSame = canonicalJson(ITEM.json(one)) === canonicalJson(ITEM.json(other));
      assert.equal(ITEM.isSame(one, other), isSame);
    }),
  ));

test("items are found by project, holder, group, condition, the token asked for, price of a sale, and end and bidder of an auction that is not closed", () => {
  const { columns } = typeof ITEM.table === "object" ? ITEM.table : assert.fail();
  const cells = (item: Item): unknown =>
    Object.fromEntries(Object.entries(columns).map(([name, { of }]) => [name, of(item)]));
  const same = {
    ...{ project: 256, groupid: "sword" },
    ...{ auction_end: undefined, price: undefined, bidder: "" },
  };
  const onSale = { ...same, holder: ALICE, condition: 1, asked_token: 0, price: "113" };
  assert.deepEqual(cells(example), onSale);
  const bid = { bidder: ALICE, amount: 100n as Amount };
  const withBid = { ...auction, auction: { ...auction.auction, bid } };
  const sold = { ...example, owner: BOB, condition: withBid };
  assert.deepEqual(cells(sold), {
    ...same,
    holder: BOB,
    condition: 2,
    asked_token: 7,
    auction_end: T + 3600,
    bidder: ALICE,
  });
  const unlisted = { ...same, asked_token: -1 };
  const melted = { ...example, condition: { is: "melted" as const, date: T } };
  assert.deepEqual(cells(melted), { ...unlisted, holder: "", condition: 3 });
  const plain = { ...example, group: "", condition: IDLE };
  const idle = { ...unlisted, holder: ALICE, groupid: undefined, condition: 0 };
  assert.deepEqual(cells(plain), idle);
});
