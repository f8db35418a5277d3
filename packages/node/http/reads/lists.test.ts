import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type ItemShown, NOBODY } from "../../../ledger/testing/trade/item-terms.ts";
import {
  createItems,
  createProject,
  itemRecord,
  itemRequest,
  projectRecord,
} from "../../testing/requests/item-requests.ts";
import { addressed, dexidOf, marketRequest } from "../../testing/requests/market-requests.ts";
import { sendRequest } from "../../testing/requests/signed-request.ts";
import { AMOUNT_MAX, issued, tokenRecord } from "../../testing/requests/token-requests.ts";
import { allOf, readJson, Units } from "../../testing/requests/unit-requests.ts";
import {
  type KeyHolder,
  type Params,
  said,
  type TestNode,
  transactionIdOf,
} from "../../testing/test-node.ts";

// The lists of chain §10 over a population made by operations. Every combination of filters is
// compared with the single records, newest first.

interface Page<T> {
  readonly items: readonly T[];
  readonly cursor?: string;
}

let units: Units;
let node: TestNode;
let owners: readonly KeyHolder[];
/** Of the first two owners, in order of creation. */
const projects: string[] = [];
/** All items, unique ones and others, the newest first; so are tokens. */
const made: { readonly kind: "mrc401" | "mrc402"; readonly id: string }[] = [];

before(async () => {
  units = await Units.open({ tokens: 2 });
  node = units.node;
  owners = await Promise.all([0, 1, 2].map(() => units.holder(10_000n, { tokens: { "2": 900n } })));
  await populate();
});
after(() => units[Symbol.asyncDispose]());

const GROUPS = ["", "swords", "shields"];
const LISTINGS = [
  {},
  {},
  { sell_price: "5" },
  { sell_price: "6", sell_token: "2" },
  { auction_start_price: "5" },
  { auction_start_price: "6", auction_token: "2" },
];

/**
 * Projects with items in every group and state, some with other owners, and items with many units
 * among them.
 */
async function populate(): Promise<void> {
  const [a, b, c] = owners as [KeyHolder, KeyHolder, KeyHolder];
  for (const [owner, category] of [
    [a, "game"],
    [b, "art"],
    [a, "art"],
  ] as const) {
    projects.push(await createProject(node, owner, { category }));
  }
  const elements = GROUPS.flatMap((groupid) =>
    LISTINGS.map((listing) => ({ ...(groupid === "" ? {} : { groupid }), ...listing })),
  );
  for (const [at, owner] of [a, b].entries()) {
    const project = projects[at] as string;
    const ids = await createItems(node, project, owner, elements);
    note("mrc401", ...ids);
    note("mrc402", ...(await units.items(project, owner, { totalsupply: "9" }, {})));
    for (const [group] of GROUPS.entries()) {
      const [idle, melted, onSale, onSaleFor2] = ids.slice(group * LISTINGS.length) as [
        string,
        string,
        string,
        string,
      ];
      const to = at === 0 && group === 1 ? b : c;
      await act("melt", owner, { mrc401id: melted });
      await act("transfer", owner, { mrc401id: idle, toAddr: to.address });
      await act("buy", to, { mrc401id: onSale });
      // An older one is on sale again.
      const listed = group === 2 ? onSale : idle;
      await act("sell", to, { itemdata: [{ id: listed, price: "7", token: "0" }] });
      if (group === 2) {
        await act("unsell", owner, { itemdata: [onSaleFor2] });
      }
    }
    note("mrc402", await units.alone(owner, { totalsupply: "9" }));
  }
  for (const { kind, id } of [...made]) {
    if (kind === "mrc402") {
      const { creator } = await units.record(id);
      const by = owners.find(({ address }) => address === creator) as KeyHolder;
      await units.give(id, by, c);
    }
  }
  await units.list("sell", b, made[0]?.id ?? "", { amount: "3" });
}

function note(kind: "mrc401" | "mrc402", ...ids: readonly string[]): void {
  made.unshift(...ids.toReversed().map((id) => ({ kind, id })));
}

async function act(...given: readonly [Parameters<typeof itemRequest>[1], KeyHolder, object]) {
  const [word, by, params] = given;
  const request = await itemRequest(node, word, by, params as Params);
  return transactionIdOf(await sendRequest(node, request));
}

function page<T>(path: string, query: Params = {}): Promise<Page<T>> {
  return readJson(node, `${path}?${new URLSearchParams(query)}`);
}

/** Every choice of one value for each name; `undefined` leaves it out. */
function combinations(filters: { readonly [name: string]: readonly (string | undefined)[] }) {
  return Object.entries(filters).reduce<Record<string, string>[]>(
    (some, [name, values]) =>
      some.flatMap((one) =>
        values.map((value) => (value === undefined ? one : { ...one, [name]: value })),
      ),
    [{}],
  );
}

