import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { PostgresServer } from "../testing/postgres/postgres-server.ts";
import { newKey, publicPem, saidCode, TestNode } from "../testing/test-node.ts";

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

test("cluster §9 row 25: an address made at one node transfers at once at another", async () => {
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
    saidCode(
      await b.post("/transfer", { ...unknown, from: "MTxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx00000000" }),
    ),
    "400 3190",
  );
});

test("cluster §9 row 12: a node's clock does not matter", async () => {
  const [a, b] = (await nodesOf("row_12", 2)) as [TestNode, TestNode];
  await using _a = a;
  await using _b = b;
  a.now = Math.floor(Date.now() / 1000) + 3600;
  b.now = Math.floor(Date.now() / 1000) - 3600;
  for (const node of [a, b]) {
    const created = await node.post("/address", { publickey: publicPem(newKey()) });
    assert.equal(created.status, 200);
    const { timestamp } = JSON.parse(
      (await node.get(`/block/${created.headers.get("ledger-height")}`)).text,
    );
    assert.ok(Math.abs(timestamp - Date.now() / 1000) < 60, "blocks bear the engine's time");
  }
});

test("cluster §4: /ready says whether writes are accepted, and a log that is away ends that", async () => {
  await using engine = await PostgresServer.start();
  await using node = await TestNode.start("--log", engine.url, "--write-seconds", "1");
  const ready = async (): Promise<unknown> => JSON.parse((await node.get("/ready")).text);
  await until(async () => (await node.get("/ready")).status === 200);
  const { writes } = (await ready()) as { writes: string };
  assert.equal(writes, "accepted");
  assert.equal((await node.get("/ready?for=writes")).status, 200);

  await engine.kill();
  const refused = await node.post("/address", { publickey: publicPem(newKey()) });
  assert.equal(saidCode(refused), "503 9002");
  assert.ok(Number(refused.headers.get("retry-after")) > 0);
  await until(async () => (await node.get("/ready?for=writes")).status === 503);
  assert.equal((await node.get("/ready")).status, 200, "reads go on");
  await until(async () => (await node.get("/block")).headers.has("ledger-age"));

  await engine.resume();
  await until(async () => (await node.get("/ready?for=writes")).status === 200);
  const written = await node.post("/address", { publickey: publicPem(newKey()) });
  assert.equal(written.status, 200, "writing goes on by itself");
});

test("cluster §6: a log that lacks what was shown is not served from, until it has it again", async () => {
  await using engine = await PostgresServer.start();
  await using node = await TestNode.start("--log", engine.url);
  const created = await node.post("/address", { publickey: publicPem(newKey()) });
  const height = Number(created.headers.get("ledger-height"));
  const [row] = await engine.sql(`DELETE FROM moneta.block WHERE height = ${height} RETURNING id`);
  await until(async () => (await node.get("/block")).status === 503);
  const refused = await node.get("/block");
  assert.equal(saidCode(refused), "503 9006");
  assert.match(refused.text, new RegExp(`height ${height} .*${row?.["id"]}`));
  assert.equal(
    saidCode(await node.post("/address", { publickey: publicPem(newKey()) })),
    "503 9006",
  );
  assert.equal((await node.get("/health")).status, 200);
  assert.match((await node.get("/metrics")).text, /^moneta_log_diverged 1$/m);
  assert.equal((await node.get("/ready")).status, 503);
});

/** Waits for something that is to come about. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 60_000; !(await isSo()); ) {
    assert.ok(Date.now() < end, "it does not come about");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
