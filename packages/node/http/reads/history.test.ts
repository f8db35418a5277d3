import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { issued, send, supplyRequest } from "../../testing/requests/token-requests.ts";
import {
  type KeyHolder,
  type Params,
  parsed,
  type RecordPart,
  START,
  said,
  saidCode,
  TestNode,
  transactionIdOf,
} from "../../testing/test-node.ts";

// The history of an address, and the list of all transactions: chain §10, §13.

type Item = RecordPart & {
  readonly id: string;
  readonly db_sn: string;
  readonly db_id: string;
  readonly timestamp: number;
  readonly validationCode: string;
};

interface Page {
  readonly items: readonly Item[];
  readonly cursor?: string;
}

let node: TestNode;
before(async () => {
  node = await TestNode.start();
});
after(() => node[Symbol.asyncDispose]());

async function page(path: string, query: Params = {}): Promise<Page> {
  const answer = await node.get(`${path}?${new URLSearchParams(query)}`);
  assert.equal(answer.status, 200, answer.text);
  return parsed<Page>(answer);
}

function history({ address }: KeyHolder, query: Params = {}): Promise<Page> {
  return page(`/address/${address}/transactions`, query);
}

async function types(of: KeyHolder, query: Params = {}): Promise<string[]> {
  return (await history(of, query)).items.map(({ type }) => type);
}

async function pay(from: KeyHolder, to: KeyHolder, amount = "1"): Promise<string> {
  const params = await node.transfer(from, { to: to.address, amount });
  return transactionIdOf(await node.post("/transfer", params));
}

function multipay(from: KeyHolder, ...to: readonly KeyHolder[]): Promise<string> {
  const list = to.map(({ address }, index) => ({
    address,
    amount: String(index + 1),
    unlockdate: "0",
  }));
  return node
    .multitransfer(from, list)
    .then((params) => node.post("/multitransfer", params))
    .then(transactionIdOf);
}

test("chain §10: an item is the record of the transaction that concerns the address, without effects", async () => {
  const [a, b] = [await node.holder({ coins: 100n }), await node.holder()];
  const id = await pay(a, b);
  const { effects, ...primary } = await node.transaction(id);
  const [of] = (await history(a)).items;
  assert.deepEqual(of, primary);
  const [received] = effects;
  assert.deepEqual((await history(b)).items[0], { ...primary, ...received });
  assert.deepEqual((await page("/transactions")).items[0], primary);
});

test("chain §10: a new address has its creation; an unknown address 3090, a malformed one 3190", async () => {
  const a = await node.holder({ coins: 10n });
  assert.deepEqual(await types(a), ["receive", "NewWallet"]);
  const unknown = await node.get("/address/MTAlice00000000000000000000000005dc33c90/transactions");
  assert.equal(said(unknown), "404 3090 address");
  assert.equal(said(await node.get("/address/MTx/transactions")), "400 3190 address");
});

test("chain §13 row 12: A pays B and C in one multitransfer: one multi_transfer for A, one receive for B, one transaction", async () => {
  const [a, b, c] = [await node.holder({ coins: 100n }), await node.holder(), await node.holder()];
  const id = await multipay(a, b, c);
  assert.deepEqual((await types(a)).slice(0, 1), ["multi_transfer"]);
  assert.deepEqual(await types(b), ["receive", "NewWallet"]);
  assert.deepEqual(await types(c), ["receive", "NewWallet"]);
  const all = (await page("/transactions", { limit: "2" })).items;
  assert.deepEqual(
    all.map((item) => item.id === id && item.type),
    ["multi_transfer", false],
  );
});

test("chain §13 row 13: an owner burns: ownerBurning in its history, tokenBurning among all transactions", async () => {
  const owner = await node.holder({ coins: 10n });
  const token = await issued(node, owner);
  const burn = await supplyRequest("burn", node, owner, { token, amount: "5" });
  assert.equal((await send(node, burn)).status, 200);
  const [burned] = (await history(owner)).items;
  assert.deepEqual([burned?.type, burned?.token], ["ownerBurning", Number(token)]);
  assert.equal((await page("/transactions", { limit: "1" })).items[0]?.type, "tokenBurning");
  // By token, of which both the burning and the creation are; the native coin has others.
  const byToken = await types(owner, { token });
  assert.deepEqual(byToken[0], "ownerBurning");
  assert.ok(byToken.includes("tokenRegister") && !byToken.includes("NewWallet"), byToken.join());
  assert.deepEqual(await types(owner, { token, type: "tokenRegister,transfer" }), [
    "tokenRegister",
  ]);
  for (const unknown of ["999", String(2 ** 32 + Number(token)), String(10n ** 40n)]) {
    assert.deepEqual(await types(owner, { token: unknown, type: "ownerBurning" }), []);
    assert.deepEqual(await types(owner, { token: unknown }), []);
    assert.deepEqual(await page("/transactions", { token: unknown }), { items: [] });
  }
});