/** Compares a list with the expected one, whole and in pages of several sizes. */
async function assertList(
  path: string,
  query: Params,
  expected: readonly unknown[],
  sizes: readonly number[],
): Promise<void> {
  const told = `${path} ${JSON.stringify(query)}`;
  assert.deepEqual(await page(path, { ...query, limit: "100" }), { items: expected }, told);
  for (const size of sizes) {
    const limit = String(size);
    assert.deepEqual(await allOf(node, path, { ...query, limit }), expected, `${told} by ${limit}`);
    const { items, cursor } = await page(path, { ...query, limit });
    assert.equal(items.length, Math.min(size, expected.length), told);
    assert.equal(cursor === undefined, expected.length <= size, told);
  }
}

const UNKNOWN_PROJECT = `MRC400_${"0".repeat(33)}`;

type State = "sale" | "auction" | "idle" | "melted";

function stateOf(item: ItemShown): State {
  if (item.owner === "MELTED") {
    return "melted";
  }
  return item.sell_date > 0 ? "sale" : item.auction_date > 0 ? "auction" : "idle";
}

/** Whether an item's record matches the filters. Source: chain §10. */
function passes(item: ItemShown, query: Params): boolean {
  const { mrc400id, owner, groupid, state = "open", token } = query;
  const is = stateOf(item);
  const asked = { sale: item.sell_token, auction: item.auction_token, idle: "", melted: "" }[is];
  return (
    (mrc400id === undefined || item.mrc400 === mrc400id) &&
    (owner === undefined || item.holder === owner) &&
    (groupid === undefined || item.groupid === groupid) &&
    (state === "all" || (state === "open" ? is !== "melted" : is === state)) &&
    (token === undefined || asked === token)
  );
}

async function uniqueItems(): Promise<ItemShown[]> {
  const ids = made.filter(({ kind }) => kind === "mrc401").map(({ id }) => id);
  return await Promise.all(ids.map((id) => itemRecord(node, id)));
}

test("chain §10: GET /mrc401 under every combination of its filters, in pages of every size", async () => {
  const all = await uniqueItems();
  const found = { some: 0, none: 0 };
  const queries = combinations({
    mrc400id: [undefined, ...projects, UNKNOWN_PROJECT],
    owner: [undefined, ...owners.map(({ address }) => address)],
    groupid: [undefined, "swords", "shields", "bows"],
    state: [undefined, "open", "sale", "auction", "idle", "melted", "all"],
    token: [undefined, "0", "2"],
  });
  for (const [index, query] of queries.entries()) {
    const expected = all.filter((item) => passes(item, query));
    found[expected.length > 0 ? "some" : "none"] += 1;
    // In turn, because all of them take minutes; lists without a project have the most pages.
    const sizes = expected.length > 1 && index % 7 === 0 ? [1, 2 + (index % 5)] : [];
    await assertList("/mrc401", query, expected, sizes);
  }
  assert.ok(found.some > 300 && found.none > 300, JSON.stringify(found));
});

test("chain §10: in pages of each size GET /mrc401 has every item once", async () => {
  const all = await uniqueItems();
  const expected = all.filter((item) => passes(item, {}));
  await assertList("/mrc401", {}, expected, [1, 2, 3, 5, 10, expected.length - 1, expected.length]);
  await assertList("/mrc401", { state: "all" }, all, [1, 4, all.length - 1, all.length]);
});

test("mrc401 §2.2: the filter by owner finds the holder, also while the record has no owner; a melted item has none", async () => {
  const [a] = owners as [KeyHolder];
  const { items } = await page<ItemShown>("/mrc401", { owner: a.address, state: "all" });
  assert.ok(items.some(({ owner }) => owner === ""));
  assert.ok(items.every(({ holder }) => holder === a.address));
  assert.deepEqual(await page("/mrc401", { owner: a.address, state: "melted" }), { items: [] });
});

test("chain §10: GET /mrc400 under every combination of its filters: records without their long texts", async () => {
  const records = await Promise.all(projects.map((id) => projectRecord(node, id)));
  const all = records
    .map((record) => {
      const { data, description, socialmedia, partner, ...shown } = record as typeof record &
        Record<string, unknown>;
      return shown;
    })
    .toReversed();
  for (const query of combinations({
    owner: [undefined, ...owners.map(({ address }) => address), NOBODY],
    category: [undefined, "game", "art", "music"],
  })) {
    const expected = all.filter(
      ({ owner, category }) =>
        (query["owner"] === undefined || owner === query["owner"]) &&
        (query["category"] === undefined || category === query["category"]),
    );
    await assertList("/mrc400", query, expected, [1, 2, 3]);
  }
});

