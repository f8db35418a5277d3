import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Address,
  type Amount,
  explain,
  NO_METADATA,
  NO_RATE,
  type Rate,
  type TokenId,
  type Transferable,
} from "@moneta/protocol";
import {
  holderOf,
  ITEM,
  type Item,
  NO_TRADE,
  NOT_LISTED,
  WITHOUT_POLICY,
} from "../../state/item-entry.ts";
import type { StateReader } from "../../state/state.ts";
import {
  type Act,
  melted,
  passedOn,
  putOnAuction,
  putOnSale,
  refuseAct,
  takenOff,
  tradedTo,
  withBid,
} from "./item-life.ts";

const OWNER = "MTAlice00000000000000000000000005dc33c90" as Address;
const HOLDER = "MTBob0000000000000000000000000005f59bcba" as Address;
const T = 1767225600;
/** Nothing is read of an item without a policy. */
const NO_STATE = {} as StateReader;

const idle: Item = {
  id: "MRC400_0_1",
  mrc400: "MRC400_0",
  projectOrder: 6,
  projectOwner: OWNER,
  groupedSince: 0,
  owner: HOLDER,
  creator: OWNER,
  item_url: "",
  item_image_url: "",
  groupid: "",
  createdate: T - 100,
  initial_reserve: 7n as Amount,
  initial_token: "0" as TokenId,
  meltint_fee: 50_000n as Rate,
  sell_fee: 100_000n as Rate,
  transferable: "Permanent",
  expiredate: 0,
  ...{ ...NO_METADATA, ...WITHOUT_POLICY, held_since: 0 },
  melting_date: 0,
  ...NO_TRADE,
  ...NOT_LISTED,
  order: 700,
};
const token = "9" as TokenId;
const AUCTION = {
  auction_start_price: 100n as Amount,
  auction_bidding_unit: 5n as Amount,
  auction_buynow_price: 502n as Amount,
  auction_end: T + 3600,
  auction_token: token,
  auction_extend: 0,
  auction_latest_end: 0,
};
const onSale = putOnSale(idle, {
  price: 300n as Amount,
  token,
  time: T,
  sell_start: 0,
  sell_end: 0,
});
const open = putOnAuction(idle, AUCTION, T);
const bid = withBid(open, { bidder: OWNER, amount: 105n as Amount }, T);
const STATES = { idle, "on sale": onSale, open, bid, melted: melted(idle, T) };

/**
 * What mrc401 §8 to §17 say of each act in each state, in the order of `STATES`, and of an item
 * that is Bound.
 */
// biome-ignore format: it reads like a table.
const ACTS: { readonly [act in Act]: readonly [...states: string[], bound: string] } = {
  //          idle    on sale open    bid     melted  bound
  update:    ["yes",  "yes",  "yes",  "yes",  "7110", "yes"],
  transfer:  ["yes",  "7108", "7108", "7108", "7110", "7109"],
  sell:      ["yes",  "7108", "7108", "7108", "7110", "7109"],
  unsell:    ["7106", "yes",  "7106", "7106", "7106", "yes"],
  buy:       ["7106", "yes",  "7106", "7106", "7110", "7109"],
  offer:     ["yes",  "yes",  "yes",  "yes",  "7110", "7109"],
  accept:    ["yes",  "yes",  "7108", "7108", "7110", "7109"],
  melt:      ["yes",  "7108", "7108", "7108", "7110", "yes"],
  auction:   ["yes",  "7108", "7108", "7108", "7110", "7109"],
  unauction: ["7106", "7106", "yes",  "7104", "7106", "yes"],
  bid:       ["7106", "7106", "yes",  "yes",  "7110", "7109"],
  finish:    ["7106", "7106", "yes",  "yes",  "7106", "yes"],
};

for (const [act, [...answers]] of Object.entries(ACTS)) {
  const ofBound = answers.pop();
  for (const [index, [state, item]] of Object.entries(STATES).entries()) {
    const answer = answers[index] as string;
    for (const { transferable, wanted } of [
      { transferable: "Permanent", wanted: answer },
      { transferable: "Temporary", wanted: answer },
      // The state is asked for first.
      { transferable: "Bound", wanted: answer === "yes" ? ofBound : answer },
    ] satisfies { transferable: Transferable; wanted: string | undefined }[]) {
      test(`mrc401 §2.3, §2.4: ${act} of what is ${state} and ${transferable}: ${wanted}`, () => {
        const refused = refuseAct(act as Act, { ...item, transferable }, "itemdata[3]");
        assert.equal(refused?.fault.code ?? "yes", wanted);
        assert.equal(refused && explain(refused.fault).parameter, refused && "itemdata[3]");
      });
    }
  }
}

/** What a change leaves behind, as it is shown. */
function changed(before: Item, after: Item): object {
  const [from, to] = [before, after].map(
    (item) => ITEM.view?.(item, NO_STATE, false) as Record<string, unknown>,
  ) as [Record<string, unknown>, Record<string, unknown>];
  return Object.fromEntries(Object.entries(to).filter(([name, value]) => value !== from[name]));
}

const SALE = { sell_date: T, sell_price: "300", sell_token: "9", listing_fee: "10" };
const LOT = {
  auction_date: T,
  auction_end: T + 3600,
  auction_token: "9",
  auction_bidding_unit: "5",
  auction_start_price: "100",
  auction_buynow_price: "502",
  listing_fee: "10",
};
const BID = { auction_current_price: "105", auction_current_bidder: OWNER };

test("mrc401 §10, §14, §16: a listing has its terms and the sell fee of that moment, a bid its bidder", () => {
  assert.deepEqual(changed(idle, onSale), SALE);
  assert.deepEqual(changed(idle, open), LOT);
  assert.deepEqual(changed(open, bid), BID);
});

test("mrc401 §2.4: a listing keeps its fee when the sell fee is changed", () => {
  for (const listed of [onSale, open, bid]) {
    assert.deepEqual(changed(listed, { ...listed, sell_fee: NO_RATE }), { sell_fee: "0" });
  }
});

for (const { what, from } of [
  { what: "a sale", from: onSale },
  { what: "an auction", from: open },
]) {
  test(`mrc401 §2.3: leaving ${what} sets all of its fields back`, () =>
    assert.deepEqual(takenOff(from), idle));
}

test("mrc401 §2.3: a purchase or a won auction changes hands and is the last trade, and nothing else", () => {
  const trade = {
    last_trade_date: T + 5,
    last_trade_amount: 105n as Amount,
    last_trade_token: token,
    last_trade_type: "Auction",
  } as const;
  for (const from of [onSale, bid]) {
    assert.deepEqual(changed(idle, tradedTo(from, OWNER, trade)), {
      owner: OWNER,
      holder: OWNER,
      last_trade_date: T + 5,
      last_trade_amount: "105",
      last_trade_token: "9",
      last_trade_type: "Auction",
    });
  }
});

test("mrc401 §2.2: what comes back to the owner of the project is not fresh again", () => {
  const fresh: Item = { ...idle, owner: "" };
  assert.equal(holderOf(fresh), OWNER);
  const back = passedOn(passedOn(fresh, HOLDER), OWNER);
  assert.deepEqual(changed(fresh, back), { owner: OWNER });
  assert.deepEqual(changed(idle, passedOn(idle, OWNER)), { owner: OWNER, holder: OWNER });
});

test("mrc401 §2.2, §13: what is melted belongs to nobody, and keeps what it was created with", () =>
  assert.deepEqual(changed(idle, melted(idle, T)), {
    owner: "MELTED",
    holder: "",
    melting_date: T,
  }));
