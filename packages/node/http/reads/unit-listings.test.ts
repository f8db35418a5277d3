import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { UnitItemShown, UnitListingShown } from "../../../ledger/testing/shown/shown-units.ts";
import { NO_UNIT_ITEM } from "../../../ledger/testing/trade/unit-terms.ts";
import { allOf, type Holding, unitsSaid } from "../../testing/requests/unit-requests.ts";
import { UnitTrade } from "../../testing/requests/unit-trade.ts";
import { type KeyHolder, parsed, saidCode } from "../../testing/test-node.ts";

// Lists of listings, unit items, holdings and holders: mrc402 §3, chain §10.

let trade: UnitTrade;
let m: KeyHolder;
let c: KeyHolder;
let a: KeyHolder;
let b: KeyHolder;
let d: KeyHolder;
before(async () => {
  trade = await UnitTrade.open({ tokens: 2 });
  ({ maker: m, c, a, b, d } = trade.cast);
});
after(() => trade[Symbol.asyncDispose]());

const dexids = async (query: Record<string, string>): Promise<string[]> =>
  (await allOf<UnitListingShown>(trade.node, "/mrc402/dex", query)).map(({ dexid }) => dexid);

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
  const [newest] = await allOf<UnitListingShown>(trade.node, "/mrc402/dex", { mrc400id: project });
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
    const { items, cursor, ...more } = parsed<{ items: UnitListingShown[]; cursor?: string }>(
      answer,
    );
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
  const e = await trade.newcomer(1000n);
  const project = await trade.project();
  const u = await trade.u({}, {}, project);
  const v = await trade.u({}, {}, project);
  const x = await trade.units.alone(e);
  const ids = async (query: Record<string, string>) =>
    (await allOf<UnitItemShown>(trade.node, "/mrc402", query)).map(({ id }) => id);
  assert.deepEqual(await ids({ mrc400id: project }), [v, u]);
  assert.deepEqual(await ids({ mrc400id: project, limit: "1" }), [v, u]);
  assert.deepEqual(await ids({ mrc400id: project, creator: m.address }), [v, u]);
  assert.deepEqual(await ids({ mrc400id: project, creator: e.address }), []);
  assert.deepEqual(await ids({ creator: e.address }), [x]);
  assert.deepEqual(await ids({ mrc400id: `MRC400_${"0".repeat(33)}` }), []);
  assert.deepEqual((await ids({})).slice(0, 3), [x, v, u]);
  const [record] = await allOf<UnitItemShown>(trade.node, "/mrc402", { creator: e.address });
  assert.deepEqual(record, await trade.record(x));
});

test("mrc402 §3: GET /mrc402/balance: holdings by id, listed units included; none once all are gone; unknown address 3090", async () => {
  const e = await trade.newcomer(0n);
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
