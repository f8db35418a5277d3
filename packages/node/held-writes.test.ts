import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { NEWEST_VERSION } from "@moneta/ledger";
import { type GroupMember, resultsOf, signedGroup } from "./testing/requests/batch-requests.ts";
import { TemporaryDirectory } from "./testing/temporary-directory.ts";
import {
  type Answered,
  newKey,
  parsed,
  publicPem,
  START,
  summaryOf,
  TestNode,
} from "./testing/test-node.ts";

const DAY = 86_400;

test("in production a jump of the clock by more than a day holds writes until it is back or accepted", async () => {
  using directory = new TemporaryDirectory("clock");
  const file = join(directory.path, "genesis.json");
  const treasury = newKey();
  const coin = {
    name: "Coin",
    symbol: "COI",
    decimal: 2,
    totalsupply: "1000",
    treasury: [{ publickey: publicPem(treasury), amount: "1000" }],
  };
  const genesis = { protocol: NEWEST_VERSION, ledger: "ledger.example/main", coin };
  writeFileSync(file, JSON.stringify(genesis));
  const production = ["--deployment", "production", "--genesis", file];
  await using node = await TestNode.start(...production);
  const payer = { address: node.running.treasury as string, privateKey: treasury };
  const payee = await node.holder();
  const pay = async () =>
    node.post("/transfer", await node.fullTransfer(payer, { to: payee.address, amount: "1" }));
  const newest = async () =>
    parsed<{ timestamp: number }>(await node.get(`/block/${await node.height()}`)).timestamp;
  const done = await node.fullTransfer(payer, { to: payee.address, amount: "1" });
  const { text: answer } = await node.post("/transfer", done);
  const params = { from: payer.address, to: payee.address, token: "0", amount: "1" };
  const members = [1, 2].map(async (): Promise<GroupMember> => {
    const checkkey = await node.key(payer);
    return { by: [payer], operation: "transfer", params: { ...params, checkkey } };
  });
  const operations = signedGroup(node, await Promise.all(members));
  const transactionsOf = (answer: Answered): readonly unknown[] =>
    resultsOf(answer).map(({ transaction_id }) => transaction_id);
  const together = transactionsOf(await node.postJson("/group", { operations }));

  for (const jump of [2 * DAY, -2 * DAY, 40 * 365 * DAY]) {
    const height = await node.height();
    node.now = START + jump;
    const held = await pay();
    assert.equal(summaryOf(held), "503 9002", String(jump));
    assert.equal((await node.post("/transfer", done)).text, answer, "a repeat has its answer");
    assert.deepEqual(transactionsOf(await node.postJson("/group", { operations })), together);
    const { detail } = parsed<{ detail: string }>(held);
    assert.match(detail, /and the newest block is of 20/);
    for (const time of [START + jump, START]) {
      assert.ok(detail.includes(new Date(time * 1000).toISOString().slice(0, 13)), detail);
    }
    assert.equal((await node.get("/ready")).status, 200);
    assert.equal(summaryOf(await node.get("/ready?for=writes")), "503 9002");
    assert.match((await node.get("/metrics")).text, /^moneta_writes_held\{cause="clock"\} 1$/m);
    await node.stop();
    await node.resume();
    assert.equal(summaryOf(await pay()), "503 9002", `${jump}, after a restart`);
    assert.equal(await node.height(), height);
    node.now = START + 60;
    assert.equal(summaryOf(await pay()), "200", `${jump}, once it is back`);
    assert.match((await node.get("/metrics")).text, /^moneta_writes_held\{cause="clock"\} 0$/m);
    assert.equal(await newest(), START + 60);
  }

  await node.stop();
  node.now = START + 2 * DAY;
  node.flags = [...production, "--accept-time", "yes"];
  await node.resume();
  assert.equal(summaryOf(await pay()), "200");
  assert.equal(await newest(), START + 2 * DAY);
});

test("a node whose clock goes back an hour takes fresh keys, also once the clock is right again", async () => {
  await using node = await TestNode.start();
  const holder = await node.holder({ coins: 5n });
  const signed = async () => node.transfer(holder, { to: node.treasury.address, amount: "1" });
  node.now += 7200;
  const before = await signed();
  node.now -= 3600;
  assert.equal(summaryOf(await node.post("/transfer", before)), "200");
  assert.equal(summaryOf(await node.post("/transfer", await signed())), "200");
  const between = await signed();
  node.now += 3605;
  assert.equal(summaryOf(await node.post("/transfer", between)), "200");
});

test("no block is later than 2^31 - 1, whatever the clock shows and --accept-time says", async () => {
  await using node = await TestNode.start("--accept-time", "yes");
  const holder = await node.holder({ coins: 5n });
  const transfer = async () =>
    node.post("/transfer", await node.transfer(holder, { to: node.treasury.address, amount: "1" }));
  node.now = 2 ** 31 - 1;
  assert.equal(summaryOf(await transfer()), "200");
  node.now = 2 ** 31;
  assert.equal(summaryOf(await transfer()), "503 9002");
  node.now = 2 ** 40;
  assert.equal(summaryOf(await transfer()), "503 9002");
  const newest = parsed<{ timestamp: number }>(await node.get(`/block/${await node.height()}`));
  assert.equal(newest.timestamp, 2 ** 31 - 1);
});
