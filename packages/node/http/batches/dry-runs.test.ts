import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { PROJECT } from "../../../ledger/testing/trade/creations.ts";
import {
  type Element,
  type BatchResult as Result,
  resultSummaryOf,
  resultsOf,
  without,
} from "../../testing/requests/batch-requests.ts";
import { createItems, createProject } from "../../testing/requests/item-requests.ts";
import { sendRequest, signedRequest } from "../../testing/requests/signed-request.ts";
import { createRequest, issued, saveRequest } from "../../testing/requests/token-requests.ts";
import {
  type Answered,
  type KeyHolder,
  parsed,
  publicPem,
  summaryOf,
  TestNode,
} from "../../testing/test-node.ts";

let node: TestNode;
let a: KeyHolder;
let b: KeyHolder;
before(async () => {
  node = await TestNode.start();
  a = await node.holder({ coins: 1000n });
  b = await node.holder();
});
after(() => node[Symbol.asyncDispose]());

async function dryRun(operations: readonly unknown[], of = node): Promise<Answered> {
  return await of.postJson("/batch?dry=1", { operations });
}

async function forecast(operations: readonly unknown[]): Promise<readonly Result[]> {
  return resultsOf(await dryRun(operations));
}

async function transfer(from: KeyHolder, to: KeyHolder, amount: string): Promise<Element> {
  const checkkey = await node.key(from);
  const params = { from: from.address, to: to.address, token: "0", amount, checkkey };
  return { operation: "transfer", ...params };
}

test("batches §2: a dry run says the records, writes nothing and uses no key", async () => {
  const height = await node.height();
  const checkkey = await node.key(a);
  const params = await node.fullTransfer(a, { to: b.address, amount: "7", memo: "rent", checkkey });
  const operation = { operation: "transfer", ...without(params, "signature", "signed") };
  const [first] = await forecast([operation]);
  assert.equal(await node.height(), height);
  assert.deepEqual(await node.balances(b), ["0: 0"]);
  const done = await node.post("/transfer", params);
  assert.equal(summaryOf(done), "200");
  const { transaction_id } = parsed<{ transaction_id: string }>(done);
  const record = parsed<{ parameters: string[] }>(await node.get(`/transaction/${transaction_id}`));
  const unsigned = record.parameters.map((text) => (text === params["signature"] ? "" : text));
  assert.deepEqual(first?.record?.parameters, unsigned);
});

test("each operation of a dry run is executed on what those before it leave, and a refused one leaves nothing", async () => {
  const poor = await node.holder();
  const results = await forecast([
    await transfer(poor, a, "5"),
    await transfer(a, poor, "5"),
    await transfer(poor, a, "5"),
    await transfer(poor, a, "1"),
  ]);
  assert.deepEqual(results.map(resultSummaryOf), ["400 5001 at 0", "200", "200", "400 5001 at 3"]);
  const height = await node.height();
  const answer = await dryRun([await transfer(poor, a, "5")]);
  assert.equal(answer.headers.get("ledger-height"), String(height));
});

test("a dry run finds by an index what an operation before it has made: drafts, tokens, listings", async () => {
  const owner = await node.holder({ coins: 10n });
  const save = await saveRequest(node, owner, { totalsupply: "1000", decimal: "0" });
  const create = await createRequest(node, owner, "Gold", { isFull: true });
  const before = parsed<{ items: unknown[] }>(await node.get("/tokens")).items.length;
  const token = String(before);
  const terms = { mrc010id: token, amount: "100", token: "0", price: "3" };
  const sell = await signedRequest(node, "mrc010sell", owner, terms, { signed: "full" });
  const results = await forecast([
    { operation: "tokensave", ...without(save.texts, "signature") },
    { operation: "tokencreate", ...without(create.texts, "signature") },
    { operation: "mrc010sell", ...without(sell.texts, "signature") },
  ]);
  assert.deepEqual(results.map(resultSummaryOf), ["200", "200", "200"], JSON.stringify(results));
  assert.equal(parsed<{ items: unknown[] }>(await node.get("/tokens")).items.length, before);
});

test("a dry run of what is done already says its record, also where who acts would be refused now", async () => {
  const owner = await node.holder({ coins: 10n });
  const [silver, gold] = [
    await issued(node, owner, { name: "Silver of the project" }),
    await issued(node, owner, { name: "Gold of the project" }),
  ];
  const project = await createProject(node, owner, { allowtoken: silver });
  const ids = await createItems(node, project, owner, [{}]);
  const itemdata = ids.map((id) => ({ id, price: "5", token: silver }));
  const sell = await signedRequest(node, "mrc401sell", owner, { mrc400id: project, itemdata });
  const done = parsed<{ transaction_id: string }>(await sendRequest(node, sell));
  const change = { mrc400id: project, ...PROJECT, allowtoken: gold };
  const update = await signedRequest(node, "mrc400update", owner, change, { signed: "full" });
  assert.equal(summaryOf(await sendRequest(node, update)), "200");
  assert.equal(
    parsed<{ transaction_id: string }>(await sendRequest(node, sell)).transaction_id,
    done.transaction_id,
    "the request itself is a repeat",
  );
  const operation = {
    operation: "mrc401sell",
    ...without(sell.texts, "signature"),
  };
  const [again] = await forecast([operation]);
  assert.equal(again && resultSummaryOf(again), "200");
  const other = { ...operation, tkey: await node.key(owner) };
  const [fresh] = await forecast([other]);
  assert.equal(
    fresh && resultSummaryOf(fresh),
    "400 3005 itemdata[0].token at 0",
    "a new one is refused",
  );
});