test("chain §10: GET /tokens under every combination of its filters: records without image and long texts, highest id first", async () => {
  const [a, b] = owners as [KeyHolder, KeyHolder];
  const image = `data:image/png;base64,${"A".repeat(100_000)}`;
  const ids = ["0", "1", "2"];
  for (const [owner, symbol] of [
    [a, "GLD"],
    [b, "GLD"],
    [a, "SLV"],
    [a, "GLD"],
  ] as const) {
    ids.push(await issued(node, owner, { symbol, name: `${symbol} ${ids.length}`, image }));
  }
  const records = await Promise.all(ids.toReversed().map((id) => tokenRecord(node, id)));
  const all = records.map(
    ({ image: _, information, reserve, targettoken, tier, ...shown }) => shown,
  );
  assert.equal(records[0]?.["image"], image);
  for (const query of combinations({
    owner: [undefined, a.address, b.address, node.treasury.address, NOBODY],
    symbol: [undefined, "GLD", "SLV", "gld", "CPR"],
  })) {
    const expected = all.filter(
      ({ owner, symbol }) =>
        (query["owner"] === undefined || owner === query["owner"]) &&
        (query["symbol"] === undefined || symbol === query["symbol"]),
    );
    await assertList("/tokens", query, expected, [1, 2, 6, 7]);
  }
});

test("chain §10: GET /address/{address}/items under every combination of its filters, both kinds in the order of their creation", async () => {
  const all = await Promise.all(
    made.map(async ({ kind, id }) => ({
      kind,
      id,
      record: kind === "mrc401" ? await itemRecord(node, id) : await units.record(id),
    })),
  );
  for (const holder of owners) {
    const owned: object[] = [];
    for (const { kind, id, record } of all) {
      const { mrc400 } = record;
      if (kind === "mrc401") {
        if ((record as ItemShown).holder === holder.address) {
          owned.push({ kind, id, mrc400 });
        }
      } else {
        const holding = await units.holding(holder, id);
        if (await isHolder(holder, id)) {
          owned.push({ kind, id, mrc400, ...holding });
        }
      }
    }
    assert.ok(new Set(owned.map((one) => Object.keys(one).length)).size === 2, "both kinds");
    for (const query of combinations({
      kind: [undefined, "mrc401", "mrc402"],
      mrc400id: [undefined, ...projects, UNKNOWN_PROJECT],
    })) {
      const expected = (owned as { readonly kind: string; readonly mrc400: string }[]).filter(
        ({ kind, mrc400 }) =>
          (query["kind"] === undefined || kind === query["kind"]) &&
          (query["mrc400id"] === undefined || mrc400 === query["mrc400id"]),
      );
      await assertList(`/address/${holder.address}/items`, query, expected, [1, 2, 7]);
    }
  }
});

test("chain §10: with view=full GET /address/{address}/items has the record of each, in pages of every size", async () => {
  for (const holder of owners) {
    const path = `/address/${holder.address}/items`;
    const plain = await allOf<{ kind: string; id: string }>(node, path);
    const expected = await Promise.all(
      plain.map(async (owned) => ({
        ...owned,
        record: await readJson(node, `/${owned.kind}/${owned.id}`),
      })),
    );
    assert.ok(expected.length > 2);
    await assertList(path, { view: "full" }, expected, [1, 2, 7]);
  }
  const other = await node.get(`/address/${owners[0]?.address}/items?view=short`);
  assert.equal(said(other), "400 3005 view");
});

test("chain §10: a page of items with their records ends at 4 MiB, without them it does not", async () => {
  const holder = await units.holder(10_000n);
  for (let n = 0; n < 55; n++) {
    await units.alone(holder, { data: "\\".repeat(40_000) });
  }
  const path = `/address/${holder.address}/items`;
  const plain = (await page(path, { limit: "100" })).items;
  assert.equal(plain.length, 55);
  const { items, cursor = "" } = await page(path, { limit: "100", view: "full" });
  assert.equal(items.length, 51);
  assert.equal(said(await node.get(`${path}?cursor=${cursor}`)), "400 3005 cursor");
  const rest = await page(path, { limit: "100", view: "full", cursor });
  const ids = [...items, ...rest.items].map((item) => (item as { id: string }).id);
  assert.deepEqual(
    ids,
    plain.map((item) => (item as { id: string }).id),
  );
});

async function isHolder(holder: KeyHolder, id: string): Promise<boolean> {
  const held = await allOf<{ mrc402: string }>(node, `/mrc402/balance/${holder.address}`);
  return held.some(({ mrc402 }) => mrc402 === id);
}

interface Holder {
  readonly address: string;
  readonly balance: string;
  readonly locked: string;
}

