import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { type Movement, paymentsText } from "../../ledger/testing/payments-text.ts";
import type { ItemParams } from "../testing/item-requests.ts";
import { type Answered, type KeyHolder, parsed, saidCode } from "../testing/test-node.ts";
import {
  allOf,
  BLANK_UNIT_LISTING,
  type Holding,
  NO_UNIT_ITEM,
  NO_UNIT_LISTING,
  type UnitItem,
  type UnitListing,
  type UnitRecord,
  unitListingIdOf,
  unitsSaid,
} from "../testing/unit-requests.ts";
import {
  DAY,
  FORMS,
  listingParams,
  type Sent,
  UNIT_AUCTION_MIN,
  UnitTrade,
} from "../testing/unit-trade.ts";

// §3: the record of a listing at every stage, and the lists; §11 to §17: answers and records M, A and L, exactly. After each case row 66 of
// §18 holds.

let trade: UnitTrade;
let o: KeyHolder;
let p: KeyHolder;
let s: KeyHolder;
let m: KeyHolder;
let c: KeyHolder;
let a: KeyHolder;
let b: KeyHolder;
let d: KeyHolder;
before(async () => {
  trade = await UnitTrade.open({ tokens: 2 });
  ({ o, partner: p, seller: s, maker: m, c, a, b, d } = trade.cast);
  await Promise.all([b, d].map((holder) => trade.units.pay(holder, "2", 100_000n)));
});
after(() => trade[Symbol.asyncDispose]());
afterEach(() => trade.assertConserved());

const PLATFORM_NAMES = [
  "platform_name",
  "platform_url",
  "platform_address",
  "platform_commission",
] as const;

/** The item whose trade pays everybody: 10 % to O, 5 % to the maker, 1 % to P as its platform, 3 % to the seller of tickets and to A itself. */
async function item(given = 20): Promise<string> {
  return trade.u(
    {
      totalsupply: "40",
      sell_fee: "10",
      creatorcommission: "5",
      platform_name: "Bazaar",
      platform_url: "https://bazaar.example/",
      platform_address: p.address,
      platform_commission: "1",
      shareholder: { [s.address]: "3", [a.address]: "2" },
    },
    { a: given },
  );
}

/** What a listing of `item` shows of its platform and fee. */
const ofItem = (): Partial<UnitListing> => ({
  sell_fee: "10",
  platform_name: "Bazaar",
  platform_url: "https://bazaar.example/",
  platform_address: p.address,
  platform_commission: "1",
});

const platformOf = (listing: Partial<UnitListing>): string[] =>
  PLATFORM_NAMES.map((name) => listing[name] ?? "");

/** Rates of `item` in the order in which they are paid. */
const RATES: readonly (readonly [type: string, to: () => KeyHolder, percent: bigint])[] = [
  ["mrc402_recv_fee_owner", () => o, 10n],
  ["mrc402_recv_fee_creator", () => m, 5n],
  ["mrc402_recv_fee_platform", () => p, 1n],
  ["mrc402_recv_fee_shareholder", () => s, 3n],
  ["mrc402_recv_fee_shareholder", () => a, 2n],
];

interface Distribution {
  readonly dexid: string;
  readonly id: string;
  readonly token: string;
  /** P, which goes to A less the fees. */
  readonly price: bigint;
  /** Of the sale or of the auction. */
  readonly of: "sell" | "auction";
  readonly by: Pick<Sent, "signature" | "tkey">;
  /** Whoever is the buyer, too, has units moved and money. */
  readonly buyer: KeyHolder;
}

/** Movements of 2.6 and the records of the payees. */
function distribution({ dexid, id, token, price, of, by, buyer }: Distribution): {
  readonly movements: readonly Movement[];
  readonly records: readonly UnitRecord[];
} {
  const fees = RATES.map(([type, to, percent]) => ({
    type,
    record: "receive_mrc402fee",
    to: to(),
    amount: (price * percent) / 100n,
  })).filter(({ amount }) => amount > 0n);
  const rest = price - fees.reduce((sum, { amount }) => sum + amount, 0n);
  const all = [
    ...fees,
    { type: `mrc402_recv_${of}`, record: `receive_mrc402${of}`, to: a, amount: rest },
  ];
  return {
    movements: all.map(({ type, to, amount }) => [
      type,
      dexid,
      to.address,
      String(amount),
      token,
      "paid",
    ]),
    records: all.map(({ record, to, amount }) => ({
      type: record,
      of: to,
      parameters: [dexid, to.address, String(amount), token, by.signature, "0", "", id, by.tkey],
      moved: [token],
      units: to === a || to === buyer ? [id] : [],
    })),
  };
}

/** A listing is exactly this. */
async function assertIs(dexid: string, fields: Partial<UnitListing>): Promise<UnitListing> {
  const expected = { ...BLANK_UNIT_LISTING, dexid, ...fields };
  assert.deepEqual(await trade.listing(dexid), expected);
  return expected;
}