test("a dry run must name what a signature would decide: 1000", async () => {
  const tkey = await node.key(a);
  const [result] = await forecast([
    {
      operation: "tokenupdate",
      tkey,
      url: "https://a.example",
      info: "gold",
      image: "https://a.example/1.png",
    },
  ]);
  assert.equal(result && resultSummaryOf(result), "400 1000 token at 0");
});

test("a dry run needs temporary keys, and checks them as ever", async () => {
  const good = await transfer(a, b, "1");
  const used = await node.fullTransfer(a, { to: b.address, amount: "2" });
  const id = parsed<{ transaction_id: string }>(await node.post("/transfer", used)).transaction_id;
  const restricted = await node.key(a, "multitransfer");
  const key = String(good["checkkey"]);
  const forged = `${key.slice(0, -1)}${key.endsWith("0") ? "1" : "0"}`;
  const results = await forecast([
    without(good, "checkkey"),
    { ...good, checkkey: "abc" },
    { ...good, checkkey: forged },
    { ...good, checkkey: restricted },
    { ...good, checkkey: await node.key(b) },
    { operation: "transfer", ...used, amount: "3" },
    { operation: "transfer", ...used },
    good,
    { ...good, amount: "2" },
    good,
  ]);
  assert.deepEqual(results.map(resultSummaryOf), [
    "400 1000 checkkey at 0",
    "401 2020 checkkey at 1",
    "401 2020 checkkey at 2",
    "401 2020 checkkey at 3",
    "401 2020 checkkey at 4",
    "409 2021 checkkey at 5",
    "200",
    "200",
    "409 2021 checkkey at 8",
    "200",
  ]);
  const record = parsed<{ parameters: string[] }>(await node.get(`/transaction/${id}`));
  assert.deepEqual(results[6]?.record?.parameters, record.parameters);
});

test("a dry run of an address makes none", async () => {
  const address = { operation: "address", publickey: publicPem(b.privateKey) };
  const named = { ...address, idempotency_key: "once" };
  const results = await forecast([address, named, named]);
  assert.deepEqual(results.map(resultSummaryOf), ["200", "200", "200"]);
  assert.deepEqual(results[1]?.record, results[2]?.record);
  const made = String(results[0]?.record?.parameters[0]);
  assert.match(JSON.stringify(results[0]?.record), /MT[0-9A-Za-z]{38}/);
  assert.equal(summaryOf(await node.get(`/address/${made}`)).startsWith("200"), false);
});

test("a dry run has up to 16 operations, and elements are refused as in a batch", async () => {
  const one = await transfer(a, b, "1");
  assert.equal(summaryOf(await dryRun(Array(17).fill(one))), "400 3002 operations");
  assert.equal((await forecast(Array(16).fill(one))).length, 16);
  assert.equal(summaryOf(await dryRun([])), "400 3002 operations");
  const results = await forecast([{ ...one, amount: "x" }, { operation: "faucet" }, 7, one]);
  assert.deepEqual(results.map(resultSummaryOf), [
    "400 1101 amount at 0",
    "400 3005 operations[1].operation at 1",
    "400 1007 operations[2] at 2",
    "200",
  ]);
});

test("dry may be 1 or left out: anything else is refused, and nothing is done", async () => {
  const height = await node.height();
  const params = await node.fullTransfer(a, { to: b.address, amount: "1" });
  const body = JSON.stringify({ operations: [{ operation: "transfer", ...params }] });
  for (const [query, refused] of [
    ["dry=0", "400 3005 dry"],
    ["dry=true", "400 3005 dry"],
    ["dry=1&dry=2", "400 1005 dry"],
  ] as const) {
    const answer = await node.postJson(`/batch?${query}`, body);
    assert.equal(summaryOf(answer), refused);
  }
  for (const path of ["/batch", "/group"]) {
    for (const dry of ["1", 1, true, "no"]) {
      const inBody = JSON.stringify({ operations: [{ operation: "transfer", ...params }], dry });
      assert.equal(summaryOf(await node.postJson(path, inBody)), "400 3005 dry");
    }
  }
  assert.equal(await node.height(), height);
});

test("a node without dry runs says 9404", async () => {
  await using other = await TestNode.start("--dry-runs", "no");
  const answer = await dryRun(
    [{ operation: "address", publickey: publicPem(b.privateKey) }],
    other,
  );
  assert.equal(summaryOf(answer), "404 9404");
});
