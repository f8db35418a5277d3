import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import {
  BLANK_UNIT_LISTING,
  type UnitItemShown,
} from "../../../ledger/testing/shown/shown-units.ts";
import { NOBODY } from "../../../ledger/testing/trade/item-terms.ts";
import { NO_UNIT_ITEM, NO_UNIT_LISTING } from "../../../ledger/testing/trade/unit-terms.ts";
import {
  createProject,
  createItems as createUniqueItems,
} from "../../testing/requests/item-requests.ts";
import {
  allOf,
  type Holding,
  readJson,
  type UnitCast,
  Units,
} from "../../testing/requests/unit-requests.ts";
import {
  type KeyHolder,
  type Params,
  parsed,
  said,
  saidCode,
  type TestNode,
} from "../../testing/test-node.ts";

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

interface Page<T> {
  readonly items: readonly T[];
  readonly cursor?: string;
}

type Held = Holding & { readonly mrc402: string };
type Holder = Holding & { readonly address: string };

function page<T>(path: string, query: Params = {}): Promise<Page<T>> {
  return readJson(node, `${path}?${new URLSearchParams(query)}`);
}

function pathOf(list: "items" | "balance" | "holders", id: string): string {
  return list === "items" ? "/mrc402" : `/mrc402/${list}/${id}`;
}

/** `free + on sale + on auction` of each entry of a list. */
function sums(entries: readonly Holding[]): string[] {
  return entries.map(
    ({ balance, saleamount, auctionamount }) => `${balance} + ${saleamount} + ${auctionamount}`,
  );
}

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

// Holdings.

test("mrc402 §2.2, §3: GET /mrc402/balance/{address}: what an address has of each item, by id; items it has nothing of are not there", async () => {
  const ids = await Promise.all([1, 2, 3, 4].map(() => units.alone(c, { totalsupply: "9" })));
  const u = await units.item(cast.project, o, { totalsupply: "9" });
  for (const id of ids) {
    await units.give(id, c, a, "6");
  }
  await units.give(u, o, a, "1");
  const [first = "", second = "", third = ""] = ids;
  await units.list("sell", a, first, { amount: "2" });
  await units.list("auction", a, first, { amount: "3" });
  await units.list("sell", a, second, { amount: "6" });
  await units.give(third, a, b, "6");
  const { items, cursor } = await page<Held>(`/mrc402/balance/${a.address}`);
  assert.equal(cursor, undefined);
  const rest = ids.slice(3);
  const held = (balance: string, saleamount = "0", auctionamount = "0"): Holding => ({
    balance,
    saleamount,
    auctionamount,
  });
  const expected = [
    { mrc402: first, ...held("1", "2", "3") },
    { mrc402: second, ...held("0", "6") },
    ...rest.map((mrc402) => ({ mrc402, ...held("6") })),
    { mrc402: u, ...held("1") },
  ];
  assert.deepEqual(
    items,
    expected.toSorted((x, y) => (x.mrc402 < y.mrc402 ? -1 : 1)),
  );
  for (const { mrc402, ...holding } of expected) {
    const only = await page<Held>(`/mrc402/balance/${a.address}`, { mrc402id: mrc402 });
    assert.deepEqual(only, { items: [{ mrc402, ...holding }] });
  }
  for (const mrc402id of [third, NO_UNIT_ITEM]) {
    assert.deepEqual(await page(`/mrc402/balance/${a.address}`, { mrc402id }), { items: [] });
  }
  assert.deepEqual(await page(`/mrc402/balance/${d.address}`), { items: [] });
});