for (const form of FORMS) {
  test(`mrc402 §3: a sale made in ${form} form, at each stage: open, partly bought, sold; another, cancelled`, async () => {
    const u = await item();
    trade.node.now += 3;
    const regdate = trade.node.now;
    const make = () =>
      form === "item" ? trade.listByItem("sell", a, u) : trade.list("sell", a, u);
    const [first, second] = [await make(), await make()];
    const terms = {
      ...ofItem(),
      mrc402: u,
      side: "sell",
      seller: a.address,
      amount: "10",
      sell_price: "30",
      regdate,
    };
    const open = { ...terms, state: "open", remain_amount: "10", job_type: "mrc402_sell" };
    await assertIs(first, open);
    await assertIs(second, open);
    trade.node.now += 1;
    assert.equal(unitsSaid(await trade.buy(b, first, "4")), "200");
    const partly = { ...open, remain_amount: "6", buyer: b.address, job_type: "mrc402_buy" };
    await assertIs(first, partly);
    trade.node.now += 1;
    assert.equal(unitsSaid(await trade.buy(d, first, "6")), "200");
    const sold = { buyer: d.address, remain_amount: "0", sell_date: trade.node.now };
    await assertIs(first, { ...partly, state: "sold", ...sold });
    assert.equal(unitsSaid(await trade.buy(b, second, "1")), "200");
    trade.node.now += 1;
    assert.equal(unitsSaid(await trade.unsell(a, second)), "200");
    await assertIs(second, {
      ...open,
      state: "cancelled",
      buyer: b.address,
      remain_amount: "9",
      cancel_date: trade.node.now,
      job_type: "mrc402_unsell",
    });
  });

  test(`mrc402 §3: an auction made in ${form} form, at each stage: open, bid, won; others bought at once, failed, cancelled`, async () => {
    const u = await item();
    trade.node.now += 3;
    const { now } = trade.node;
    const make = () =>
      form === "item" ? trade.listByItem("auction", a, u) : trade.list("auction", a, u);
    const [won, boughtNow, failed, cancelled] = [
      await make(),
      await make(),
      await make(),
      await make(),
    ];
    const open = {
      ...ofItem(),
      mrc402: u,
      side: "auction",
      state: "open",
      seller: a.address,
      amount: "5",
      remain_amount: "5",
      regdate: now,
      auction_start_date: now,
      auction_end_date: now + (form === "item" ? UNIT_AUCTION_MIN : DAY),
      auction_bidding_unit: "5",
      auction_start_price: "100",
      auction_buynow_price: "500",
      job_type: "mrc402_auction",
    };
    for (const dexid of [won, boughtNow, failed, cancelled]) {
      await assertIs(dexid, open);
    }
    trade.node.now += 1;
    assert.equal(unitsSaid(await trade.bid(b, won, "100")), "200");
    const bid = { auction_current_price: "100", auction_current_bidder: b.address };
    const job = { job_type: "mrc402_auctionbid", auction_bid_count: 1 };
    await assertIs(won, { ...open, ...bid, ...job });
    assert.equal(unitsSaid(await trade.bid(d, won, "120")), "200");
    const outbid = {
      ...open,
      auction_current_price: "120",
      auction_current_bidder: d.address,
      auction_bid_count: 2,
    };
    await assertIs(won, { ...outbid, job_type: "mrc402_auctionbid" });
    assert.equal(unitsSaid(await trade.bid(b, boughtNow, "500")), "200");
    const done = {
      state: "sold",
      remain_amount: "0",
      sell_date: trade.node.now,
      auction_settle_date: trade.node.now,
    };
    await assertIs(boughtNow, {
      ...open,
      ...done,
      buyer: b.address,
      auction_current_price: "500",
      auction_current_bidder: b.address,
      auction_bid_count: 1,
      job_type: "mrc402_auctionbuynow",
    });
    assert.equal(unitsSaid(await trade.unauction(a, cancelled)), "200");
    const cancel_date = trade.node.now;
    const undone = { state: "cancelled", cancel_date, job_type: "mrc402_unauction" };
    await assertIs(cancelled, { ...open, ...undone });
    await trade.untilEnd(won);
    trade.node.now += 7;
    for (const dexid of [won, failed]) {
      assert.equal(unitsSaid(await trade.finish(dexid)), "200");
    }
    const auction_settle_date = trade.node.now;
    await assertIs(won, {
      ...outbid,
      ...done,
      buyer: d.address,
      sell_date: auction_settle_date,
      auction_settle_date,
      job_type: "mrc402_auctionwinning",
    });
    const over = { state: "failed", auction_settle_date, job_type: "mrc402_auctionfailure" };
    await assertIs(failed, { ...open, ...over });
  });
}

test("mrc402 §3: a listing of an item that says nothing, by the only holder: nothing of it applies", async () => {
  const x = await trade.x();
  const dexid = await trade.sale(c, x, { token: "2" });
  await assertIs(dexid, {
    mrc402: x,
    side: "sell",
    state: "open",
    seller: c.address,
    amount: "10",
    remain_amount: "10",
    sell_price: "30",
    sell_token: "2",
    regdate: trade.node.now,
    job_type: "mrc402_sell",
  });
  for (const id of [NO_UNIT_LISTING, `${dexid}0`, dexid.toUpperCase(), x, "x"]) {
    assert.equal(saidCode(await trade.node.get(`/mrc402/dex/${id}`)), "404 6004", id);
  }
  assert.equal(saidCode(await trade.node.get(`/mrc402/${dexid}`)), "404 6004");
});

