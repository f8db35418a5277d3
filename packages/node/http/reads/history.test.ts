import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { sendRequest } from "../../testing/requests/signed-request.ts";
import { issued, supplyRequest } from "../../testing/requests/token-requests.ts";
import {
  type KeyHolder,
  type Params,
  parsed,
  type RecordPart,
  TestNode,
  transactionIdOf,
} from "../../testing/test-node.ts";

// The history of an address, and the list of all transactions: chain §10.

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

test("chain §10: A pays B and C in one multitransfer: one multi_transfer for A, one receive for B, one transaction", async () => {
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

test("chain §10: an owner burns: ownerBurning in its history, tokenBurning among all transactions", async () => {
  const owner = await node.holder({ coins: 10n });
  const token = await issued(node, owner);
  const burn = await supplyRequest("burn", node, owner, { token, amount: "5" });
  assert.equal((await sendRequest(node, burn)).status, 200);
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

test("chain §10: B three times in the list: three receive, the last entry first", async () => {
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