test("GET /token/holders/{token} lists free and locked amounts, the newest address first, without empty balances", async () => {
  const issuer = await units.holder();
  const token = await issued(node, issuer, { name: "Copper", totalsupply: "1000" });
  const path = `/token/holders/${token}`;
  assert.deepEqual(await page(path), {
    items: [{ address: issuer.address, balance: "1000", locked: "0" }],
  });
  const holders: KeyHolder[] = [];
  for (let n = 0; n < 6; n++) {
    holders.push(await units.holder());
  }
  const pay = async (from: KeyHolder, to: KeyHolder, amount: string, unlockdate = "0") => {
    const params = { to: to.address, token, amount, unlockdate };
    const answer = await node.post("/transfer", await node.fullTransfer(from, params));
    transactionIdOf(answer);
  };
  const [first, second, third] = holders as [KeyHolder, KeyHolder, KeyHolder];
  for (const holder of holders.toReversed()) {
    await pay(issuer, holder, "10");
  }
  await pay(issuer, second, "7", String(node.now + 100));
  await pay(issuer, second, "5", String(node.now + 200));
  await pay(first, third, "10");
  const shown = (holder: KeyHolder, balance: string, locked = "0"): Holder => ({
    address: holder.address,
    balance,
    locked,
  });
  const others = holders.slice(3).toReversed();
  const expected = [
    ...others.map((holder) => shown(holder, "10")),
    shown(third, "20"),
    shown(second, "10", "12"),
    shown(issuer, "928"),
  ];
  await assertList(path, {}, expected, [1, 2, 5, 6, 7]);
  const { items } = await page<Holder>(path);
  const sum = items.reduce((all, one) => all + BigInt(one.balance) + BigInt(one.locked), 0n);
  assert.equal(sum, 1000n, "issued minus burned");
  node.now += 150;
  const later = (await page<Holder>(path)).items[4];
  assert.deepEqual(later, shown(second, "17", "5"), "what has ripened is free");
  // An address whose balance ends and begins again keeps its place.
  await pay(third, first, "20");
  await pay(first, third, "20");
  assert.deepEqual((await page<Holder>(path)).items[3], shown(third, "20"));
});

test("GET /token/holders/{token}: the native coin's, too; an unknown token 4001, a malformed one 1101, without one 9404", async () => {
  const holders = await allOf<Holder>(node, "/token/holders/0");
  for (const { address, balance, locked } of holders) {
    assert.deepEqual(await node.balances({ address } as KeyHolder, "0"), [balance]);
    assert.equal(locked, "0");
  }
  assert.ok(holders.some(({ address }) => address === node.treasury.address));
  assert.equal(said(await node.get("/token/holders/99")), "404 4001 token");
  assert.equal(said(await node.get("/token/holders/x")), "400 1101 token");
  assert.equal(said(await node.get("/token/holders")), "404 9404");
  assert.equal(said(await node.post("/token/holders", {})), "404 9404");
});

// Refusals.

const LISTS = ["/tokens", "/token/holders/0", "/mrc400", "/mrc401", "/address/{a}/items"] as const;

function pathOf(list: (typeof LISTS)[number]): string {
  return list.replace("{a}", owners[0]?.address ?? "");
}

for (const list of LISTS) {
  test(`chain §13 row 16: ${list}: limit 0, 101, x: 1101; a cursor that is none, or of another list: 3005`, async () => {
    const path = pathOf(list);
    for (const [query, answer] of [
      ["limit=0", "400 1101 limit"],
      ["limit=101", "400 1101 limit"],
      ["limit=x", "400 1101 limit"],
      ["limit=01", "400 1101 limit"],
      ["limit=-1", "400 1101 limit"],
      ["cursor=x", "400 3005 cursor"],
      ["cursor=%00", "400 3005 cursor"],
      [`cursor=${"9".repeat(5000)}`, "400 3005 cursor"],
      ["limit=&cursor=", "200"],
      ["limit=1&limit=2", "400 1005 limit"],
    ] as const) {
      assert.equal(said(await node.get(`${path}?${query}`)), answer, query);
    }
    const { cursor = "" } = await page(path, { limit: "1" });
    const [name, , of] = cursor.split(".");
    for (const wrong of [
      ...["", "0", "-1", "1e3"].map((last) => `${name}.${last}.${of}`),
      `${name}.1`,
      `${name}.1.00000000`,
      `${cursor} `,
    ]) {
      const query = new URLSearchParams({ cursor: wrong });
      assert.equal(said(await node.get(`${path}?${query}`)), "400 3005 cursor", wrong);
    }
    for (const other of LISTS.filter((one) => one !== list)) {
      const query = new URLSearchParams({ cursor });
      assert.equal(said(await node.get(`${pathOf(other)}?${query}`)), "400 3005 cursor", other);
    }
    // A cursor far after the end, or before the beginning.
    assert.deepEqual(
      await page(path, { cursor: `${name}.1.${of}`, limit: "1" }).then(Object.keys),
      ["items"],
    );
    assert.equal(
      (await page(path, { cursor: `${name}.${"9".repeat(15)}.${of}` })).items.length > 0,
      true,
    );
  });

  test(`conventions §2.5: ${list} carries ETag, no-store and Ledger-Height`, async () => {
    const answer = await node.get(pathOf(list));
    assert.match(answer.headers.get("etag") ?? "", /^(W\/)?".+"$/);
    assert.equal(answer.headers.get("cache-control"), "no-store");
    assert.equal(answer.headers.get("ledger-height"), String(await node.height()));
  });
}

