import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { sha256 } from "@moneta/ledger";
import { groupId } from "@moneta/protocol";
import { byLane } from "../../ledger/testing/lane.ts";
import { PostgresServer } from "../testing/postgres/postgres-server.ts";
import {
  type Answered,
  type KeyHolder,
  newKey,
  publicPem,
  refusalCode,
  TestNode,
} from "../testing/test-node.ts";
import { until } from "../testing/until.ts";

const CLIENTS = byLane({ quick: 4, long: 12 });
const ROUNDS = byLane({ quick: 8, long: 60 });

let server: PostgresServer;
before(async () => {
  server = await PostgresServer.start();
});
after(() => server[Symbol.asyncDispose]());

async function nodesOf(schema: string, count: number): Promise<readonly TestNode[]> {
  const nodes: TestNode[] = [];
  for (let index = 0; index < count; index += 1) {
    nodes.push(await TestNode.start("--log", server.url, "--log-schema", schema));
  }
  return nodes;
}

test("cluster §4: an address made at one node transfers at once at another", async () => {
  const [a, b] = (await nodesOf("row_25", 2)) as [TestNode, TestNode];
  await using _a = a;
  await using _b = b;
  for (let round = 0; round < 5; round += 1) {
    const holder = await a.holder({ coins: 5n });
    const transfer = await a.transfer(holder, { to: a.treasury.address, amount: "1" });
    assert.equal((await b.post("/transfer", transfer)).status, 200);
    const created = await b.post("/address", { publickey: publicPem(newKey()) });
    assert.equal((await a.get(`/nonce/${created.text.trim()}`)).status, 200);
    const given = await a.post("/faucet", { address: created.text.trim() });
    assert.equal(given.status, 200, given.text);
  }
  const unknown = {
    ...(await a.transfer(await a.holder({ coins: 5n }), { to: a.treasury.address, amount: "1" })),
  };
  assert.equal(
    refusalCode(
      await b.post("/transfer", { ...unknown, from: "MTxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx00000000" }),
    ),
    "400 3190",
  );
});

test("cluster §1.2: a read with the height of a write shows it at another node, and a repeat there has at least its height", async () => {
  const [a, b] = (await nodesOf("own_writes", 2)) as [TestNode, TestNode];
  await using _a = a;
  await using _b = b;
  const publickey = publicPem(newKey());
  const makeAddress = async (): Promise<readonly Answered[]> => {
    const key = { "Idempotency-Key": crypto.randomUUID() };
    const make = (at: TestNode) => patiently(() => at.post("/address", { publickey }, key));
    const made = await make(a);
    const min = { "Ledger-Height-Min": String(heightOf(made)) };
    const read = patiently(() => b.get(`/address/${made.text}`, min));
    return [made, ...(await Promise.all([read, make(b)]))];
  };
  const pay = async (payer: KeyHolder): Promise<readonly Answered[]> => {
    const transfer = await a.transfer(payer, { to: a.treasury.address, amount: "1" });
    const payAt = (at: TestNode) => patiently(() => at.post("/transfer", transfer));
    return [await payAt(a), await payAt(b)];
  };
  const payTogether = async (payer: KeyHolder): Promise<readonly Answered[]> => {
    const keys = [await a.key(payer), await a.key(payer)];
    const members = keys.map((checkkey) => ({
      op: "transfer",
      params: {
        ...{ from: payer.address, to: a.treasury.address, token: "0", amount: "1" },
        ...{ checkkey, signed: "full" },
      },
    }));
    const { ledgerId } = a.running.service;
    const group = groupId(members, { ledgerId, sha256 });
    const operations = members.map(({ op, params }) => ({
      operation: op,
      ...a.fullySigned(op, { ...params, group }, payer),
    }));
    const payAt = (at: TestNode) => patiently(() => at.postJson("/group", { operations }));
    return [await payAt(a), await payAt(b)];
  };
  const client = async (payer: KeyHolder): Promise<void> => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const make = [makeAddress, pay, payTogether][round % 3] as typeof pay;
      const [first, ...others] = (await make(payer)) as [Answered, ...Answered[]];
      for (const { status, headers, text } of [first, ...others]) {
        assert.equal(status, 200, text);
        assert.ok(Number(headers.get("ledger-height")) >= heightOf(first));
      }
    }
  };
  const payers = Array.from({ length: CLIENTS }, () => a.holder({ coins: 60n }));
  await Promise.all((await Promise.all(payers)).map(client));
});

/** A node's response; repeated while the node is late or lags, as on a busy machine. */
async function patiently(send: () => Promise<Answered>): Promise<Answered> {
  for (let left = 60; ; left -= 1) {
    const answer = await send();
    if (answer.status !== 503 || left === 0) {
      return answer;
    }
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

/** The block of a write, by the id of its transaction, or of the first one of a group. */
function heightOf({ headers, text }: Answered): number {
  const id = headers.get("transaction-id") ?? JSON.parse(text).results[0].transaction_id;
  return Number.parseInt(id.slice(0, 16), 16);
}

test("cluster §4: /ready says whether writes are accepted, and a log that is away ends that", async () => {
  await using engine = await PostgresServer.start();
  await using node = await TestNode.start("--log", engine.url, "--write-seconds", "5");
  const ready = async (): Promise<unknown> => JSON.parse((await node.get("/ready")).text);
  await until(async () => (await node.get("/ready")).status === 200);
  const { writes } = (await ready()) as { writes: string };
  assert.equal(writes, "accepted");
  assert.equal((await node.get("/ready?for=writes")).status, 200);

  await engine.kill();
  const refused = await node.post("/address", { publickey: publicPem(newKey()) });
  assert.equal(refusalCode(refused), "503 9002");
  assert.ok(Number(refused.headers.get("retry-after")) > 0);
  await until(async () => (await node.get("/ready?for=writes")).status === 503);
  assert.equal((await node.get("/ready")).status, 200, "reads go on");
  await until(async () => (await node.get("/block")).headers.has("ledger-age"));

  await engine.resume();
  await until(async () => (await node.get("/ready?for=writes")).status === 200);
  // Writing continues without intervention.
  const write = () => node.post("/address", { publickey: publicPem(newKey()) });
  await until(async () => (await write()).status === 200);
});
