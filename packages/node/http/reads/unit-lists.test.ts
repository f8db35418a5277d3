import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import {
  BLANK_UNIT_LISTING,
  type UnitItemShown,
} from "../../../ledger/testing/shown/shown-units.ts";
import { NOBODY } from "../../../ledger/testing/trade/item-terms.ts";
import { NO_UNIT_ITEM, NO_UNIT_LISTING } from "../../../ledger/testing/trade/unit-terms.ts";
import { createItems as createUniqueItems } from "../../testing/requests/item-requests.ts";
import { type UnitCast, Units } from "../../testing/requests/unit-requests.ts";
import { type KeyHolder, parsed, said, saidCode, type TestNode } from "../../testing/test-node.ts";

// Reads of items of many units and of who holds them: mrc402 §1.6, §3, conventions §2, chain §10.

let units: Units;
let node: TestNode;
let cast: UnitCast;
let c: KeyHolder;
let a: KeyHolder;
let b: KeyHolder;
let d: KeyHolder;
let o: KeyHolder;
before(async () => {
  units = await Units.open({ tokens: 7 });
  node = units.node;
});
after(() => units[Symbol.asyncDispose]());
beforeEach(async () => {
  cast = await units.cast();
  ({ c, a, b, d, o } = cast);
});

// One item.

for (const [what, id] of [
  ["an unknown item", NO_UNIT_ITEM],
  ["an unknown item of a project", `MRC400_${"0".repeat(33)}_${"0".repeat(40)}`],
  ["a project's id", `MRC400_${"0".repeat(33)}`],
  ["an id of MRC401", `MRC401_${"0".repeat(33)}`],
  ["a listing's id", NO_UNIT_LISTING],
  ["too short", NO_UNIT_ITEM.slice(1)],
  ["text", "%F0%9F%98%80"],
] as const) {
  test(`mrc402 §1.6: GET /mrc402/ and ${what}: 404 6004; so holders and dex`, async () => {
    assert.equal(said(await node.get(`/mrc402/${id}`)), "404 6004 mrc402id");
    assert.equal(saidCode(await node.get(`/mrc402/holders/${id}`)), "404 6004");
    assert.equal(saidCode(await node.get(`/mrc402/dex/${id}`)), "404 6004");
  });
}

test("mrc402 §2.1: a project, an MRC401 item and a listing are no MRC402 item, and the reverse: 6004", async () => {
  const [unique = ""] = await createUniqueItems(node, cast.project, o, [{}]);
  const u = await units.item(cast.project, o);
  const dexid = await units.list("sell", o, u);
  for (const id of [cast.project, unique, dexid]) {
    assert.equal(saidCode(await node.get(`/mrc402/${id}`)), "404 6004");
    assert.equal(saidCode(await node.get(`/mrc402/holders/${id}`)), "404 6004");
  }
  assert.equal(saidCode(await node.get(`/mrc401/${u}`)), "404 6004");
  assert.equal(saidCode(await node.get(`/mrc400/${u}`)), "404 6004");
  assert.equal(saidCode(await node.get(`/mrc402/dex/${u}`)), "404 6004");
});

for (const word of [
  ..."balance holders transfer sell unsell buy melt auction unauction bid".split(" "),
  ..."auctionfinish mint burn update".split(" "),
]) {
  test(`mrc402 §1.6: ${word} is never an id`, async () => {
    for (const answer of [
      await node.get(`/mrc402/${word}`),
      await node.put(`/mrc402/${word}`, {}),
    ]) {
      assert.match(saidCode(answer), /^(404 9404|405 9405)$/);
    }
  });
}

test("conventions §2.5, §1.2: an item is read with ETag, no-store and Ledger-Height; a slash at the end changes nothing", async () => {
  const x = await units.alone(c, { totalsupply: "5" });
  for (const path of [`/mrc402/${x}`, `/mrc402/holders/${x}`, `/mrc402/balance/${c.address}`]) {
    const first = await node.get(path);
    const etag = first.headers.get("etag") ?? "";
    assert.match(etag, /^(W\/)?".+"$/, path);
    assert.equal(first.headers.get("cache-control"), "no-store");
    assert.equal(first.headers.get("ledger-height"), String(await node.height()));
    assert.match(first.headers.get("content-type") ?? "", /^application\/json/);
    assert.equal((await node.get(path, { "If-None-Match": etag })).status, 304);
    assert.deepEqual(parsed(await node.get(`${path}/`)), parsed(first));
  }
  const { headers } = await node.get(`/mrc402/${x}`);
  await units.give(x, c, a);
  assert.notEqual(
    (await node.get(`/mrc402/${x}`)).headers.get("etag"),
    headers.get("etag"),
    "who holds it is in the record",
  );
});