for (const [path, answer] of [
  ["/tokens?owner=MTx", "400 3190 owner"],
  ["/tokens?symbol=%7C", "400 3005 symbol"],
  [`/tokens?symbol=${"x".repeat(33)}`, "400 3005 symbol"],
  ["/tokens?symbol=%01", "400 1006 symbol"],
  ["/mrc400?owner=x", "400 3190 owner"],
  [`/mrc400?category=${"x".repeat(65)}`, "400 3005 category"],
  ["/mrc401?mrc400id=x", "400 3005 mrc400id"],
  [`/mrc401?mrc400id=${UNKNOWN_PROJECT.toUpperCase()}A`, "400 3005 mrc400id"],
  ["/mrc401?owner=MELTED", "400 3190 owner"],
  [`/mrc401?groupid=${"g".repeat(65)}`, "400 3005 groupid"],
  ["/mrc401?state=sold", "400 3005 state"],
  ["/mrc401?state=OPEN", "400 3005 state"],
  ["/mrc401?token=x", "400 1101 token"],
  ["/mrc401?token=-1", "400 1101 token"],
  ["/mrc401?mrc400id=&owner=&groupid=&state=&token=", "200"],
  ["/mrc402?mrc400id=x", "400 3005 mrc400id"],
  ["/mrc402/dex?mrc400id=x", "400 3005 mrc400id"],
  ["/mrc402/dex?mrc402id=x", "400 3005 mrc402id"],
  [`/address/${NOBODY}/items`, "404 3090 address"],
  ["/address/MTx/items", "400 3190 address"],
] as const) {
  test(`chain §10: GET ${path.slice(0, 60)}: ${answer}`, async () => {
    assert.equal(said(await node.get(path)), answer);
  });
}

test("chain §10: the items of an address refuse a kind or project that cannot be", async () => {
  const path = `/address/${owners[0]?.address}/items`;
  assert.equal(said(await node.get(`${path}?kind=mrc400`)), "400 3005 kind");
  assert.equal(said(await node.get(`${path}?mrc400id=x`)), "400 3005 mrc400id");
});

for (const path of [
  `/tokens?owner=${NOBODY}`,
  "/tokens?symbol=nonsense",
  `/mrc400?owner=${NOBODY}`,
  `/mrc401?owner=${NOBODY}`,
  "/mrc401?token=999",
  `/mrc401?token=${AMOUNT_MAX}`,
  `/mrc401?mrc400id=${UNKNOWN_PROJECT}`,
  `/mrc402/dex?mrc400id=${UNKNOWN_PROJECT}`,
]) {
  test(`chain §13 row 16: what is well-formed but unknown has no items: ${path.slice(0, 40)}`, async () => {
    assert.deepEqual(await readJson(node, path), { items: [] });
  });
}

// While blocks arrive.

test("chain §13 row 15: of 120 items by 50, two made after page 1: 50, 50, 20, none twice or missing, page 3 without cursor", async () => {
  const [a] = owners as [KeyHolder];
  const project = await createProject(node, a);
  const items = Array.from({ length: 60 }, () => ({ groupid: "many" }));
  const ids = [
    ...(await createItems(node, project, a, items)),
    ...(await createItems(node, project, a, items)),
  ].toReversed();
  const query = { mrc400id: project, groupid: "many" };
  const owned = { mrc400id: project, kind: "mrc401" };
  const lists = [
    ["/mrc401", query],
    [`/address/${a.address}/items`, owned],
  ] as const;
  const first = await Promise.all(
    lists.map(([path, filters]) => page<{ id: string }>(path, filters)),
  );
  await createItems(node, project, a, [{ groupid: "many" }, { groupid: "many" }]);
  for (const [at, [path, filters]] of lists.entries()) {
    const pages = [first[at] as Page<{ id: string }>];
    for (let last = pages[0]; last?.cursor !== undefined; last = pages.at(-1)) {
      pages.push(await page(path, { ...filters, cursor: last.cursor }));
    }
    assert.deepEqual(
      pages.map(({ items: shown }) => shown.length),
      [50, 50, 20],
    );
    assert.deepEqual(
      pages.flatMap(({ items: shown }) => shown.map(({ id }) => id)),
      ids,
    );
  }
});

