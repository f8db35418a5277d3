import assert from "node:assert/strict";
import { test } from "node:test";
import { type Address, type Amount, NO_METADATA, type Rate, type TokenId } from "@moneta/protocol";
import { NO_TIMES } from "./auction.ts";
import { ITEM, type Item, NO_TRADE, NOT_LISTED, WITHOUT_POLICY } from "./item-entry.ts";
import type { StateReader } from "./state.ts";

const ALICE = "MTAlice00000000000000000000000005dc33c90" as Address;
const BOB = "MTBob0000000000000000000000000005f59bcba" as Address;
const T = 1767225600;

/** The example of mrc401 §6, as it stands there. */
const EXAMPLE = `{"id":"MRC400_c7735425f08d740230c98da57e9977dfc_0000000000000000000000000000000000000001","mrc400":"MRC400_c7735425f08d740230c98da57e9977dfc","owner":"",
 "holder":"MTAlice00000000000000000000000005dc33c90","creator":"MTBob0000000000000000000000000005f59bcba","item_url":"","item_image_url":"","groupid":"sword",
 "createdate":1767225600,"initial_reserve":"400","initial_token":"0","meltint_fee":"12.5","melting_fee":"12.5","melting_date":0,"expiredate":0,"transferable":"Permanent",
 "sell_date":1767225600,"sell_fee":"10","sell_price":"300","sell_token":"0","listing_fee":"10","auction_date":0,"auction_end":0,"auction_token":"0","auction_bidding_unit":"0",
 "auction_start_price":"0","auction_buynow_price":"0","auction_current_price":"0","auction_current_bidder":"","last_trade_date":0,"last_trade_amount":"0",
 "last_trade_token":"0","last_trade_type":"","policy":{},"policy_number":0,"face_price":"0","face_token":"0","held_since":0,
 "sell_start":0,"sell_end":0,"auction_extend":0,"auction_latest_end":0,"attributes":{},"metadatahash":"","frozen":0}`;

const example: Item = {
  id: "MRC400_c7735425f08d740230c98da57e9977dfc_0000000000000000000000000000000000000001",
  mrc400: "MRC400_c7735425f08d740230c98da57e9977dfc",
  projectOrder: 256,
  projectOwner: ALICE,
  groupedSince: 0,
  owner: "",
  creator: BOB,
  item_url: "",
  item_image_url: "",
  groupid: "sword",
  createdate: T,
  initial_reserve: 400n as Amount,
  initial_token: "0" as TokenId,
  meltint_fee: 125_000n as Rate,
  sell_fee: 100_000n as Rate,
  transferable: "Permanent",
  expiredate: 0,
  melting_date: 0,
  ...NO_TRADE,
  ...NOT_LISTED,
  ...{ ...NO_METADATA, ...WITHOUT_POLICY, held_since: 0 },
  sell_date: T,
  sell_price: 300n as Amount,
  listing_fee: 100_000n as Rate,
  order: 25_800,
};

const NOTHING = { policy_number: 0, face_price: "0", face_token: "0", held_since: 0 };
/** Nothing is read of an item without a policy. */
const NO_STATE = {} as StateReader;

const AUCTION = {
  auction_date: T,
  auction_end: T + 3600,
  auction_token: "7" as TokenId,
  auction_start_price: 100n as Amount,
  auction_bidding_unit: 5n as Amount,
  listing_fee: 25_000n as Rate,
};

/** The example as it is when it is neither on sale nor on auction. */
const idle: Item = { ...example, ...NOT_LISTED };

test("mrc401 §6: the example, with every field and no other", () => {
  assert.deepEqual(ITEM.view?.(example, NO_STATE), JSON.parse(EXAMPLE));
});