test("mrc402 §2.1: ids of listings: of the actor, its key and the position in itemdata", async () => {
  const [x, u] = [await trade.x({}, { a: 9 }), await trade.u({ totalsupply: "3" })];
  const itemdata = [x, u].map((id) => ({ id, price: "7", token: "0" }));
  const both = itemdata.map((element) => ({ ...element, amount: "2" }));
  await trade.units.give(u, m, a, "3");
  for (const word of ["sell", "auction"] as const) {
    const elements = both.map(({ price, ...element }) => ({
      ...element,
      [word === "sell" ? "price" : "start"]: price,
      amount: "1",
    }));
    const { answer, tkey } = await trade.sent(word, a, { itemdata: elements });
    const ids = [0, 1].map((n) => unitListingIdOf(a.address, tkey, n));
    assert.deepEqual(parsed<{ mrc402dexids: string[] }>(answer).mrc402dexids, ids);
    for (const [n, id] of [x, u].entries()) {
      await trade.assertListing(ids[n] ?? "", { mrc402: id, amount: "1", remain_amount: "1" });
    }
  }
});

test("mrc402 §3: what an item shows of its listings: the oldest open one of each side, and how many", async () => {
  const x = await trade.x({}, { a: 50, b: 20 });
  const item = await trade.record(x);
  const shown = async (fields: Partial<UnitItem>): Promise<void> =>
    assert.deepEqual(await trade.record(x), { ...item, ...fields });
  trade.node.now += 5;
  const first = await trade.sale(a, x);
  const ofFirst = {
    sell_date: trade.node.now,
    sell_price: "30",
    sell_token: "0",
    sell_dexid: first,
  };
  await shown({ ...ofFirst, sell_count: 1 });
  trade.node.now += 5;
  const second = await trade.sale(b, x, { price: "20", token: "2" });
  const ofSecond = {
    sell_date: trade.node.now,
    sell_price: "20",
    sell_token: "2",
    sell_dexid: second,
  };
  await shown({ ...ofFirst, sell_count: 2 });
  assert.equal(unitsSaid(await trade.unsell(a, first)), "200");
  await shown({ ...ofSecond, sell_count: 1 });
  assert.equal(unitsSaid(await trade.unsell(b, second)), "200");
  await shown({});
  trade.node.now += 5;
  const auction_date = trade.node.now;
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
  assert.equal(unitsSaid(await trade.bid(d, lots[0], "105")), "200");
  const bid = { auction_current_price: "105", auction_current_bidder: d.address };
  await shown({ ...ofLot, ...bid });
  assert.equal(unitsSaid(await trade.bid(d, lots[0], "500")), "200");
  const trade1 = {
    last_trade_date: trade.node.now,
    last_trade_amount: "500",
    last_trade_token: "0",
    last_trade_type: "Auction",
    holders: 4,
  };
  const ofSecondLot = { auction_dexid: lots[1], auction_token: "2", auction_count: 1 };
  await shown({ ...ofLot, ...ofSecondLot, ...trade1 });
  assert.equal(unitsSaid(await trade.unauction(b, lots[1])), "200");
  await shown(trade1);
});

// The lists.

const dexids = async (query: Record<string, string>): Promise<string[]> =>
  (await allOf<UnitListing>(trade.node, "/mrc402/dex", query)).map(({ dexid }) => dexid);

