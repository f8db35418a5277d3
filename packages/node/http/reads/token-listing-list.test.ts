import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { Market, type Parties } from "../../testing/requests/market.ts";
import type { Listing } from "../../testing/requests/market-requests.ts";
import { type KeyHolder, type Params, parsed, said } from "../../testing/test-node.ts";

// GET /token/dex: tokens §8, list.

const UNKNOWN = "MTAlice00000000000000000000000005dc33c90";
const DAY = 86_400;

let market: Market;
before(async () => {
  market = await Market.open();
});
after(() => market[Symbol.asyncDispose]());
afterEach(() => market.assertConserved());

async function accepted(...sent: Parameters<Market["send"]>): Promise<void> {
  assert.equal(said(await market.send(...sent)), "200");
}

/** Listings of tokens of their own, oldest first: two of S sold for coins, one for silver, one of B, and an auction. */
async function shelf(): Promise<Parties & { x: string; silver: string; ids: string[] }> {
  const parties = await market.parties();
  const { s, b } = parties;
  const x = await market.issue(s, "1000");
  const silver = await market.issue(b, "1000");
  const ids: string[] = [];
  const add = async (
    word: "sell" | "reqsell" | "auction",
    by: KeyHolder,
    change: Params,
  ): Promise<void> => {
    const common = { mrc010id: x, amount: "10" };
    ids.push(await market.list(word, by, { ...common, ...change }));
  };
  await add("sell", s, { token: "0", price: "1" });
  await add("sell", s, { token: "0", price: "2" });
  await add("sell", s, { token: silver, price: "1" });
  await add("reqsell", b, { token: "0", price: "1" });
  await add("auction", s, { token: silver, auction_start_price: "1" });
  await accepted("unsell", s, { dexid: ids[0] as string });
  await accepted("buy", b, { dexid: ids[1] as string, amount: "10" });
  return { ...parties, x, silver, ids };
}

test("tokens §8: the list of open listings, newest first, each as its record is, by every filter and several", async () => {
  const { x, silver, ids, s, b, p } = await shelf();
  for (const { query, found } of [
    { query: {}, found: [4, 3, 2] },
    { query: { state: "open" }, found: [4, 3, 2] },
    { query: { state: "" }, found: [4, 3, 2] },
    { query: { state: "all" }, found: [4, 3, 2, 1, 0] },
    { query: { state: "cancelled" }, found: [0] },
    { query: { state: "sold" }, found: [1] },
    { query: { state: "failed" }, found: [] },
    { query: { side: "sell" }, found: [2] },
    { query: { side: "sell", state: "all" }, found: [2, 1, 0] },
    { query: { side: "buy" }, found: [3] },
    { query: { side: "auction" }, found: [4] },
    { query: { paytoken: silver }, found: [4, 2] },
    { query: { paytoken: "0" }, found: [3] },
    { query: { paytoken: "0", state: "all" }, found: [3, 1, 0] },
    { query: { address: s.address }, found: [4, 2] },
    { query: { address: b.address }, found: [3] },
    { query: { address: p.address, state: "all" }, found: [] },
    { query: { address: s.address, side: "sell", paytoken: "0", state: "all" }, found: [1, 0] },
    { query: { address: s.address, side: "sell", paytoken: "0", state: "sold" }, found: [1] },
    { query: { address: b.address, side: "sell" }, found: [] },
    { query: { paytoken: x }, found: [] },
    { query: { paytoken: "99999" }, found: [] },
    { query: { paytoken: String(10n ** 40n) }, found: [] },
    { query: { address: UNKNOWN }, found: [] },
    { query: { unknown: "x" }, found: [4, 3, 2] },
  ] as readonly { query: Params; found: readonly number[] }[]) {
    const { items, cursor } = await market.page({ token: x, ...query });
    const expected = await Promise.all(found.map((index) => market.listing(ids[index] as string)));
    assert.deepEqual(items, expected, JSON.stringify(query));
    assert.equal(cursor, undefined);
  }
  for (const token of ["99999", "9007199254740993", String(10n ** 40n)]) {
    assert.deepEqual(await market.page({ token, state: "all" }), { items: [] });
  }
  const { items } = await market.page({ address: s.address, state: "all" });
  assert.deepEqual(
    items.map(({ dexid }) => dexid),
    [4, 2, 1, 0].map((index) => ids[index]),
  );
});

test("tokens §8: an auction that nobody bid for is in the list of failed ones", async () => {
  const { x, ids } = await shelf();
  market.node.now += DAY;
  assert.equal(said(await market.finish(ids[4] as string)), "200");
  const { items } = await market.page({ token: x, state: "failed" });
  assert.deepEqual(
    items.map(({ dexid }) => dexid),
    [ids[4]],
  );
});

for (const { query, answer } of [
  ...["0", "101", "-1", "x", "01", "1.5"].map((limit) => ({ query: { limit }, answer: "1101" })),
  ...["x", "-1", "01", String(10n ** 40n + 1n)].flatMap((id) => [
    { query: { token: id }, answer: "1101" },
    { query: { paytoken: id }, answer: "1101" },
  ]),
  ...["x", "Sell", "reqsell", "all"].map((side) => ({ query: { side }, answer: "3005" })),
  ...["x", "Open", "closed", "open,sold"].map((state) => ({ query: { state }, answer: "3005" })),
  ...["x", "-1", "😀", `DEX010_${"0".repeat(33)}`, "9".repeat(400)].map((cursor) => ({
    query: { cursor },
    answer: "3005",
  })),
  { query: { address: "MTx" }, answer: "3190" },
] as readonly { query: Params; answer: string }[]) {
  const [name = "", value = ""] = Object.entries(query)[0] ?? [];
  test(`tokens §8: a list with ${name} ${value.slice(0, 50)}: ${answer}`, async () => {
    const sent = await market.node.get(`/token/dex?${new URLSearchParams(query)}`);
    assert.equal(said(sent), `400 ${answer} ${name}`);
  });
}