test("chain §5: a block commits to what is shown but for what follows from the rest, and for a policy that there is not", () => {
  const shown = JSON.parse(EXAMPLE) as Record<string, unknown>;
  const { holder, melting_fee, policy, policy_number, ...others } = shown;
  const { face_price, face_token, held_since, ...timed } = others;
  const { sell_start, sell_end, auction_extend, auction_latest_end, ...described } = timed;
  const { attributes, metadatahash, frozen, ...committed } = described;
  assert.deepEqual([holder, melting_fee, policy], [ALICE, "12.5", {}]);
  assert.deepEqual({ policy_number, face_price, face_token, held_since }, NOTHING);
  assert.deepEqual({ sell_start, sell_end, auction_extend, auction_latest_end }, NO_TIMES);
  assert.deepEqual({ attributes, metadatahash, frozen }, NO_METADATA);
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
  { what: "idle", item: idle, shown: unlisted },
  {
    what: "held by somebody else",
    item: { ...idle, owner: BOB },
    shown: { ...unlisted, owner: BOB, holder: BOB },
  },
  {
    what: "melted, its reserve as it was created with",
    item: { ...idle, owner: "MELTED" as const, melting_date: T + 9 },
    shown: { ...unlisted, owner: "MELTED", holder: "", melting_date: T + 9 },
  },
  {
    what: "on auction without a bid",
    item: { ...idle, ...AUCTION },
    shown: onAuction,
  },
  {
    what: "on auction with a bid",
    item: {
      ...{ ...idle, ...AUCTION },
      ...{ auction_current_price: 105n as Amount, auction_current_bidder: BOB },
    },
    shown: { ...onAuction, auction_current_price: "105", auction_current_bidder: BOB },
  },
  {
    what: "traded before",
    item: {
      ...idle,
      ...{ last_trade_date: T, last_trade_amount: 9n as Amount },
      ...{ last_trade_token: "7" as TokenId, last_trade_type: "Sell" as const },
    },
    shown: {
      ...unlisted,
      ...{ last_trade_date: T, last_trade_amount: "9" },
      ...{ last_trade_token: "7", last_trade_type: "Sell" },
    },
  },
]) {
  test(`mrc401 §6: an item that is ${what}`, () =>
    assert.deepEqual(ITEM.view?.(item, NO_STATE), shown));
}

test("items are found by project, holder, group, condition, the token asked for, price of a sale, and end and bidder of an auction that is not closed", () => {
  const { columns } = typeof ITEM.table === "object" ? ITEM.table : assert.fail();
  const cells = (item: Item): unknown =>
    Object.fromEntries(Object.entries(columns).map(([name, { of }]) => [name, of(item)]));
  const same = {
    ...{ project: 256, groupid: "sword" },
    ...{ auction_end: undefined, price: undefined, bidder: "", sell_end: undefined },
  };
  const onSale = { ...same, holder: ALICE, condition: 1, asked_token: 0, price: "113" };
  assert.deepEqual(cells(example), onSale);
  const bid = { auction_current_price: 100n as Amount, auction_current_bidder: ALICE };
  const sold = { ...idle, ...AUCTION, ...bid, owner: BOB };
  assert.deepEqual(cells(sold), {
    ...same,
    holder: BOB,
    condition: 2,
    asked_token: 7,
    auction_end: T + 3600,
    bidder: ALICE,
  });
  const unlisted = { ...same, asked_token: -1 };
  const melted = { ...idle, owner: "MELTED" as const, melting_date: T };
  assert.deepEqual(cells(melted), { ...unlisted, holder: "", condition: 3 });
  const ungrouped = { ...unlisted, holder: ALICE, groupid: undefined, condition: 0 };
  assert.deepEqual(cells({ ...idle, groupid: "" }), ungrouped);
});

test("policies §1: an item with a policy commits to its number, its face price and since when it is held", () => {
  const bounded = { ...idle, policy_number: 2, face_price: 100n as Amount, held_since: T };
  const { policy_number, face_price, held_since, ...others } = ITEM.json(bounded) as Record<
    string,
    unknown
  >;
  assert.deepEqual(
    { policy_number, face_price, held_since },
    { policy_number: 2, face_price: "100", held_since: T },
  );
  assert.deepEqual(others, ITEM.json(idle));
  assert.deepEqual(
    ITEM.restore(ITEM.entry?.(bounded) ?? null, ITEM.beside?.(bounded) ?? null),
    bounded,
  );
  assert.deepEqual(ITEM.restore(ITEM.entry?.(idle) ?? null, ITEM.beside?.(idle) ?? null), idle);
});