test("mrc402 §3: GET /mrc402/dex: newest first, open ones unless told, by each filter and by several", async () => {
  const project = await trade.project();
  const u = await trade.u({ totalsupply: "40" }, { a: 20, b: 20 }, project);
  const v = await trade.u({ totalsupply: "20" }, { a: 20 }, project);
  const [s1, s2, s3] = [
    await trade.sale(a, u),
    await trade.sale(b, u, { token: "2" }),
    await trade.sale(a, v),
  ];
  const [l1, l2, l3] = [await trade.lot(a, u), await trade.lot(b, u), await trade.lot(a, v)];
  assert.equal(unitsSaid(await trade.unsell(a, s1)), "200");
  assert.equal(unitsSaid(await trade.buy(d, s3, "10")), "200");
  assert.equal(unitsSaid(await trade.bid(d, l1, "500")), "200");
  await trade.untilEnd(l2);
  assert.equal(unitsSaid(await trade.finish(l2)), "200");
  const all = { mrc400id: project, state: "all" };
  for (const [query, expected] of [
    [{ mrc400id: project }, [l3, s2]],
    [all, [l3, l2, l1, s3, s2, s1]],
    [{ mrc400id: project, state: "open" }, [l3, s2]],
    [{ mrc400id: project, state: "sold" }, [l1, s3]],
    [{ mrc400id: project, state: "cancelled" }, [s1]],
    [{ mrc400id: project, state: "failed" }, [l2]],
    [{ mrc400id: project, side: "sell" }, [s2]],
    [{ mrc400id: project, side: "auction" }, [l3]],
    [{ ...all, side: "sell" }, [s3, s2, s1]],
    [{ mrc402id: u }, [s2]],
    [{ mrc402id: u, state: "all" }, [l2, l1, s2, s1]],
    [{ mrc402id: v, state: "all", side: "auction" }, [l3]],
    [{ ...all, address: b.address }, [l2, s2]],
    [{ ...all, address: d.address }, []],
    [{ ...all, token: "2" }, [s2]],
    [{ ...all, token: "0", address: a.address, side: "auction" }, [l3, l1]],
    [{ ...all, mrc402id: v }, [l3, s3]],
    [{ ...all, token: "1" }, []],
    [{ ...all, token: "99" }, []],
    [{ mrc402id: NO_UNIT_ITEM }, []],
    [{ mrc402id: `${project}_${"0".repeat(40)}`, state: "all" }, []],
    [{ mrc400id: `MRC400_${"0".repeat(33)}`, state: "all" }, []],
  ] as const) {
    assert.deepEqual(await dexids(query), expected, JSON.stringify(query));
    assert.deepEqual(await dexids({ ...query, limit: "1" }), expected, JSON.stringify(query));
  }
  const [newest] = await allOf<UnitListing>(trade.node, "/mrc402/dex", { mrc400id: project });
  assert.deepEqual(newest, await trade.listing(l3));
});

test("mrc402 §3: pages of /mrc402/dex: one that comes meanwhile shifts nothing; no cursor at the end", async () => {
  const x = await trade.x({}, { a: 50 });
  const made: string[] = [];
  for (let n = 0; n < 5; n++) {
    made.unshift(await trade.sale(a, x, { amount: "1" }));
  }
  const page = async (query: Record<string, string>) => {
    const search = new URLSearchParams({ mrc402id: x, limit: "2", ...query });
    const answer = await trade.node.get(`/mrc402/dex?${search}`);
    assert.equal(answer.status, 200, answer.text);
    assert.match(answer.headers.get("cache-control") ?? "", /no-store/);
    const { items, cursor, ...more } = parsed<{ items: UnitListing[]; cursor?: string }>(answer);
    assert.deepEqual(more, {});
    return { ids: items.map(({ dexid }) => dexid), cursor };
  };
  const first = await page({});
  await trade.sale(a, x, { amount: "1" });
  const second = await page({ cursor: first.cursor ?? "" });
  const third = await page({ cursor: second.cursor ?? "" });
  assert.deepEqual([...first.ids, ...second.ids, ...third.ids], made);
  assert.equal(third.cursor, undefined);
  for (const other of ["/mrc402", `/mrc402/holders/${x}`, `/mrc402/balance/${a.address}`]) {
    const answer = await trade.node.get(
      `${other}?cursor=${encodeURIComponent(first.cursor ?? "")}`,
    );
    assert.equal(saidCode(answer), "400 3005", other);
  }
});

for (const [path, filters] of [
  ["/mrc402", []],
  ["/mrc402/dex", ["token"]],
  ["/mrc402/balance/A", []],
  ["/mrc402/holders/X", []],
] as const) {
  test(`mrc402 §3: what GET ${path} refuses, chain §10`, async () => {
    const x = await trade.x();
    const at = path.replace("/A", `/${a.address}`).replace("/X", `/${x}`);
    for (const [query, answer] of [
      ["limit=0", "400 1101"],
      ["limit=101", "400 1101"],
      ["limit=x", "400 1101"],
      ["limit=1", "200"],
      ["limit=100", "200"],
      ["cursor=x", "400 3005"],
      ...filters.map((name) => [`${name}=x`, "400 1101"] as const),
      ...(path === "/mrc402/dex"
        ? ([
            ["address=MTx", "400 3190"],
            ["mrc402id=nonsense", "400 3005"],
            ["mrc400id=nonsense", "400 3005"],
            ["side=nonsense", "400 3005"],
            ["state=nonsense", "400 3005"],
          ] as const)
        : []),
      ...(path === "/mrc402"
        ? ([
            ["creator=MTx", "400 3190"],
            ["mrc400id=nonsense", "400 3005"],
          ] as const)
        : []),
    ] as const) {
      assert.equal(saidCode(await trade.node.get(`${at}?${query}`)), answer, query);
    }
  });
}

test("mrc402 §3: GET /mrc402: item records, newest first, by project and creator", async () => {
  const e = await trade.newcomer("e", 1000n);
  const project = await trade.project();
  const u = await trade.u({}, {}, project);
  const v = await trade.u({}, {}, project);
  const x = await trade.units.alone(e);
  const ids = async (query: Record<string, string>) =>
    (await allOf<UnitItem>(trade.node, "/mrc402", query)).map(({ id }) => id);
  assert.deepEqual(await ids({ mrc400id: project }), [v, u]);
  assert.deepEqual(await ids({ mrc400id: project, limit: "1" }), [v, u]);
  assert.deepEqual(await ids({ mrc400id: project, creator: m.address }), [v, u]);
  assert.deepEqual(await ids({ mrc400id: project, creator: e.address }), []);
  assert.deepEqual(await ids({ creator: e.address }), [x]);
  assert.deepEqual(await ids({ mrc400id: `MRC400_${"0".repeat(33)}` }), []);
  assert.deepEqual((await ids({})).slice(0, 3), [x, v, u]);
  const [record] = await allOf<UnitItem>(trade.node, "/mrc402", { creator: e.address });
  assert.deepEqual(record, await trade.record(x));
});