/** So many listings of one token, made one after the other or all at once. */
async function many(count: number, s: KeyHolder, x: string): Promise<string[]> {
  const params = { mrc010id: x, amount: "1", token: "0", price: "1" };
  return Promise.all(Array.from({ length: count }, () => market.list("sell", s, params)));
}

async function walk(
  query: Params,
  between: (page: number) => Promise<void> = async () => undefined,
): Promise<string[][]> {
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const page = await market.page({ ...query, ...(cursor === undefined ? {} : { cursor }) });
    pages.push(page.items.map(({ dexid }) => dexid));
    cursor = page.cursor;
    await between(pages.length);
  } while (cursor !== undefined);
  return pages;
}

test("tokens §8: pages of 50 unless told, of 1 to 100; no cursor on the last page, also when it is full", async () => {
  const s = await market.holder();
  const x = await market.issue(s, "1000");
  await many(101, s, x);
  const sizes = async (limit?: string): Promise<number[]> =>
    (await walk({ token: x, ...(limit && { limit }) })).map((page) => page.length);
  assert.deepEqual(await sizes(), [50, 50, 1]);
  assert.deepEqual(await sizes("100"), [100, 1]);
  assert.deepEqual((await sizes("1")).length, 101);
  const all = (await walk({ token: x, limit: "100" })).flat();
  assert.equal(new Set(all).size, 101);
  await accepted("unsell", s, { dexid: all[7] as string });
  assert.deepEqual(await sizes(), [50, 50]);
  assert.deepEqual(await sizes("100"), [100]);
});

test("tokens §8: listings made at once are in the order of their transactions, newest first, on every page size", async () => {
  const s = await market.holder();
  const x = await market.issue(s, "1000");
  const params = { mrc010id: x, amount: "1", token: "0", price: "1" };
  const sends = await Promise.all(
    Array.from({ length: 20 }, () => market.ready("sell", s, params)),
  );
  const answers = await Promise.all(sends.map((send) => send()));
  const made = answers.map((answer) => parsed<{ txid: string; mrc010dexid: string }>(answer));
  const newestFirst = made.toSorted((a, b) => (a.txid < b.txid ? 1 : -1));
  for (const limit of ["1", "3", "20", "100"]) {
    assert.deepEqual(
      (await walk({ token: x, limit })).flat(),
      newestFirst.map(({ mrc010dexid }) => mrc010dexid),
    );
  }
});

test("tokens §8: listings added meanwhile neither shift nor repeat entries, by any filter", async () => {
  const parties = await market.parties();
  const { s } = parties;
  const x = await market.issue(s, "1000");
  await many(7, s, x);
  for (const query of [
    { token: x },
    { token: x, state: "all" },
    { address: s.address },
    { address: s.address, token: x, side: "sell", paytoken: "0", state: "all" },
  ]) {
    const before = (await walk(query)).flat();
    const pages = await walk({ ...query, limit: "3" }, async () => {
      await many(2, s, x);
    });
    assert.deepEqual(pages.flat(), before);
    const now = (await walk(query)).flat();
    assert.deepEqual(now.slice(-before.length), before);
    assert.equal(now.length, before.length + 2 * pages.length);
  }
});

test("tokens §8: listings whose state changes meanwhile drop out, the others stay where they are", async () => {
  const s = await market.holder();
  const x = await market.issue(s, "1000");
  await many(7, s, x);
  const before = (await walk({ token: x })).flat();
  // The last one of the first page, where its cursor stands, and the first one of the second.
  const dropped = [before[2], before[3]] as string[];
  const pages = await walk({ token: x, limit: "3" }, async (page) => {
    for (const dexid of page === 1 ? dropped : []) {
      await accepted("unsell", s, { dexid });
    }
  });
  assert.deepEqual(
    pages.flat(),
    before.filter((id) => id !== dropped[1]),
  );
});

test("tokens §8: a cursor of which a character is changed, left out or added is 3005, or leads into the same list", async () => {
  const s = await market.holder();
  const x = await market.issue(s, "1000");
  const all = new Set(await many(5, s, x));
  const { cursor = "" } = await market.page({ token: x, limit: "2" });
  const changed = [...cursor].flatMap((character, at) => [
    cursor.slice(0, at) + cursor.slice(at + 1),
    cursor.slice(0, at) + (character === "0" ? "1" : "0") + cursor.slice(at + 1),
    `${cursor.slice(0, at)}|${cursor.slice(at)}`,
  ]);
  for (const other of [...changed, `${cursor}0`, cursor + cursor, "9".repeat(16)]) {
    if (other === "") {
      continue;
    }
    const query = new URLSearchParams({ token: x, cursor: other });
    const answer = await market.node.get(`/token/dex?${query}`);
    if (said(answer) !== "400 3005 cursor") {
      assert.equal(answer.status, 200, other);
      const { items } = parsed<{ items: Listing[] }>(answer);
      assert.ok(
        items.every(({ dexid }) => all.has(dexid)),
        other,
      );
    }
  }
});
