import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import type { Address } from "@moneta/protocol";
import {
  type ListPage,
  listNamed,
  listPage,
  listPages,
  type Query,
} from "../../testing/list-pages.ts";
import { TestClient } from "../../testing/test-client.ts";
import {
  createItems,
  createProject,
  createToken,
  createUnits,
} from "../../testing/trade/creations.ts";

// Lists while blocks arrive between two pages, and the lists of holders. Source: chain §10.

interface Entry {
  readonly [name: string]: string;
}

let client: TestClient;
let a: Address;
let b: Address;
let c: Address;
beforeEach(async () => {
  client = await TestClient.open();
  ({ a, b, c } = await client.people(["a", "b", "c"], { coins: 1_000_000n }));
});
afterEach(() => client[Symbol.dispose]());

function page(name: string, query: Query): ListPage<Entry> {
  return listPage<Entry>(client.ledger, listNamed(name), query);
}

function whole(name: string, query: Query): readonly Entry[] {
  return listPages<Entry>(client.ledger, listNamed(name), query).flat();
}

interface Growing {
  readonly list: string;
  readonly query: Query;
  readonly id: string;
  /** Adds entries, the newest last. */
  readonly add: (count: number) => Promise<void>;
  /** Makes an entry stop matching the query. */
  readonly end: (id: string) => Promise<unknown>;
}

const GROWING: Readonly<Record<string, () => Promise<Growing>>> = {
  async "token listings"() {
    const token = await createToken(client, a);
    const sale = { mrc010id: token, amount: "1", token: "0", price: "1" };
    return {
      list: "tokenListings",
      query: { token, state: "open", address: a },
      id: "dexid",
      add: (count) => addEach(count, () => client.done("mrc010sell", a, sale)),
      end: (dexid) => client.done("mrc010unsell", a, { dexid }),
    };
  },
  async "items on sale"() {
    const project = await createProject(client, a);
    return {
      list: "mrc401Items",
      query: { mrc400id: project, state: "sale", token: "0" },
      id: "id",
      add: async (count) => {
        const sales = Array.from({ length: count }, () => ({ sell_price: "1" }));
        await createItems(client, project, a, ...sales);
      },
      end: (mrc401id) => client.done("mrc401buy", b, { mrc401id }),
    };
  },
  async "unit listings"() {
    const item = await createUnits(client, a, { totalsupply: "900" });
    const sale = { id: item, amount: "1", token: "0", price: "1" };
    return {
      list: "mrc402Listings",
      query: { mrc402id: item },
      id: "dexid",
      add: (count) => addEach(count, () => client.done("mrc402sell", a, sale)),
      end: (id) => client.done("mrc402unsell", a, { id }),
    };
  },
};

async function addEach(count: number, add: () => Promise<unknown>): Promise<void> {
  for (let each = 0; each < count; each += 1) {
    await add();
  }
}

for (const [name, open] of Object.entries(GROWING)) {
  test(`chain §10: ${name} that are added between two pages neither shift nor repeat entries; one that stops matching is missing`, async () => {
    const { list, query, id, add, end } = await open();
    await add(10);
    const before = whole(list, query).map((entry) => String(entry[id]));
    assert.equal(before.length, 10);
    const limited = { ...query, limit: "4" };
    const first = page(list, limited);
    // The last entry of the page, where the cursor is; one of the page; one of the next page.
    for (const at of [3, 0, 5]) {
      await end(before[at] as string);
    }
    await add(2);
    const second = page(list, { ...limited, cursor: first.cursor ?? "" });
    await add(1);
    const third = page(list, { ...limited, cursor: second.cursor ?? "" });
    assert.deepEqual(
      [first, second, third].flatMap(({ items }) => items.map((entry) => entry[id])),
      before.filter((_, at) => at !== 5),
    );
    assert.equal(third.cursor, undefined);
  });
}

test("chain §10: a page has 50 entries unless its limit says otherwise; a full last page has no cursor", async () => {
  const project = await createProject(client, a);
  const items = (count: number): object[] => Array.from({ length: count }, () => ({}));
  await createItems(client, project, a, ...(items(60) as never[]));
  await createItems(client, project, a, ...(items(41) as never[]));
  const sizes = (limit: Query): number[] =>
    listPages(client.ledger, listNamed("mrc401Items"), { mrc400id: project, ...limit }).map(
      (each) => each.length,
    );
  assert.deepEqual(sizes({}), [50, 50, 1]);
  assert.deepEqual(sizes({ limit: "100" }), [100, 1]);
  const [newest] = whole("mrc401Items", { mrc400id: project });
  await client.done("mrc401melt", a, { mrc401id: newest?.["id"] as string });
  assert.deepEqual(sizes({}), [50, 50]);
});