test("mrc402 §3: GET /mrc402/balance: holdings by id, listed units included; none once all are gone; unknown address 3090", async () => {
  const e = await trade.newcomer("e", 0n);
  const items = [await trade.x(), await trade.x(), await trade.u({ totalsupply: "9" })].sort();
  for (const id of items) {
    await trade.units.give(id, id.startsWith("MRC402") ? c : m, e, "9");
  }
  const [first = "", second = "", third = ""] = items;
  await trade.sale(e, first, { amount: "9" });
  await trade.lot(e, second, { amount: "4" });
  await trade.units.give(third, e, b, "9");
  const path = `/mrc402/balance/${e.address}`;
  const list = (query: Record<string, string>) =>
    allOf<Holding & { mrc402: string }>(trade.node, path, query);
  const expected = [
    { mrc402: first, balance: "0", saleamount: "9", auctionamount: "0" },
    { mrc402: second, balance: "5", saleamount: "0", auctionamount: "4" },
  ];
  assert.deepEqual(await list({}), expected);
  assert.deepEqual(await list({ limit: "1" }), expected);
  assert.deepEqual(await list({ mrc402id: second }), [expected[1]]);
  assert.deepEqual(await list({ mrc402id: third }), []);
  assert.deepEqual(await list({ mrc402id: NO_UNIT_ITEM }), []);
  const nobody = "MTAlice00000000000000000000000005dc33c90";
  assert.equal(saidCode(await trade.node.get(`/mrc402/balance/${nobody}`)), "404 3090");
  assert.equal(saidCode(await trade.node.get("/mrc402/balance/MTx")), "400 3190");
});

test("mrc402 §3: GET /mrc402/holders: by address, listed units included; unknown item 6004", async () => {
  const x = await trade.x({ totalsupply: "30" }, { a: 10, b: 10 });
  await trade.sale(a, x);
  await trade.units.give(x, b, d, "10");
  const expected = [
    { address: a.address, balance: "0", saleamount: "10", auctionamount: "0" },
    { address: c.address, balance: "10", saleamount: "0", auctionamount: "0" },
    { address: d.address, balance: "10", saleamount: "0", auctionamount: "0" },
  ].sort((one, other) => (one.address < other.address ? -1 : 1));
  for (const limit of ["1", "2", "100"]) {
    assert.deepEqual(await allOf(trade.node, `/mrc402/holders/${x}`, { limit }), expected);
  }
  assert.equal(saidCode(await trade.node.get("/mrc402/holders/x")), "404 6004");
});

test("mrc402 §1.6: reserved words are no ids", async () => {
  for (const word of "dex balance holders transfer sell unsell buy melt auction unauction bid auctionfinish mint burn update".split(
    " ",
  )) {
    const { status } = await trade.node.get(`/mrc402/${word}`);
    assert.ok(word === "dex" ? status === 200 : status === 404 || status === 405, word);
  }
});

// §11 to §17: answers and records.

