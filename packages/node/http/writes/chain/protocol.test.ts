import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Document } from "../../../testing/clients/openapi-document.ts";
import {
  type Answered,
  type KeyHolder,
  type Params,
  parsed,
  problemOf,
  publicPem,
  refusalCode,
  summaryOf,
  TestNode,
  transactionIdOf,
} from "../../../testing/test-node.ts";

let node: TestNode;
let stranger: KeyHolder;
before(async () => {
  node = await TestNode.startWithOperator();
  stranger = await node.holder({ coins: 100n });
});
after(() => node[Symbol.asyncDispose]());

/** An announcement for a block far ahead, fully signed by the operator unless given otherwise. */
async function announcement(
  params: Params = {},
  by: KeyHolder = node.operator,
): Promise<Record<string, string>> {
  const tkey = params["tkey"] ?? (await node.key(by));
  const all = { version: "2", height: "5000000", note: "to come", ...params, tkey };
  return node.fullySigned("protocol", all, by);
}

async function announce(params: Params = {}, by?: KeyHolder): Promise<Answered> {
  return node.post("/protocol", await announcement(params, by));
}

test("chain §8: the operator of the genesis file has an address and the rules are its to change", async () => {
  const { address } = node.operator;
  assert.equal((await node.get(`/address/${address}`)).status, 200);
  const { protocol } = parsed<{ protocol: unknown }>(await node.get("/"));
  assert.deepEqual(protocol, { version: 1, next: 0, height: 0, operator: address });
  const raw = parsed<{ operations: { op: string; params: Params }[] }>(
    await node.get("/block/0/raw"),
  );
  assert.equal(raw.operations[0]?.params["operator"], address);
});

test("chain §7.2: an announcement is answered with its transaction, which everybody can read", async () => {
  const params = await announcement({ note: "fees are rounded up" });
  const answer = await node.post("/protocol", params);
  const id = transactionIdOf(answer);
  assert.deepEqual(parsed(answer), { transaction_id: id });
  assert.equal(answer.headers.get("transaction-id"), id);
  assert.match(answer.headers.get("replay-nonce") ?? "", /^[0-9A-Za-z]{40,64}$/);
  const { address } = node.operator;
  const { db_sn, db_id, timestamp, ...shown } = await node.transaction(id);
  assert.deepEqual(shown, {
    id,
    type: "Chaincode Install or Update",
    address,
    token: 0,
    parameters: ["2", "5000000", "fees are rounded up"],
    values: {},
    validationCode: "0",
    effects: [],
  });
  const { protocol } = parsed<{ protocol: unknown }>(await node.get("/"));
  assert.deepEqual(protocol, { version: 1, next: 2, height: 5_000_000, operator: address });

  const repeated = await node.post("/protocol", params);
  assert.equal(transactionIdOf(repeated), id);
  assert.equal(refusalCode(await announce({ tkey: params["tkey"] as string })), "409 2021");
});

test("chain §7.2, §8: without an operator, as on test deployments by default, the path answers 9404", async () => {
  await using none = await TestNode.start();
  const params = {
    version: "2",
    height: "300",
    note: "x",
    tkey: "x",
    signature: "x",
    signed: "full",
  };
  for (const answer of [
    await none.post("/protocol", params),
    await none.post("/protocol", {}),
    await none.get("/protocol"),
  ]) {
    assert.equal(summaryOf(answer), "404 9404");
  }
  const { paths } = parsed<Document>(await none.get("/openapi.json"));
  assert.equal("/protocol" in paths, false);
  const { protocol } = parsed<{ protocol: { operator: string } }>(await none.get("/"));
  assert.equal(protocol.operator, "");
});

test("chain §7.3: protocol 2 announced, node knows only 1: blocks to the one before it are made, then writes 9002, reads work, also after a restart", async () => {
  const first = (await node.height()) + 4;
  assert.equal(summaryOf(await announce({ height: String(first), note: "soon" })), "200");
  assert.equal(await node.metric("moneta_unknown_protocol_version"), 2);
  assert.equal(await node.metric("moneta_unknown_protocol_height"), first);
  const [one = {}, two = {}, late = {}] = await node.transfers(stranger, node.treasury, [1, 1, 1]);
  assert.equal(summaryOf(await node.post("/transfer", one)), "200");
  assert.equal(summaryOf(await node.post("/transfer", two)), "200");
  assert.equal(await node.height(), first - 1);
  const balances = await node.balances(stranger);

  const writesStop = async (): Promise<void> => {
    for (const answer of [
      await node.post("/transfer", late),
      await announce({ height: String(first + 10) }),
      await node.post("/address", { publickey: publicPem(stranger.privateKey) }),
      await node.post("/faucet", { address: stranger.address }),
    ]) {
      assert.equal(summaryOf(answer), "503 9002");
      const { detail } = problemOf(answer);
      assert.match(detail, new RegExp(`block ${first} .*version 2 .*upgraded`));
      assert.ok(Number(answer.headers.get("retry-after")) > 0);
    }
    assert.equal(await node.height(), first - 1);
    assert.deepEqual(await node.balances(stranger), balances);
    assert.equal(summaryOf(await node.get(`/block/${first - 1}`)), "200");
    assert.equal(summaryOf(await node.get(`/nonce/${stranger.address}`)), "200");
    assert.equal(summaryOf(await node.get("/ready")), "200");
    assert.equal(await node.metric("moneta_unknown_protocol_height"), first);
  };
  await writesStop();
  await node.restart();
  await writesStop();
});

test("chain §7.3: writes that are under way when the rules change end well or with 9002, and none is half done", async () => {
  await using busy = await TestNode.startWithOperator("--block-operations-max", "10");
  const from = await busy.holder({ coins: 1000n });
  const to = await busy.holder();
  const first = (await busy.height()) + 5;
  const tkey = await busy.key(busy.operator);
  const soon = { version: "2", height: String(first), note: "soon", tkey };
  const params = busy.fullySigned("protocol", soon, busy.operator);
  assert.equal(summaryOf(await busy.post("/protocol", params)), "200");
  const requests = await busy.transfers(from, to, Array(200).fill(1));
  const answers = await Promise.all(requests.map((request) => busy.post("/transfer", request)));
  const done = answers.filter(({ status }) => status === 200).length;
  for (const answer of answers) {
    assert.match(summaryOf(answer), /^(200|503 9002)$/);
  }
  // Not more blocks of 10 than there are before it.
  assert.ok(done > 0 && done <= 30, String(done));
  assert.ok((await busy.height()) < first);
  assert.deepEqual(await busy.balances(to, "0"), [String(done)]);
});
