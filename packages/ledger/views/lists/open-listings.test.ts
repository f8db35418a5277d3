import assert from "node:assert/strict";
import { test } from "node:test";
import type { Address } from "@moneta/protocol";
import { listNamed, listPages, type Query } from "../../testing/list-pages.ts";
import { TestClient } from "../../testing/test-client.ts";
import { T } from "../../testing/test-ledger.ts";
import {
  createItems,
  createProject,
  createToken,
  createUnits,
  type Element,
} from "../../testing/trade/creations.ts";
import { ListView } from "./list-view.ts";

const COINS = { coins: 1_000_000n };

/** Every page of items, one behind the other, each as places of its items among `items`. */
function itemPages(
  { ledger }: TestClient,
  items: readonly string[],
  query: Query,
  examinedMax?: number,
): number[][] {
  const bounds = examinedMax === undefined ? {} : { examinedMax };
  const lists = new ListView(ledger.database, ledger.reader, bounds);
  const pages = listPages<{ readonly id: string }>(ledger, listNamed("mrc401Items"), query, lists);
  return pages.map((page) => page.map(({ id }) => items.indexOf(id)));
}

/** An auction that ends so many seconds after T. */
function lot(seconds: number, groupid = ""): Element {
  const terms = { auction_start_price: "5", auction_end: String(T + seconds) };
  return groupid === "" ? terms : { ...terms, groupid };
}

test("chain §10: a page by the ends of auctions reads 1,000 of them, and then ends with a cursor", async () => {
  using client = await TestClient.open();
  const { s } = await client.people(["s"], COINS);
  const project = await createProject(client, s);
  // The first 600 end at one time, so that a page begins in the middle of them.
  const common = Array.from({ length: 1000 }, (_, at) => lot(at < 600 ? 5000 : 6000, "common"));
  for (let from = 0; from < common.length; from += 100) {
    await createItems(client, project, s, ...common.slice(from, from + 100));
  }
  const rare = await createItems(client, project, s, lot(9000, "rare"), lot(7000, "rare"));
  const first = await createItems(client, project, s, lot(4000, "first"));
  const pages = (groupid: string): number[][] =>
    itemPages(client, [...rare, ...first], { order: "end", groupid, limit: "100" });
  assert.deepEqual(pages("rare"), [[], [1, 0]]);
  assert.deepEqual(pages("first"), [[2], []]);
  assert.deepEqual(
    pages("common").map(({ length }) => length),
    Array.from({ length: 10 }, () => 100),
  );
});

async function bids(): Promise<{
  readonly client: TestClient;
  readonly people: Readonly<Record<"s" | "b" | "d", Address>>;
  readonly items: readonly string[];
}> {
  const client = await TestClient.open();
  const people = await client.people(["s", "b", "d"], COINS);
  const project = await createProject(client, people.s);
  const ends = [9000, 5000, 7000, 5000, 8000, 6000];
  const items = await createItems(
    client,
    project,
    people.s,
    ...ends.map((end, at) => lot(end, at % 2 === 0 ? "even" : "odd")),
  );
  for (const mrc401id of items) {
    await client.done("mrc401bid", people.b, { mrc401id, amount: "5" });
  }
  return { client, people, items };
}

for (const { order, expected, all } of [
  { order: "new", expected: [[5], [3], [1], []], all: [5, 4, 3, 2, 1, 0] },
  { order: "end", expected: [[1, 3], [5], [], []], all: [1, 3, 5, 2, 4, 0] },
] as const) {
  test(`chain §10: a page of a bidder with order=${order} reads a bounded number of auctions, however few pass the other filters`, async () => {
    const { client, people, items } = await bids();
    using _ = client;
    const query = { bidder: people.b, order };
    assert.deepEqual(itemPages(client, items, { ...query, groupid: "odd" }, 2), expected);
    for (const limit of ["1", "2", "3"]) {
      assert.deepEqual(itemPages(client, items, { ...query, limit }, 2).flat(), all);
    }
  });
}

test("chain §10: a page by price reads a bounded number of offers, and continues in the middle of those of one price", async () => {
  using client = await TestClient.open();
  const { s, b } = await client.people(["s", "b"], COINS);
  const project = await createProject(client, s);
  const prices = ["9", "20", "9", "100", "9", "9"];
  const items = await createItems(
    client,
    project,
    s,
    ...prices.map((sell_price, at) => ({ sell_price, groupid: at % 2 === 0 ? "even" : "odd" })),
  );
  const query = { order: "price", token: "0" };
  assert.deepEqual(itemPages(client, items, { ...query, groupid: "odd" }, 2), [
    [],
    [5],
    [1, 3],
    [],
  ]);
  const found = (limit: string): number[] =>
    itemPages(client, items, { ...query, limit }, 2).flat();
  for (const limit of ["1", "2", "3"]) {
    assert.deepEqual(found(limit), [0, 2, 4, 5, 1, 3]);
  }
  await client.done("mrc401buy", b, { mrc401id: items[2] as string });
  assert.deepEqual(found("2"), [0, 4, 5, 1, 3]);
});