test("mrc402 §3: GET /mrc402/holders/{mrc402id}: who has how much, by address; of an ended item nobody", async () => {
  const x = await units.alone(c, { totalsupply: "20" });
  for (const [holder, amount] of [
    [a, "5"],
    [b, "4"],
    [d, "3"],
  ] as const) {
    await units.give(x, c, holder, amount);
  }
  await units.list("sell", a, x, { amount: "2" });
  await units.list("auction", b, x, { amount: "4" });
  const sorted = [a, b, c, d].map(({ address }) => address).sort();
  const { items } = await page<Holder>(`/mrc402/holders/${x}`);
  assert.deepEqual(
    items.map(({ address }) => address),
    sorted,
  );
  const of = (holder: KeyHolder): string[] =>
    sums(items.filter(({ address }) => address === holder.address));
  assert.deepEqual(
    [a, b, c, d].map((holder) => of(holder)[0]),
    ["3 + 2 + 0", "0 + 0 + 4", "8 + 0 + 0", "3 + 0 + 0"],
  );
  await units.give(x, d, a, "3");
  const left = await page<Holder>(`/mrc402/holders/${x}`);
  assert.ok(left.items.every(({ address }) => address !== d.address));
  const ended = await units.alone(c);
  await units.done("melt", c, { mrc402id: ended });
  assert.deepEqual(await page(`/mrc402/holders/${ended}`), { items: [] });
});