test("chain §10: what stops matching between two pages is missing, and nothing else shifts or repeats", async () => {
  const [a, b] = owners as [KeyHolder, KeyHolder];
  const project = await createProject(node, a);
  const sales = Array.from({ length: 10 }, () => ({ sell_price: "1" }));
  const ids = (await createItems(node, project, a, sales)).toReversed();
  const query = { mrc400id: project, state: "sale", token: "0", limit: "4" };
  const first = await page<ItemShown>("/mrc401", query);
  // The one at the cursor, one already shown, one to come, and a new one.
  for (const index of [3, 0, 5]) {
    await act("buy", b, { mrc401id: ids[index] });
  }
  await createItems(node, project, a, [{ sell_price: "1" }]);
  const rest = await allOf<ItemShown>(node, "/mrc401", { ...query, cursor: first.cursor ?? "" });
  assert.deepEqual(
    [...first.items, ...rest].map(({ id }) => id),
    ids.filter((_, index) => index !== 5),
  );
});

test("chain §10: every list is the same after a restart, and when it is made anew from the blocks", async () => {
  const shown = () =>
    Promise.all([
      ...LISTS.map((list) => allOf<object>(node, pathOf(list), { limit: "7" })),
      allOf<object>(node, "/mrc401", { state: "all", limit: "9" }),
      allOf<object>(node, "/mrc402", { limit: "2" }),
    ]);
  const expected = await shown();
  assert.ok(expected.every((items) => items.length > 2));
  await node.restart();
  assert.deepEqual(await shown(), expected);
  await node.restart((database) => database.exec("PRAGMA user_version = 0"));
  assert.deepEqual(await shown(), expected);
});

// Last, because these add to what there is.

test("chain §10: with order=end GET /mrc401 lists what is on auction, the soonest first, under every combination of its filters", async () => {
  const [a] = owners as [KeyHolder];
  const project = await createProject(node, a, {});
  const ends = [9, 5, 7, 5, 8].map((days) => String(node.now + days * 86_400));
  const ids = await createItems(
    node,
    project,
    a,
    ends.map((end) => ({ auction_start_price: "5", auction_end: end })),
  );
  const mine = await Promise.all(ids.toReversed().map((id) => itemRecord(node, id)));
  const all = [...mine, ...(await uniqueItems())]
    .filter((item) => stateOf(item) === "auction")
    .toReversed()
    .sort((one, other) => one.auction_end - other.auction_end);
  assert.ok(new Set(all.map((item) => item.auction_end)).size > 3 && all.length > 10);
  for (const query of combinations({
    mrc400id: [undefined, project, ...projects, UNKNOWN_PROJECT],
    owner: [undefined, ...owners.map(({ address }) => address)],
    groupid: [undefined, "swords"],
    state: [undefined, "auction", "all", "sale", "idle"],
    token: [undefined, "0", "2"],
  })) {
    const isOpen = !["sale", "idle"].includes(query["state"] ?? "");
    const expected = isOpen ? all.filter((item) => passes(item, { ...query, state: "all" })) : [];
    const sizes = Object.keys(query).length < 2 ? [1, 3] : [];
    await assertList("/mrc401", { ...query, order: "end" }, expected, sizes);
  }
  for (const order of ["Price", "End", ""]) {
    const answer = await node.get(`/mrc401?order=${order}`);
    assert.equal(said(answer), order === "" ? "200" : "400 3005 order");
  }
  const { cursor } = await page("/mrc401", { order: "end", limit: "1" });
  assert.equal(said(await node.get(`/mrc401?cursor=${cursor}`)), "400 3005 cursor");
});