test("chain §13 row 14: B three times in the list: three receive, the last entry first", async () => {
  const [a, b] = [await node.holder({ coins: 100n }), await node.holder()];
  await multipay(a, b, b, b);
  const { items } = await history(b, { type: "receive" });
  assert.deepEqual(
    items.map(({ parameters }) => parameters[2]),
    ["3", "2", "1"],
  );
  // Each page begins where the one before ended, also within a transaction.
  const first = await history(b, { type: "receive", limit: "2" });
  const rest = await history(b, { type: "receive", limit: "2", cursor: first.cursor as string });
  assert.deepEqual([...first.items, ...rest.items], items);
  assert.equal(rest.cursor, undefined);
});

test("chain §13 row 15: 120 entries, two new ones arrive after the first page: 50, 50, 20, none twice or missing", async () => {
  const [a, b] = [await node.holder({ coins: 10_000n }), await node.holder()];
  await multipay(a, ...Array<KeyHolder>(100).fill(b));
  await multipay(a, ...Array<KeyHolder>(19).fill(b));
  const all = [
    ...(await history(b, { limit: "100" })).items,
    ...(await pages(b, { limit: "100" })).slice(100),
  ];
  assert.equal(all.length, 120);
  const first = await history(b, { limit: "50" });
  await pay(a, b);
  await pay(a, b);
  const second = await history(b, { limit: "50", cursor: first.cursor as string });
  const third = await history(b, { limit: "50", cursor: second.cursor as string });
  assert.deepEqual(
    [first, second, third].map(({ items }) => items.length),
    [50, 50, 20],
  );
  assert.equal(third.cursor, undefined);
  assert.deepEqual([...first.items, ...second.items, ...third.items], all);
  assert.equal((await history(b)).items.length, 50);
});

async function pages(of: KeyHolder, query: Params): Promise<Item[]> {
  const all: Item[] = [];
  for (let cursor: string | undefined = ""; cursor !== undefined; ) {
    const next: Page = await history(of, { ...query, ...(cursor === "" ? {} : { cursor }) });
    all.push(...next.items);
    cursor = next.cursor;
  }
  return all;
}

for (const path of ["/transactions", "/totals"]) {
  for (const [given, unit] of [
    ["1767225600123", "milliseconds"],
    ["1767225600123456", "microseconds"],
    ["1767225600123456789", "nanoseconds"],
  ] as const) {
    test(`chain §10: ${path} refuses a time in ${unit}, and says what would be right`, async () => {
      const { text } = await node.get(`${path}?until=${given}`);
      assert.match(text, new RegExp(`looks like ${unit}, so send 1767225600"?\\.`));
    });
  }
}

test("chain §10: since and until take the ledger time, both included", async () => {
  const [a, b] = [await node.holder({ coins: 100n }), await node.holder()];
  const at = [START + 1000, START + 1001, START + 1001, START + 1003];
  for (const time of at) {
    node.now = time;
    await pay(a, b);
  }
  const times = async (query: Params): Promise<number[]> =>
    (await history(b, { type: "receive", ...query })).items.map(
      ({ timestamp }) => timestamp - START,
    );
  assert.deepEqual(await times({ since: String(START + 1001) }), [1003, 1001, 1001]);
  assert.deepEqual(await times({ until: String(START + 1001) }), [1001, 1001, 1000]);
  assert.deepEqual(
    await times({ since: String(START + 1001), until: String(START + 1002) }),
    [1001, 1001],
  );
  assert.deepEqual(await times({ since: String(START + 1004) }), []);
  assert.deepEqual(await times({ until: "0" }), []);
  assert.deepEqual(await times({ since: String(START + 1003), until: String(START + 1000) }), []);
  const all = await page("/transactions", {
    since: String(START + 1001),
    until: String(START + 1001),
  });
  assert.equal(all.items.length, 2);
});

test("chain §10: transactions by their types and by token, together and page by page", async () => {
  const { items } = await page("/transactions", { limit: "100" });
  const wanted = items.filter(({ type }) => type === "transfer" || type === "NewWallet");
  const found: Item[] = [];
  let cursor: string | undefined;
  while (found.length < wanted.length) {
    const next: Page = await page("/transactions", {
      type: "transfer,NewWallet,transfer",
      limit: "7",
      ...(cursor === undefined ? {} : { cursor }),
    });
    found.push(...next.items);
    cursor = next.cursor;
  }
  assert.deepEqual(found.slice(0, wanted.length), wanted);
  const ofToken = (await page("/transactions", { token: "0", type: "tokenRegister" })).items;
  assert.deepEqual(
    ofToken.map(({ db_sn }) => db_sn),
    ["0"],
  );
});