test("mrc402 §3: holdings are what sales, auctions and cancels leave; who has sold all is no holder", async () => {
  const x = await units.alone(c, { totalsupply: "6" });
  const sale = await units.list("sell", c, x, { amount: "4" });
  const auction = await units.list("auction", c, x, { amount: "2" });
  assert.equal(await units.has(c, x), "0 + 4 on sale + 2 on auction");
  await units.assertItem(x, { owner: c.address, holders: 1 });
  await units.done("buy", b, { id: sale, amount: "4" });
  await units.assertItem(x, { owner: "", holders: 2 });
  await units.done("bidListing", b, { id: auction, amount: "100" });
  node.now = (await units.listing(auction)).auction_end_date;
  assert.equal(saidCode(await units.finish(auction)), "200");
  await units.assertItem(x, { owner: b.address, holders: 1 });
  assert.deepEqual(await page(`/mrc402/balance/${c.address}`), { items: [] });
  assert.equal(await units.has(b, x), "6");
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

// The list of items.

test("mrc402 §3: GET /mrc402: item records as each is read, newest first; by project and by creator", async () => {
  const x = await units.alone(c, { totalsupply: "5", initialreserve: { "0": "3" } });
  await units.give(x, c, a, "2");
  await units.list("sell", c, x);
  const first = await units.item(cast.project, o, { groupid: "g" });
  const second = await units.item(cast.project, cast.maker);
  const y = await units.alone(c);
  await units.done("melt", c, { mrc402id: y });
  const elsewhere = await createProject(node, o);
  const third = await units.item(elsewhere, o);
  const all = [third, y, second, first, x];
  const { items } = await page<UnitItemShown>("/mrc402");
  assert.deepEqual(
    items.slice(0, all.length).map(({ id }) => id),
    all,
  );
  for (const item of items.slice(0, all.length)) {
    assert.deepEqual(item, await units.record(item.id));
  }
  const { project } = cast;
  for (const [query, expected] of [
    [{ mrc400id: project }, [second, first]],
    [{ mrc400id: elsewhere }, [third]],
    [{ creator: c.address }, [y, x]],
    [{ creator: o.address }, [third, first]],
    [{ creator: o.address, mrc400id: project }, [first]],
    [{ creator: cast.maker.address, mrc400id: elsewhere }, []],
    [{ creator: a.address }, []],
    [{ creator: NOBODY }, []],
    [{ mrc400id: `MRC400_${"0".repeat(33)}` }, []],
    [{ mrc400id: "", creator: a.address }, []],
  ] as readonly (readonly [Params, readonly string[]])[]) {
    const found = await page<UnitItemShown>("/mrc402", query);
    assert.deepEqual(
      found.items.map(({ id }) => id),
      expected,
      JSON.stringify(query),
    );
    assert.equal(found.cursor, undefined);
  }
});

for (const list of ["items", "balance", "holders"] as const) {
  test(`mrc402 §3: the list of ${list} in pages: each once, in order, cursor absent at the end`, async () => {
    const x = await units.alone(c, { totalsupply: "50" });
    const others = await Promise.all([1, 2, 3, 4, 5, 6].map(() => units.alone(c)));
    for (const holder of [a, b, d, o, cast.partner, cast.seller]) {
      await units.give(x, c, holder, "2");
    }
    const path = pathOf(list, list === "balance" ? c.address : x);
    const filter: Params = list === "items" ? { creator: c.address } : {};
    const whole = await page<object>(path, filter);
    assert.equal(whole.items.length, others.length + 1);
    assert.equal(whole.cursor, undefined);
    for (const limit of [1, 2, 3, 6, 7, 8, 100]) {
      const query = { ...filter, limit: String(limit) };
      assert.deepEqual(await allOf(node, path, query), whole.items, `limit ${limit}`);
      const first = await page<object>(path, query);
      assert.equal(first.items.length, Math.min(limit, 7));
      assert.equal(first.cursor === undefined, limit >= 7, `limit ${limit}`);
    }
  });

  test(`mrc402 §3: what a list of ${list} refuses: limit 1101, cursor 3005, address 3190`, async () => {
    const x = await units.alone(c, { totalsupply: "50" });
    for (const holder of [a, b]) {
      await units.give(x, c, holder, "2");
      await units.alone(c);
    }
    const path = pathOf(list, list === "balance" ? c.address : x);
    for (const [query, answer] of [
      [{ limit: "0" }, "400 1101 limit"],
      [{ limit: "101" }, "400 1101 limit"],
      [{ limit: "x" }, "400 1101 limit"],
      [{ limit: "-1" }, "400 1101 limit"],
      [{ limit: "01" }, "400 1101 limit"],
      [{ limit: "1.5" }, "400 1101 limit"],
      [{ cursor: "x" }, "400 3005 cursor"],
      [{ cursor: "é" }, "400 3005 cursor"],
      [{ limit: "", cursor: "" }, "200"],
    ] as readonly (readonly [Params, string])[]) {
      const answered = said(await node.get(`${path}?${new URLSearchParams(query)}`));
      assert.equal(answered, answer, JSON.stringify(query));
    }
    const { cursor = "" } = await page(path, { limit: "1" });
    const elsewhere = list === "items" ? `/mrc402/holders/${x}` : "/mrc402";
    const foreign = await node.get(`${elsewhere}?${new URLSearchParams({ cursor })}`);
    assert.equal(said(foreign), "400 3005 cursor", "the cursor of another list");
  });
}

test("mrc402 §3: a creator that is no address: 3190; the lists of 50 by default", async () => {
  assert.equal(said(await node.get("/mrc402?creator=MTx")), "400 3190 creator");
  await units.items(cast.project, o, ...Array.from({ length: 51 }, () => ({})));
  const query: Params = { mrc400id: cast.project };
  const items = await page<UnitItemShown>("/mrc402", query);
  assert.equal(items.items.length, 50);
  const held = await page<Held>(`/mrc402/balance/${o.address}`);
  assert.equal(held.items.length, 50);
  const all = await allOf<UnitItemShown>(node, "/mrc402", query);
  assert.equal(new Set(all.map(({ id }) => id)).size, 51);
  const ids = (await allOf<Held>(node, `/mrc402/balance/${o.address}`)).map(
    (entry) => entry.mrc402,
  );
  assert.deepEqual(ids, all.map(({ id }) => id).sort());
});

test("mrc402 §3, chain §10: what is made meanwhile shifts and repeats nothing", async () => {
  const made: string[] = [];
  for (let n = 0; n < 5; n++) {
    made.push(await units.alone(c));
  }
  const query = { creator: c.address, limit: "2" };
  const first = await page<UnitItemShown>("/mrc402", query);
  await units.alone(c);
  await units.alone(c);
  const next = { ...query, limit: "100", cursor: first.cursor ?? "" };
  const rest = await page<UnitItemShown>("/mrc402", next);
  assert.deepEqual(
    [...first.items, ...rest.items].map(({ id }) => id),
    made.toReversed(),
  );
});

// All together.

test("mrc402 §18 row 66: after sales, auctions, bids, a purchase, mint, burn, melts and transfers the four equations of §2.2 hold, step by step", async () => {
  const terms = {
    totalsupply: "30",
    initialreserve: { "0": "3", "7": "5" },
    melt_fee: "10",
    sell_fee: "2.5",
    creatorcommission: "5",
    shareholder: { [d.address]: "3" },
    transferable: "Temporary",
  };
  await units.pay(o, "7", 1000n);
  const x = await units.item(cast.project, o, terms);
  await units.give(x, o, a, "10");
  await units.give(x, o, b, "5");
  const sale = await units.list("sell", a, x, { amount: "4" });
  const other = await units.list("sell", a, x, { amount: "2", token: "7" });
  const lot = await units.list("auction", b, x, { amount: "3", auction_buynow_price: "500" });
  const late = await units.list("auction", a, x, { amount: "2" });
  await units.assertConserved();
  for (const [word, by, params] of [
    ["bidListing", d, { id: lot, amount: "100" }],
    ["bidListing", c, { id: lot, amount: "150" }],
    ["bidListing", c, { id: late, amount: "100" }],
    ["mint", o, { mrc402id: x, amount: "5" }],
    ["burn", o, { mrc402id: x, amount: "7" }],
    ["buy", d, { id: sale, amount: "3" }],
    ["melt", a, { mrc402id: x }],
    ["melt", d, { mrc402id: x, amount: "2" }],
    ["transfer", o, { mrc402id: x, toAddr: c.address, amount: "3" }],
    ["itemUpdate", o, { mrc400id: cast.project, itemdata: [{ id: x, transferable: "Bound" }] }],
    ["unsell", a, { id: other }],
    ["melt", c, { mrc402id: x, amount: "1" }],
  ] as const) {
    await units.done(word, by, params);
    await units.assertConserved();
  }
  node.now = (await units.listing(late)).auction_end_date + 1;
  for (const id of [lot, late]) {
    assert.equal(saidCode(await units.finish(id)), "200");
    await units.assertConserved();
  }
  const shown = await everythingShown(x);
  await node.restart((database) => database.exec("PRAGMA user_version = 0"));
  assert.deepEqual(await everythingShown(x), shown, "made anew from the blocks");
});

/** All that can be read of items, in the order in which it is answered. */
async function everythingShown(id: string): Promise<object> {
  const holdings = [c, a, b, d, o].map(({ address }) => allOf(node, `/mrc402/balance/${address}`));
  return {
    items: await allOf(node, "/mrc402"),
    listings: await allOf(node, "/mrc402/dex", { state: "all" }),
    holders: await allOf(node, `/mrc402/holders/${id}`),
    holdings: await Promise.all(holdings),
  };
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

// Pages of large items.

test("chain §10: a list of more than 4 MiB ends early with a cursor, which goes on without gap or repeat though items are added meanwhile", async () => {
  const made: string[] = [];
  // 40,960 characters, of two bytes each, are the most that both texts take.
  const large = { data: "é".repeat(40_960), information: "é".repeat(40_960) };
  const add = async (): Promise<void> => {
    const sevenOf = Array.from({ length: 7 }, () => large);
    made.unshift(...(await units.items(cast.project, o, ...sevenOf)).toReversed());
  };
  for (let count = 0; count < 5; count += 1) {
    await add();
  }
  const before = [...made];
  const seen: string[] = [];
  const lengths: number[] = [];
  for (let cursor: string | undefined = ""; cursor !== undefined; ) {
    const query: string = new URLSearchParams({
      mrc400id: cast.project,
      limit: "100",
      ...(cursor === "" ? {} : { cursor }),
    }).toString();
    const answer = await node.get(`/mrc402?${query}`);
    const { items, cursor: next } = parsed<Page<UnitItemShown>>(answer);
    // The list's own brackets and its cursor come on top.
    assert.ok(Buffer.byteLength(answer.text) < (4 << 20) + 1024);
    seen.push(...items.map(({ id }) => id));
    lengths.push(items.length);
    if (lengths.length === 1) {
      await add();
    }
    cursor = next;
  }
  assert.ok(lengths.length >= 2 && (lengths[0] ?? 0) > 20, `pages of ${lengths}`);
  assert.deepEqual(seen, before);
});