test("tokens §2: holders of a token have free and locked amounts, the newest address first, without empty balances", async () => {
  const token = await createToken(client, a);
  const holders = (): readonly Entry[] => whole("tokenHolders", { token });
  assert.deepEqual(holders(), [{ address: a, balance: "1000", locked: "0" }]);
  await client.pay(c, 10n, { token, from: a });
  await client.pay(b, 20n, { token, from: a });
  await client.pay(b, 7n, { token, from: a, unlockdate: client.now + 100 });
  await client.pay(b, 5n, { token, from: a, unlockdate: client.now + 200 });
  const last = { address: a, balance: "958", locked: "0" };
  const third = { address: c, balance: "10", locked: "0" };
  assert.deepEqual(holders(), [third, { address: b, balance: "20", locked: "12" }, last]);
  client.now += 150;
  assert.deepEqual(holders(), [third, { address: b, balance: "27", locked: "5" }, last]);
  await client.pay(b, 10n, { token, from: c });
  assert.deepEqual(holders(), [{ address: b, balance: "37", locked: "5" }, last]);
  // An address keeps its place when its balance begins again.
  await client.pay(c, 1n, { token, from: b });
  assert.equal(holders()[0]?.["address"], c);
});

test("mrc402 §2.2, §3: holders of an item and holdings of an address have free, offered and auctioned units", async () => {
  const item = await createUnits(client, a, { totalsupply: "20" });
  const other = await createUnits(client, a, { totalsupply: "5" });
  for (const [toAddr, amount] of [
    [b, "6"],
    [c, "4"],
  ] as const) {
    await client.done("mrc402transfer", a, { toAddr, mrc402id: item, amount });
  }
  const terms = { id: item, token: "0" };
  await client.done("mrc402sell", b, { ...terms, amount: "6", price: "1" });
  const lot = { auction_start_price: "1", auction_bidding_unit: "1" };
  await client.done("mrc402auction", a, { ...terms, ...lot, amount: "3" });
  const inOrder = (of: string, entries: readonly object[]): readonly object[] =>
    (entries as readonly Entry[]).toSorted((one, two) =>
      (one[of] as string) < (two[of] as string) ? -1 : 1,
    );
  const held = [a, b, c].map((address) => ({ address, ...client.holding(address, item) }));
  assert.deepEqual(
    held.map(({ balance, saleamount, auctionamount }) => [balance, saleamount, auctionamount]),
    [
      ["7", "0", "3"],
      ["0", "6", "0"],
      ["4", "0", "0"],
    ],
  );
  assert.deepEqual(whole("mrc402Holders", { mrc402id: item }), inOrder("address", held));
  assert.deepEqual(
    whole("mrc402Holdings", { address: a }),
    inOrder(
      "mrc402",
      [item, other].map((mrc402) => ({ mrc402, ...client.holding(a, mrc402) })),
    ),
  );
  await client.done("mrc402transfer", c, { toAddr: a, mrc402id: item, amount: "4" });
  assert.deepEqual(whole("mrc402Holdings", { address: c }), []);
  assert.equal(whole("mrc402Holders", { mrc402id: item }).length, 2);
  await client.done("mrc402melt", a, { mrc402id: other, amount: "5" });
  assert.deepEqual(whole("mrc402Holders", { mrc402id: other }), []);
});

test("tokens §2: a token is listed with its image, or its path if the long texts have more than 4,096 bytes", async () => {
  const image = `data:image/png;base64,${"A".repeat(4000)}`;
  const info = '"image":"data:'.repeat(280);
  await createToken(client, a, { name: "Small", image });
  await createToken(client, a, { name: "Large", image: `${image}${"A".repeat(100)}` });
  await createToken(client, a, {
    name: "Larger",
    image: image.padEnd(131_072, "A"),
    information: info,
  });
  await createToken(client, a, { name: "Huge", image: image.padEnd(163_840, "A") });
  const token = await createToken(client, a, { name: "Elsewhere" });
  const change = { token, url: "", info, image: "https://a.example/i.png" };
  await client.done("tokenupdate", a, change);
  const [elsewhere, huge, larger, large, small] = whole("tokens", {}) as readonly Entry[];
  assert.deepEqual(
    [elsewhere, huge, larger, large, small].map((one) => one?.["image"]),
    ["", "", `/token/${larger?.["id"]}/image`, `/token/${large?.["id"]}/image`, image],
  );
});