/** The terms that a listing has, as its record L gives them. */
async function termsOf(dexid: string): Promise<readonly string[]> {
  const listing = await trade.listing(dexid);
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
  for (const signed of ["short", "full"] as const) {
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
      test(`mrc402 §11, §14: ${word} in quantity form, signed ${signed}, ${what}: answer, M as sent, L as it applies`, async () => {
        const u = await item();
        const now = trade.node.now;
        const dates = { auction_start_date: String(now + 9), auction_end_date: String(now + 9999) };
        const params: Record<string, string> = {
          amount: "5",
          [price]: "30",
          token: "2",
          ...change,
          ...("platform_address" in change ? { platform_address: s.address } : {}),
          ...("auction_bidding_unit" in change ? dates : {}),
        };
        const named: ItemParams = signed === "full" ? {} : { seller: "" };
        const all = { id: u, ...params, ...named };
        const { answer, signature, tkey } = await trade.sent(word, a, all, { signed });
        const dexid = unitListingIdOf(a.address, tkey);
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
        const first = [dexid, a.address, "5", u];
        await trade.assertRecorded(
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
              parameters: [...(await termsOf(dexid)), signature, tkey],
            },
          ],
          { token: "2", more: { mrc402dexid: dexid } },
        );
        const ofSent = {
          platform_name: "Fair",
          platform_commission: "2.5",
          platform_address: s.address,
        };
        await trade.assertListing(dexid, "platform_name" in change ? ofSent : ofItem());
      });
    }
  }

  test(`mrc402 §11, §14: ${word} of several in item form: answer, M with itemdata as sent, L of each with what applies`, async () => {
    const [u, x] = [await item(), await trade.x({}, { a: 5 })];
    const own = word === "sell" ? `"price":30` : `"start":30`;
    const itemdata = `[ {"id":"${u}",${own},"token":"0"}, {"id":"${x}", ${own},"token":0,"amount":"5","platform_name":"é"} ]`;
    const { answer, signature, tkey } = await trade.sent(word, a, { itemdata });
    const ids = [unitListingIdOf(a.address, tkey, 0), unitListingIdOf(a.address, tkey, 1)];
    const listings = await Promise.all(
      ids.map(async (dexid) => ({
        type: `mrc402_${word}`,
        of: dexid,
        parameters: [...(await termsOf(dexid)), signature, tkey],
      })),
    );
    await trade.assertRecorded(
      answer,
      [
        {
          type: `mrc402${word}`,
          of: a,
          parameters: [itemdata, a.address, signature, tkey],
          units: [u, x],
        },
        ...listings,
      ],
      { more: { mrc402dexids: ids } },
    );
    assert.deepEqual(
      listings.map(({ parameters }) => parameters.slice(1, 4)),
      [
        [a.address, "1", u],
        [a.address, "5", x],
      ],
    );
  });

  const undo = word === "sell" ? "unsell" : "unauction";
  test(`mrc402 §12, §15: ${undo} by listing, partly bought or not: M and L with what went back`, async () => {
    const u = await item();
    const dexid = await trade.list(word, a, u, { token: "2" });
    if (word === "sell") {
      assert.equal(unitsSaid(await trade.buy(b, dexid, "4")), "200");
    }
    const { answer, signature, tkey } = await trade.sent(undo, a, { id: dexid });
    const terms = word === "sell" ? ["6", u, "30", "2"] : ["5", u, "100", "2"];
    const parameters = [dexid, a.address, ...terms, signature, tkey];
    await trade.assertRecorded(
      answer,
      [
        { type: `mrc402${undo}`, of: a, parameters, units: [u] },
        { type: `mrc402_${undo}`, of: dexid, parameters },
      ],
      { token: "2" },
    );
  });

  test(`mrc402 §12, §15: ${undo} of several, by item and by listing: M with itemdata as sent, L of each`, async () => {
    const [u, x] = [await item(), await trade.x({}, { a: 10 })];
    const ids = [await trade.list(word, a, u), await trade.list(word, a, x)] as const;
    const itemdata = ` ["${u}",  "${ids[1]}"]`;
    const { answer, signature, tkey } = await trade.sent(undo, a, { itemdata, seller: "" });
    const terms = word === "sell" ? ["10", "30"] : ["5", "100"];
    const [amount = "", price1 = ""] = terms;
    await trade.assertRecorded(answer, [
      {
        type: `mrc402${undo}`,
        of: a,
        parameters: [itemdata, a.address, signature, tkey],
        units: [u, x],
      },
      ...[u, x].map((id, n) => ({
        type: `mrc402_${undo}`,
        of: ids[n] ?? "",
        parameters: [ids[n] ?? "", a.address, amount, id, price1, "0", signature, tkey],
      })),
    ]);
  });

  for (const form of FORMS) {
    test(`mrc402 §2.3: ${word} and ${undo} by an agent, ${form} form: one more A(creator), of M's type, with L's parameters`, async () => {
      const u = await trade.u({ totalsupply: "9" });
      const params = listingParams(word, form, u, { amount: "3" });
      const listed = await trade.sent(word, s, params);
      const dexid = unitListingIdOf(s.address, listed.tkey);
      const undoing: ItemParams = form === "item" ? { itemdata: [u] } : { id: dexid };
      const terms = [...(await termsOf(dexid)), listed.signature, listed.tkey];
      await assertAgent(listed, word, dexid, terms, u);
      const undone = await trade.sent(undo, s, undoing);
      const unit = word === "sell" ? "30" : "100";
      const back = [dexid, m.address, "3", u, unit, "0", undone.signature, undone.tkey];
      await assertAgent(undone, undo, dexid, back, u);
    });
  }
}

/** M of the agent S, at whom nothing has moved; A of the creator and L of the listing in any order, with the same parameters. */
async function assertAgent(
  { answer }: Sent,
  word: string,
  dexid: string,
  parameters: readonly string[],
  u: string,
): Promise<void> {
  assert.equal(unitsSaid(answer), "200");
  const { effects, ...main } = await trade.node.transaction(parsed<{ txid: string }>(answer).txid);
  const brief = (type: string, address: string) => ({ type, address, parameters });
  assert.deepEqual(
    effects
      .map(({ type, address, parameters: given }) => ({ type, address, parameters: given }))
      .toSorted((one, other) => (one.type < other.type ? -1 : 1)),
    [brief(`mrc402${word}`, m.address), brief(`mrc402_${word}`, "")].toSorted((one, other) =>
      one.type < other.type ? -1 : 1,
    ),
  );
  assert.deepEqual([main.type, main.address], [`mrc402${word}`, s.address]);
  assert.deepEqual(main.values, {}, "nothing has moved at the agent");
  const ofCreator = effects.find(({ address }) => address === m.address);
  const holding = await trade.units.holding(m, u);
  assert.deepEqual(ofCreator?.values, { mrc402: { [u]: holding } });
  assert.ok(effects.some((record) => (record as { item?: string }).item === dexid));
}

