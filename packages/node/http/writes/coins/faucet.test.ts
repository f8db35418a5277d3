import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import {
  type KeyHolder,
  parsed,
  START,
  summaryOf,
  TestNode,
  transactionIdOf,
} from "../../../testing/test-node.ts";

const UNKNOWN = "MTAlice00000000000000000000000005dc33c90";
const STANDARD = 10_000_000_000n;

let node: TestNode;
let poor: KeyHolder;
let genesisBalances: readonly string[];
before(async () => {
  node = await TestNode.start();
  genesisBalances = await node.balances(node.treasury);
  poor = await node.holder();
});
after(() => node[Symbol.asyncDispose]());

for (const { params, amount } of [
  { params: {}, amount: STANDARD },
  { params: { amount: "" }, amount: STANDARD },
  { params: { amount: "5" }, amount: 5n },
  { params: { amount: "100000000000" }, amount: 10n * STANDARD },
]) {
  test(`accounts §13 row 1: ${JSON.stringify(params)}: ${amount} more`, async () => {
    const { address } = await node.holder();
    const answer = await node.post("/faucet", { address, ...params });
    const transaction_id = transactionIdOf(answer);
    assert.deepEqual(parsed(answer), { transaction_id, amount: String(amount) });
    assert.equal(answer.headers.get("transaction-id"), transaction_id);
    assert.equal(answer.headers.get("replay-nonce"), null);
    assert.deepEqual(await node.balances({ ...poor, address }), [`0: ${amount}`]);

    const { type, parameters, effects } = await node.transaction(transaction_id);
    assert.equal(type, "transfer");
    assert.deepEqual(parameters.toSpliced(4, 1), [
      node.treasury.address,
      address,
      String(amount),
      "0",
      "0",
      "faucet",
      "",
    ]);
    assert.deepEqual(
      effects.map((effect) => [effect.type, effect.address, effect.parameters]),
      [["receive", address, parameters]],
    );
  });
}

test("accounts §13: what is wrong, in the order of the checks", async () => {
  const { address } = poor;
  const own = node.treasury.address;
  for (const { params, answer } of [
    { params: { amount: "x" }, answer: "400 1000 address" },
    { params: { address: "", amount: "x" }, answer: "400 1000 address" },
    { params: { address: "x", amount: "x" }, answer: "400 3190 address" },
    { params: { address: UNKNOWN, amount: "0" }, answer: "400 1101 amount" },
    { params: { address, amount: "x" }, answer: "400 1101 amount" },
    { params: { address: own, amount: "100000000001" }, answer: "400 1101 amount" },
    { params: { address: own }, answer: "400 3201 address" },
    { params: { address: UNKNOWN }, answer: "404 3090 address" },
  ]) {
    assert.equal(summaryOf(await node.post("/faucet", params)), answer);
  }
  assert.deepEqual(await node.balances(poor), ["0: 0"]);
});

test("accounts §13: the 101st call in 24 hours for one address is 429 9001 with Retry-After", async () => {
  const { address } = await node.holder();
  const since = node.now;
  for (let call = 1; call <= 100; call += 1) {
    node.now = Math.max(since, since + call - 10);
    assert.equal(summaryOf(await node.post("/faucet", { address, amount: "1" })), "200");
  }
  const answer = await node.post("/faucet", { address, amount: "1" });
  assert.equal(summaryOf(answer), "429 9001");
  const wait = Number(answer.headers.get("retry-after"));
  assert.ok(wait > 0 && wait <= 86_400, `Retry-After ${wait}`);
  assert.equal(summaryOf(await node.post("/faucet", { address: poor.address })), "200");
  node.now += wait;
  assert.equal(summaryOf(await node.post("/faucet", { address, amount: "1" })), "200");
});

test("accounts §13: amounts and calls of the settings; calls at the same time are counted, too", async () => {
  const flags = ["--faucet-amount", "7", "--faucet-amount-max", "9", "--faucet-calls-max", "3"];
  await using few = await TestNode.start(...flags);
  const { address } = await few.holder();
  const answer = await few.post("/faucet", { address });
  assert.equal(parsed<{ amount: string }>(answer).amount, "7");
  assert.equal(summaryOf(await few.post("/faucet", { address, amount: "9" })), "200");
  assert.equal(summaryOf(await few.post("/faucet", { address, amount: "10" })), "400 1101 amount");
  const other = await few.holder();
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => few.post("/faucet", { address: other.address, amount: "1" })),
  );
  assert.equal(answers.filter(({ status }) => status === 200).length, 3);
});

test("accounts §13: a faucet that is empty is 400 5001, and such a call is not counted", async () => {
  await using empty = await TestNode.start("--faucet-calls-max", "1");
  const { address } = await empty.holder({ coins: 10n ** 18n - 4n });
  for (const params of [{}, { amount: "5" }, { amount: "5" }]) {
    assert.equal(summaryOf(await empty.post("/faucet", { address, ...params })), "400 5001");
  }
  assert.equal(summaryOf(await empty.post("/faucet", { address, amount: "4" })), "200");
  assert.equal(summaryOf(await empty.post("/faucet", { address, amount: "5" })), "429 9001");
});

test("accounts §13: without an amount the faucet gives no more than the most; without calls nothing; without a key its path does not exist, for any method", async () => {
  await using node = await TestNode.start("--faucet-amount-max", "9");
  const { address } = await node.holder();
  const answer = await node.post("/faucet", { address });
  assert.equal(parsed<{ amount: string }>(answer).amount, "9");
  await node.stop();

  node.flags = ["--faucet-amount", "10", "--faucet-amount-max", "9"];
  await assert.rejects(node.resume(), {
    name: "SettingProblem",
    message: "--faucet-amount is 10 but must be at most 9, which is --faucet-amount-max",
  });
  node.flags = ["--faucet-calls-max", "0"];
  await node.resume();
  const closed = await node.post("/faucet", { address });
  assert.equal(summaryOf(closed), "429 9001");
  assert.equal(closed.headers.get("retry-after"), "86400");
  await node.stop();

  rmSync(join(node.data, "treasury.pem"));
  await node.resume();
  for (const path of ["/faucet", "/faucet/", "/faucet?address=x"]) {
    for (const method of ["POST", "GET", "PUT", "DELETE", "PATCH"]) {
      const none = await node.request(path, { method });
      assert.equal(summaryOf(none), "404 9404", `${method} ${path}`);
    }
    assert.equal((await node.request(path, { method: "HEAD" })).status, 404);
  }
  const paths = parsed<{ paths: object }>(await node.get("/openapi.json")).paths;
  assert.ok(!("/faucet" in paths));
  assert.ok(!("faucet" in parsed<object>(await node.get("/"))));
});

test("accounts §13: with a faucet key GET /faucet is 405 9405", async () => {
  const answer = await node.get("/faucet");
  assert.equal(summaryOf(answer), "405 9405");
  assert.equal(answer.headers.get("allow"), "POST");
});

test("accounts §12: the native coin of a test deployment", async () => {
  const root = parsed<{ coin: object; faucet: string }>(await node.get("/"));
  const totalsupply = "1000000000000000000";
  assert.deepEqual(root.coin, {
    ...{ token: "0", name: "Test Coin", symbol: "TST", decimal: 8, totalsupply },
  });
  const { address } = node.treasury;
  assert.deepEqual(genesisBalances, [`0: ${totalsupply}`]);
  const { createdate } = parsed<{ createdate: number }>(await node.get(`/address/${address}`));
  assert.equal(createdate, START);
  assert.equal(summaryOf(await node.get(`/balance/${address}/1`)), "404 4001 token");
});