test("chain §10: with order=end GET /mrc402/dex and GET /token/dex list open auctions, the soonest first", async () => {
  const [a, b] = owners as [KeyHolder, KeyHolder];
  const item = await units.alone(a, { totalsupply: "9" });
  const lots: { readonly id: string; readonly end: number }[] = [];
  for (const days of [6, 2, 4, 2]) {
    const end = node.now + days * 86_400;
    const terms = { amount: "1", auction_start_price: "5", auction_end_date: String(end) };
    lots.push({ id: await units.list("auction", a, item, terms), end });
  }
  await units.list("sell", a, item, { amount: "1" });
  const records = await Promise.all(
    lots
      .toSorted((one, other) => one.end - other.end)
      .map(({ id }) => readJson(node, `/mrc402/dex/${id}`)),
  );
  await assertList("/mrc402/dex", { mrc402id: item, order: "end" }, records, [1, 2, 3]);
  for (const query of [{ address: b.address }, { side: "sell" }, { state: "sold" }]) {
    await assertList("/mrc402/dex", { mrc402id: item, order: "end", ...query }, [], []);
  }

  const token = await issued(node, a, { totalsupply: "1000" });
  const market: { readonly dexid: string; readonly end: number }[] = [];
  for (const days of [6, 2, 4, 2]) {
    const end = node.now + days * 86_400;
    const request = await marketRequest(node, "auction", a, {
      ...{ mrc010id: token, amount: "5", token: "0" },
      ...{ auction_start_price: "5", auction_end_date: String(end) },
    });
    const { path, body } = addressed("auction", request);
    transactionIdOf(await node.post(path, body));
    market.push({ dexid: dexidOf(a.address, request.tkey), end });
  }
  const listings = await Promise.all(
    market
      .toSorted((one, other) => one.end - other.end)
      .map(({ dexid }) => readJson(node, `/token/dex/${dexid}`)),
  );
  await assertList("/token/dex", { token, order: "end" }, listings, [1, 2, 3]);
  for (const query of [{ paytoken: "2" }, { address: b.address }, { side: "buy" }]) {
    await assertList("/token/dex", { token, order: "end", ...query }, [], []);
  }
});

test("chain §10: with order=price GET /mrc401 lists what is on sale for a token, the cheapest first, under every combination of its filters", async () => {
  const [a] = owners as [KeyHolder];
  const project = await createProject(node, a, {});
  const prices = ["30", "5", "100", "5", `1${"0".repeat(40)}`];
  const ids = await createItems(
    node,
    project,
    a,
    prices.map((price) => ({ sell_price: price })),
  );
  const all = (await allOf<ItemShown>(node, "/mrc401", { state: "sale" }))
    .toReversed()
    .sort((one, other) => Number(BigInt(one.sell_price) - BigInt(other.sell_price)));
  assert.ok(all.length > 10 && ids.every((id) => all.some((item) => item.id === id)));
  for (const query of combinations({
    mrc400id: [undefined, project, ...projects, UNKNOWN_PROJECT],
    owner: [undefined, ...owners.map(({ address }) => address)],
    groupid: [undefined, "swords"],
    state: [undefined, "sale", "all", "auction"],
    token: ["0", "2"],
  })) {
    const isOpen = query["state"] !== "auction";
    const expected = isOpen ? all.filter((item) => passes(item, { ...query, state: "all" })) : [];
    const sizes = Object.keys(query).length < 2 ? [1, 3] : [];
    await assertList("/mrc401", { ...query, order: "price" }, expected, sizes);
  }
  await assertList("/mrc401", { token: "0", order: "price", bidder: a.address }, [], []);
  for (const path of ["/mrc401", "/mrc402/dex", "/token/dex", "/token/dex?paytoken=0"]) {
    const answer = await node.get(`${path}${path.includes("?") ? "&" : "?"}order=price`);
    assert.equal(said(answer), "400 1000 token");
  }
  assert.equal(said(await node.get("/token/dex?token=1&order=price")), "400 1000 paytoken");
});

test("chain §10: with order=price GET /mrc402/dex and GET /token/dex list open offers, the lowest price of one unit first", async () => {
  const [a, b] = owners as [KeyHolder, KeyHolder];
  const item = await units.alone(a, { totalsupply: "9" });
  const offers: { readonly id: string; readonly price: number }[] = [];
  for (const price of [60, 2, 100, 2]) {
    const terms = { amount: "1", price: String(price) };
    offers.push({ id: await units.list("sell", a, item, terms), price });
  }
  const records = await Promise.all(
    offers
      .toSorted((one, other) => one.price - other.price)
      .map(({ id }) => readJson(node, `/mrc402/dex/${id}`)),
  );
  const ofItem = { mrc402id: item, token: "0", order: "price" };
  await assertList("/mrc402/dex", ofItem, records, [1, 2, 3]);
  const none = [{ address: b.address }, { side: "auction" }, { state: "sold" }, { token: "2" }];
  for (const query of [...none, { bidder: b.address }]) {
    await assertList("/mrc402/dex", { ...ofItem, ...query }, [], []);
  }

  const token = await issued(node, a, { totalsupply: "1000" });
  const market: { readonly dexid: string; readonly each: number }[] = [];
  for (const [price, unit] of [
    [40, 10],
    [3, 1],
    [10, 1],
    [350, 100],
    [4, 1],
  ] as const) {
    const request = await marketRequest(node, "sell", a, {
      ...{ mrc010id: token, amount: String(6 * unit), price: String(price), token: "0" },
      min_trade_unit: String(unit),
    });
    const { path, body } = addressed("sell", request);
    transactionIdOf(await node.post(path, body));
    market.push({ dexid: dexidOf(a.address, request.tkey), each: price / unit });
  }
  const listings = await Promise.all(
    market
      .toSorted((one, other) => one.each - other.each)
      .map(({ dexid }) => readJson(node, `/token/dex/${dexid}`)),
  );
  const ofToken = { token, paytoken: "0", order: "price" };
  await assertList("/token/dex", ofToken, listings, [1, 2, 3]);
  for (const query of [{ paytoken: "2" }, { address: b.address }, { side: "buy" }]) {
    await assertList("/token/dex", { ...ofToken, ...query }, [], []);
  }
});