for (const { what, token, buyer, form, price, amount } of [
  { what: "for coins", token: "0", buyer: () => b, form: "quantity", price: "30", amount: "4" },
  { what: "for token 2", token: "2", buyer: () => b, form: "quantity", price: "30", amount: "10" },
  { what: "by item id", token: "2", buyer: () => b, form: "item", price: "999", amount: "1" },
  { what: "too cheap for fees", token: "0", buyer: () => d, form: "item", price: "9", amount: "1" },
  {
    what: "by the MRC400 owner",
    token: "0",
    buyer: () => o,
    form: "quantity",
    price: "30",
    amount: "4",
  },
  {
    what: "by a shareholder",
    token: "0",
    buyer: () => s,
    form: "quantity",
    price: "100",
    amount: "3",
  },
] as const) {
  for (const signed of ["short", "full"] as const) {
    test(`mrc402 §13: buy ${what}, signed ${signed}: M, A of each payee, L with payments`, async () => {
      const u = await item();
      const dexid = await trade.sale(a, u, { price, token });
      const by = buyer();
      const named: ItemParams = signed === "full" ? {} : { buyer: "" };
      const params: ItemParams = form === "item" ? { id: u } : { id: dexid, amount };
      const sent = await trade.sent("buy", by, { ...params, ...named }, { signed });
      const P = BigInt(price) * BigInt(amount);
      const { signature, tkey } = sent;
      const paid = distribution({ dexid, id: u, token, price: P, of: "sell", by: sent, buyer: by });
      const payments = paymentsText(
        ["mrc402_buy", by.address, dexid, String(P), token, "paid"],
        ["mrc402_recv_item", dexid, by.address, amount, u, "traded"],
        ...paid.movements,
      );
      await trade.assertRecorded(
        sent.answer,
        [
          {
            type: "transfer_mrc402buy",
            of: by,
            parameters: [by.address, dexid, String(P), token, signature, "0", amount, u, tkey],
            moved: [token],
            units: [u],
          },
          ...paid.records,
          {
            type: "mrc402_buy",
            of: dexid,
            parameters: [dexid, a.address, by.address, payments, u],
          },
        ],
        { token },
      );
    });
  }
}

/** Records of a bid, of the earlier bidder's refund, and of the payees if it is of the buy-now price. */
async function assertBid(
  sent: Sent,
  by: KeyHolder,
  bid: string,
  {
    u,
    dexid,
    token,
    earlier,
    isBuyNow = false,
  }: {
    readonly u: string;
    readonly dexid: string;
    readonly token: string;
    readonly earlier?: readonly [KeyHolder, string];
    readonly isBuyNow?: boolean;
  },
): Promise<void> {
  const { signature, tkey } = sent;
  const units = isBuyNow ? [u] : [];
  const paid = isBuyNow
    ? distribution({ dexid, id: u, token, price: BigInt(bid), of: "auction", by: sent, buyer: by })
    : { movements: [], records: [] };
  const refund: Movement[] = earlier
    ? [["mrc402_recv_refund", dexid, earlier[0].address, earlier[1], token, "paid"]]
    : [];
  const lot: Movement[] = isBuyNow
    ? [["mrc402_recv_item", dexid, by.address, "5", u, "traded"]]
    : [];
  const payments = paymentsText(
    ...refund,
    ["mrc402_bid", by.address, dexid, bid, token, "paid"],
    ...lot,
    ...paid.movements,
  );
  const listing = isBuyNow
    ? { type: "mrc402_auctionbuynow", parameters: [dexid, a.address, by.address, payments, u] }
    : {
        type: "mrc402_auctionbid",
        parameters: [dexid, a.address, by.address, payments, signature, tkey],
      };
  const lotParameter = isBuyNow ? "5" : "";
  const refunded: UnitRecord[] = earlier
    ? [
        {
          type: "receive_mrc402refund",
          of: earlier[0],
          parameters: [dexid, earlier[0].address, earlier[1], token, signature, "0", "", u, tkey],
          moved: [token],
          units: earlier[0] === by ? units : [],
        },
      ]
    : [];
  await trade.assertRecorded(
    sent.answer,
    [
      {
        type: "transfer_mrc402bid",
        of: by,
        parameters: [by.address, dexid, bid, token, signature, "0", lotParameter, u, tkey],
        moved: [token],
        units,
      },
      ...refunded,
      ...paid.records,
      { ...listing, of: dexid },
    ],
    { token },
  );
}