test("chain §10: an auction is found by its highest bidder until it is closed, and by no other address", async () => {
  const { client, people, items } = await bids();
  using _ = client;
  const { s, b, d } = people;
  const found = (bidder: Address): string => itemPages(client, items, { bidder }).flat().join(" ");
  const bid = (by: Address, at: number, amount: string) =>
    client.done("mrc401bid", by, { mrc401id: items[at] as string, amount });
  assert.deepEqual([found(b), found(d), found(s)], ["5 4 3 2 1 0", "", ""]);
  await bid(d, 2, "6");
  await bid(d, 4, "6");
  await bid(b, 4, "7");
  assert.deepEqual([found(b), found(d)], ["5 4 3 1 0", "2"]);
  // Over, and not closed yet.
  client.now = T + 5000;
  assert.equal(found(b), "5 4 3 1 0");
  await client.done("mrc401auctionfinish", "", { mrc401id: items[1] as string });
  assert.equal(found(b), "5 4 3 0");
  client.ledger.rebuild();
  assert.deepEqual([found(b), found(d)], ["5 4 3 0", "2"]);
});

for (const { kind, list, name } of [
  { kind: "mrc010", list: "tokenListings", name: "dexid" },
  { kind: "mrc402", list: "mrc402Listings", name: "id" },
]) {
  test(`market §1: ${list} are found by the highest bidders of their open auctions, too`, async () => {
    using client = await TestClient.open();
    const { s, b, d } = await client.people(["s", "b", "d"], COINS);
    const of =
      kind === "mrc010"
        ? { mrc010id: await createToken(client, s) }
        : { id: await createUnits(client, s, { totalsupply: "9" }) };
    const terms = { amount: "1", token: "0", auction_start_price: "5", auction_bidding_unit: "1" };
    const ids: string[] = [];
    for (let at = 0; at < 3; at += 1) {
      ids.push(await client.make(`${kind}auction`, s, { ...terms, ...of }));
    }
    const bid = (by: Address, at: number, amount: string) =>
      client.done(`${kind}bid`, by, { [name]: ids[at] as string, amount });
    const found = (bidder: Address): string =>
      listPages<{ readonly dexid: string }>(client.ledger, listNamed(list), { bidder })
        .flat()
        .map(({ dexid }) => ids.indexOf(dexid))
        .join(" ");
    assert.deepEqual([found(b), found(d)], ["", ""]);
    await bid(b, 0, "5");
    await bid(b, 1, "5");
    await bid(b, 2, "5");
    await bid(d, 1, "6");
    assert.deepEqual([found(b), found(d)], ["2 0", "1"]);
    client.now += 2_000_000;
    await client.done(`${kind}auctionfinish`, "", { [name]: ids[2] as string });
    assert.deepEqual([found(b), found(d)], ["0", "1"]);
  });
}

test("chain §10: state=sale leaves out sales that have ended; other lists of items have them", async () => {
  using client = await TestClient.open();
  const { s } = await client.people(["s"], COINS);
  const project = await createProject(client, s);
  const sale = (end: number): Element => ({
    sell_price: String(5 + end),
    sell_end: end === 0 ? "0" : String(client.now + end),
  });
  const ends = [0, 100, 200, 100, 100, 0, 100, 200];
  const items = await createItems(client, project, s, ...ends.map(sale));
  const pages = (query: Query, examinedMax?: number): number[][] =>
    itemPages(client, items, query, examinedMax);
  const begin = client.now;
  for (const [seconds, open] of [
    [99, [7, 6, 5, 4, 3, 2, 1, 0]],
    [100, [7, 5, 2, 0]],
    [200, [5, 0]],
  ] as const) {
    client.now = begin + seconds;
    for (const limit of ["1", "2", "3", "100"]) {
      for (const filters of [{}, { mrc400id: project }, { owner: s, token: "0" }]) {
        assert.deepEqual(pages({ state: "sale", limit, ...filters }).flat(), open);
      }
      const priced = { order: "price", token: "0", limit };
      assert.deepEqual(pages(priced).flat().toSorted().toReversed(), open);
      assert.equal(pages({ limit }).flat().length, items.length);
    }
  }
  // A page that reads two items, one of which would show that there are more, and two further ones.
  assert.deepEqual(pages({ state: "sale", limit: "1" }, 2), [[5], [0], []]);
});