test("mrc402 §3: sell_* is the oldest open sale, auction_* the oldest open auction; counts are of the open ones", async () => {
  const x = await units.alone(c, { totalsupply: "20" });
  await units.give(x, c, a, "10");
  const plain = await units.record(x);
  const at = (seconds: number): number => {
    node.now += seconds;
    return node.now;
  };
  const [t1, s1] = [at(10), await units.list("sell", c, x, { price: "30", amount: "2" })];
  const [t2, s2] = [at(10), await units.list("sell", a, x, { price: "10", token: "7" })];
  const auction = { auction_bidding_unit: "5", auction_buynow_price: "500" };
  const [t3, l1] = [at(10), await units.list("auction", a, x, { ...auction, amount: "3" })];
  const [t4, l2] = [at(10), await units.list("auction", c, x, { token: "7" })];
  const firstSale = { sell_date: t1, sell_price: "30", sell_token: "0", sell_dexid: s1 };
  const secondSale = { sell_date: t2, sell_price: "10", sell_token: "7", sell_dexid: s2 };
  const noSale = { sell_date: 0, sell_price: "0", sell_token: "0", sell_dexid: "" };
  const end = async (dexid: string): Promise<number> =>
    (await units.listing(dexid)).auction_end_date;
  const firstAuction = {
    auction_date: t3,
    auction_end: await end(l1),
    auction_token: "0",
    auction_bidding_unit: "5",
    auction_start_price: "100",
    auction_buynow_price: "500",
    auction_current_price: "0",
    auction_current_bidder: "",
    auction_dexid: l1,
  };
  const expected: UnitItemShown = {
    ...plain,
    ...firstSale,
    ...firstAuction,
    sell_count: 2,
    auction_count: 2,
  };
  assert.deepEqual(await units.record(x), expected);
  await units.done("bidListing", b, { id: l1, amount: "105" });
  const bid = { auction_current_price: "105", auction_current_bidder: b.address };
  assert.deepEqual(await units.record(x), { ...expected, ...bid });
  await units.done("buy", b, { id: s1, amount: "2" });
  const bought: UnitItemShown = {
    ...expected,
    ...bid,
    ...secondSale,
    holders: 3,
    sell_count: 1,
    last_trade_date: node.now,
    last_trade_amount: "60",
    last_trade_token: "0",
    last_trade_type: "Sell",
  };
  assert.deepEqual(await units.record(x), bought);
  await units.done("unsell", a, { id: s2 });
  await units.done("unauction", c, { id: l2 });
  const cancelled: UnitItemShown = { ...bought, ...noSale, sell_count: 0, auction_count: 1 };
  assert.deepEqual(await units.record(x), cancelled);
  node.now = await end(l1);
  assert.equal(saidCode(await units.finish(l1)), "200");
  assert.ok(t4 > t3);
  assert.deepEqual(await units.record(x), {
    ...plain,
    owner: "",
    holders: 3,
    last_trade_date: node.now,
    last_trade_amount: "105",
    last_trade_token: "0",
    last_trade_type: "Auction",
  });
});

test("mrc402 §3: GET /mrc402/dex/{dexid} of a sale, in full", async () => {
  const u = await units.item(cast.project, o, { totalsupply: "5", sell_fee: "2.50" });
  node.now += 3;
  const dexid = await units.list("sell", o, u, { amount: "2", token: "7" });
  assert.deepEqual(await units.listing(dexid), {
    ...BLANK_UNIT_LISTING,
    dexid,
    mrc402: u,
    side: "sell",
    state: "open",
    seller: o.address,
    amount: "2",
    remain_amount: "2",
    sell_price: "30",
    sell_token: "7",
    sell_fee: "2.5",
    regdate: node.now,
    job_type: "mrc402_sell",
  });
});

for (const [what, address, answer] of [
  ["an unknown address", NOBODY, "404 3090 address"],
  ["a malformed address", "MTx", "400 3190 address"],
  ["an address in lower case", NOBODY.toLowerCase(), "400 3190 address"],
] as const) {
  test(`mrc402 §3: GET /mrc402/balance/ and ${what}: ${answer}`, async () => {
    assert.equal(said(await node.get(`/mrc402/balance/${address}`)), answer);
  });
}

test("mrc402 §3: shareholders stay in the order given, also after a restart and when they are made anew from the blocks", async () => {
  const given = [a, b, d, o, cast.partner].map(({ address }) => address).sort();
  const orders = [given, given.toReversed(), [...given.slice(2), ...given.slice(0, 2)]];
  const ids: string[] = [];
  for (const order of orders) {
    const shareholder = Object.fromEntries(order.map((address) => [address, "1"]));
    ids.push(await units.alone(c, { shareholder }));
    ids.push(await units.item(cast.project, o, { shareholder }));
  }
  const shown = async (): Promise<string[][]> => {
    const items = await Promise.all(ids.map((id) => units.record(id)));
    return items.map(({ shareholder }) => Object.keys(shareholder));
  };
  const expected = orders.flatMap((order) => [order, order]);
  assert.deepEqual(await shown(), expected);
  await node.restart();
  assert.deepEqual(await shown(), expected);
  await node.restart((database) => database.exec("PRAGMA user_version = 0"));
  assert.deepEqual(await shown(), expected);
});