for (const [query, answer] of [
  ["limit=0", "400 1101 limit"],
  ["limit=101", "400 1101 limit"],
  ["limit=x", "400 1101 limit"],
  ["cursor=x", "400 3005 cursor"],
  ["cursor=blocks.5", "400 3005 cursor"],
  ["since=-1", "400 1101 since"],
  ["since=1767225600000", "400 1101 since"],
  ["until=1767225600000000", "400 1101 until"],
  ["until=1.5", "400 1101 until"],
  ["token=x", "400 1101 token"],
  ["type=transfer,,receive", "400 3005 type"],
  ["type=transfers", "400 3005 type"],
  ["type=transfer,Receive", "400 3005 type"],
  ["type=block", "400 3005 type"],
  [`type=${Array(21).fill("transfer")}`, "400 3005 type"],
] as const) {
  test(`chain §13 row 16, §10: ${query.slice(0, 40)}: ${answer}`, async () => {
    assert.equal(said(await node.get(`/transactions?${query}`)), answer);
    const { address } = node.treasury;
    assert.equal(said(await node.get(`/address/${address}/transactions?${query}`)), answer);
  });
}

test("chain §13 row 16: a cursor of the other list: 3005", async () => {
  const { cursor } = await page("/transactions", { limit: "1" });
  const path = `/address/${node.treasury.address}/transactions?cursor=${cursor}`;
  assert.equal(saidCode(await node.get(path)), "400 3005");
});

test("chain §10: a cursor with another address or another filter than it was given for: 3005", async () => {
  const { cursor = "" } = await history(node.treasury, { limit: "1" });
  const said = async (path: string, query: Record<string, string>): Promise<string> =>
    saidCode(await node.get(`${path}?${new URLSearchParams({ ...query, cursor })}`));
  const path = `/address/${node.treasury.address}/transactions`;
  assert.equal(await said(path, {}), "200");
  assert.equal(await said(path, { limit: "7" }), "200");
  assert.equal(
    await said(`/address/${(await node.holder()).address}/transactions`, {}),
    "400 3005",
  );
  for (const filter of [
    { type: "transfer" },
    { token: "0" },
    { since: "1" },
    { until: "9999999999" },
  ]) {
    assert.equal(await said(path, filter), "400 3005", JSON.stringify(filter));
  }
});

test("chain §10: no-store, with the block that the answer reflects; HEAD as GET", async () => {
  const answer = await node.get("/transactions");
  assert.equal(answer.headers.get("cache-control"), "no-store");
  assert.equal(answer.headers.get("ledger-height"), String(await node.height()));
  const head = await node.request("/transactions", { method: "HEAD" });
  assert.deepEqual([head.status, head.text], [200, ""]);
});

test("chain §10: a page of large records ends early and goes on", async () => {
  const a = await node.holder({ coins: 1000n });
  const others = await Promise.all(Array.from({ length: 100 }, () => node.holder()));
  // Three bytes each: bytes count.
  const memo = "€".repeat(2048);
  const list = others.map(({ address }) => ({ address, amount: "0", unlockdate: "0", memo }));
  for (let count = 0; count < 12; count += 1) {
    transactionIdOf(await node.post("/multitransfer", await node.multitransfer(a, list)));
  }
  const first = await history(a, { type: "multi_transfer", limit: "100" });
  assert.ok(first.items.length >= 1 && first.items.length < 12, String(first.items.length));
  assert.ok(Buffer.byteLength(JSON.stringify(first)) < 4 << 20);
  assert.equal((await pages(a, { type: "multi_transfer", limit: "100" })).length, 12);
});

test("chain §10: GET /transactions of one block has its transactions, by its number and by its id", async () => {
  const [a, b] = [await node.holder({ coins: 100n }), await node.holder()];
  const paid = await pay(a, b);
  const { db_sn: height, db_id: id } = await node.transaction(paid);
  for (const name of [height, id, "0"]) {
    const block = parsed<{ transaction: readonly { id: string }[] }>(
      await node.get(`/block/${name}`),
    );
    const ids = block.transaction.map((each) => each.id).toReversed();
    const { items } = await page("/transactions", { block: name, limit: "100" });
    assert.deepEqual(
      items.map((item) => item.id),
      ids,
    );
    // The other filters hold as well, and a cursor does not leave the block.
    const [{ type = "" } = {}] = items;
    const ofType = items.filter((item) => item.type === type);
    assert.deepEqual((await page("/transactions", { block: name, type })).items, ofType);
    const other = type === "transfer" ? "mrc401_sell" : "transfer";
    assert.deepEqual(await page("/transactions", { block: name, type: other }), { items: [] });
    const first = await page("/transactions", { block: name, limit: "1" });
    assert.equal(first.cursor === undefined, items.length === 1);
    if (first.cursor !== undefined) {
      const rest = await page("/transactions", { block: name, cursor: first.cursor });
      assert.deepEqual([...first.items, ...rest.items], items);
      const elsewhere = await node.get(`/transactions?block=1&cursor=${first.cursor}`);
      assert.equal(said(elsewhere), "400 3005 cursor");
    }
  }
  for (const unknown of ["999999", "0".repeat(64), "-1", "x", "01"]) {
    assert.equal(saidCode(await node.get(`/transactions?block=${unknown}`)), "404 6001", unknown);
  }
});