for (const token of ["0", "2"]) {
  for (const form of FORMS) {
    test(`mrc402 §16: bids for token ${token}, ${form} form: M, A of the earlier bidder, L with payments`, async () => {
      const u = await item();
      const dexid = await trade.lot(a, u, { token });
      const id = form === "item" ? u : dexid;
      const first = await trade.sent("bid", b, { id, amount: "100", buyer: "" });
      await assertBid(first, b, "100", { u, dexid, token });
      const params = { id, amount: "105", token };
      const second = await trade.sent("bid", d, params, { signed: "full" });
      await assertBid(second, d, "105", { u, dexid, token, earlier: [b, "100"] });
    });

    for (const { what, earlier } of [
      { what: "without an earlier bid", earlier: undefined },
      { what: "after D's bid", earlier: () => d },
      { what: "after the bidder's own bid", earlier: () => b },
    ]) {
      test(`mrc402 §16: a bid of the buy-now price for token ${token}, ${form} form, ${what}: M, A of the earlier bidder and of the payees, L`, async () => {
        const u = await item();
        const before1 = earlier?.();
        const bids = before1 === undefined ? [] : ([[before1, "105"]] as const);
        const dexid = await trade.lot(a, u, { token }, bids);
        const id = form === "item" ? u : dexid;
        const sent = await trade.sent("bid", b, { id, amount: "500" });
        const refund: { earlier?: readonly [KeyHolder, string] } =
          before1 === undefined ? {} : { earlier: [before1, "105"] };
        await assertBid(sent, b, "500", { u, dexid, token, ...refund, isBuyNow: true });
      });
    }
  }
}

/** R without a temporary key, and exactly these records. */
async function assertFinished(
  answer: Answered,
  records: readonly [UnitRecord, ...UnitRecord[]],
  token: string,
): Promise<void> {
  assert.equal(answer.headers.has("replay-nonce"), false);
  await trade.assertRecorded(answer, records, { token });
}

for (const { what, bid, winner } of [
  { what: "won by B", bid: "105", winner: () => b },
  { what: "won by B, too cheap for fees", bid: "9", winner: () => b },
  { what: "won by the MRC400 owner, who is paid, too", bid: "105", winner: () => o },
]) {
  for (const [method, by] of [
    ["GET", "item"],
    ["POST", "listing"],
  ] as const) {
    test(`mrc402 §17: ${method} auctionfinish by ${by} of what was ${what}: M of the winner, A of each payee, L with payments`, async () => {
      const u = await item();
      const [token, w] = ["0", winner()];
      const dexid = await trade.lot(a, u, { auction_start_price: bid }, [[w, bid]]);
      await trade.untilEnd(dexid);
      const answer = await trade.finish(by === "item" ? u : dexid, method);
      const paid = distribution({
        dexid,
        id: u,
        token,
        price: BigInt(bid),
        of: "auction",
        by: { signature: "", tkey: "" },
        buyer: w,
      });
      const payments = paymentsText(
        ["mrc402_recv_item", dexid, w.address, "5", u, "traded"],
        ...paid.movements,
      );
      await assertFinished(
        answer,
        [
          {
            type: "receive_mrc402item",
            of: w,
            parameters: [dexid, w.address, "0", token, "", "0", "5", u, ""],
            units: [u],
            moved: w === o ? [token] : [],
          },
          ...paid.records,
          {
            type: "mrc402_auctionwinning",
            of: dexid,
            parameters: [dexid, a.address, w.address, payments, u],
          },
        ],
        token,
      );
    });
  }
}

test("mrc402 §17: auctionfinish without a bid: M of the seller, L, with nothing but the lot", async () => {
  const u = await item();
  const dexid = await trade.lot(a, u, { token: "2" });
  await trade.untilEnd(dexid);
  const parameters = [dexid, a.address, "5", u];
  await assertFinished(
    await trade.finish(dexid),
    [
      { type: "mrc402auctionfailure", of: a, parameters, units: [u] },
      { type: "mrc402_auctionfailure", of: dexid, parameters },
    ],
    "2",
  );
});

test("mrc402 §3: the payments of a purchase as GET /transaction shows them", async () => {
  const x = await trade.x({ creatorcommission: "10" }, { a: 5 });
  const dexid = await trade.sale(a, x, { amount: "5" });
  const { answer } = await trade.sent("buy", b, { id: dexid, amount: "2" });
  const { effects } = await trade.node.transaction(parsed<{ txid: string }>(answer).txid);
  const movement = (type: string, from: string, to: string, paid: string, traded = "") =>
    `{"from_addr":"${from}","to_addr":"${to}","amount":"${paid}","token":"${paid && "0"}","trade_amount":"${traded}","trade_id":"${traded && x}","type":"${type}"}`;
  const payments = [
    movement("mrc402_buy", b.address, dexid, "60"),
    movement("mrc402_recv_item", dexid, b.address, "", "2"),
    movement("mrc402_recv_fee_creator", dexid, c.address, "6"),
    movement("mrc402_recv_sell", dexid, a.address, "54"),
  ];
  assert.deepEqual(effects.at(-1), {
    type: "mrc402_buy",
    address: "",
    item: dexid,
    token: 0,
    parameters: [dexid, a.address, b.address, `[${payments.join()}]`, x],
    values: { buyer: b.address, job_type: "mrc402_buy", remain_amount: "3" },
  });
});