test("chain §10: with bidder= the lists have the open auctions in which that address has the highest bid", async () => {
  const [a, b, c] = owners as [KeyHolder, KeyHolder, KeyHolder];
  const project = await createProject(node, a, {});
  const ends = [9, 5, 7, 5, 8].map((days) => node.now + days * 86_400);
  const ids = await createItems(
    node,
    project,
    a,
    ends.map((end) => ({ auction_start_price: "5", auction_end: String(end) })),
  );
  for (const mrc401id of ids) {
    await act("bid", b, { mrc401id, amount: "5" });
  }
  await act("bid", c, { mrc401id: ids[2] as string, amount: "6" });
  const shown = await Promise.all(ids.map((id) => itemRecord(node, id)));
  const won = shown.filter((_, at) => at !== 2).toReversed();
  const lost = shown.slice(2, 3);
  for (const { bidder, all } of [
    { bidder: b.address, all: won },
    { bidder: c.address, all: lost },
    { bidder: a.address, all: [] },
    { bidder: NOBODY, all: [] },
  ]) {
    for (const query of combinations({
      mrc400id: [undefined, projects[0]],
      owner: [undefined, a.address, b.address],
      state: [undefined, "auction", "sale"],
      token: [undefined, "2"],
      order: [undefined, "end"],
    })) {
      const isNone =
        query["mrc400id"] === projects[0] ||
        query["owner"] === b.address ||
        query["state"] === "sale" ||
        query["token"] === "2";
      const inOrder =
        query["order"] === "end"
          ? all.toReversed().toSorted((one, other) => one.auction_end - other.auction_end)
          : all;
      const sizes = Object.keys(query).length < 2 ? [1, 3] : [];
      await assertList("/mrc401", { ...query, bidder }, isNone ? [] : inOrder, sizes);
    }
  }
  const { cursor } = await page("/mrc401", { bidder: b.address, limit: "1" });
  assert.equal(said(await node.get(`/mrc401?cursor=${cursor}`)), "400 3005 cursor");

  const item = await units.alone(a, { totalsupply: "9" });
  const token = await issued(node, a, { totalsupply: "1000" });
  const terms = { amount: "1", auction_start_price: "5", token: "0" };
  for (const path of ["/mrc402/dex", "/token/dex"]) {
    const isOfUnits = path === "/mrc402/dex";
    const lots: string[] = [];
    for (const by of [b, c, b, b]) {
      lots.unshift(
        isOfUnits
          ? await units.list("auction", a, item, terms)
          : await market("auction", a, { ...terms, mrc010id: token }),
      );
      const bid = { [isOfUnits ? "id" : "dexid"]: lots[0] as string, amount: "5" };
      await (isOfUnits ? units.done("bidListing", by, bid) : market("bid", by, bid));
    }
    const records = await Promise.all(lots.map((id) => readJson(node, `${path}/${id}`)));
    const of = { bidder: b.address, [isOfUnits ? "mrc402id" : "token"]: isOfUnits ? item : token };
    const expected = records.filter((_, at) => at !== 2);
    await assertList(path, of, expected, [1, 2]);
    await assertList(path, { ...of, side: "auction", state: "all" }, expected, []);
    await assertList(path, { ...of, order: "end" }, expected.toReversed(), [1, 2]);
    for (const other of [{ side: "sell" }, { state: "sold" }, { address: b.address }]) {
      await assertList(path, { ...of, ...other }, [], []);
    }
    assert.equal(said(await node.get(`${path}?bidder=x`)), "400 3190 bidder");
  }
});

/** Sends an operation of the token market, and says which listing it is about. */
async function market(word: "auction" | "bid", by: KeyHolder, params: Params): Promise<string> {
  const request = await marketRequest(node, word, by, params);
  const { path, body } = addressed(word, request);
  transactionIdOf(await node.post(path, body));
  return dexidOf(by.address, request.tkey);
}
