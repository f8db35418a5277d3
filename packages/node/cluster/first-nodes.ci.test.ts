import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { SCHEMA_VERSION } from "@moneta/ledger/postgres";
import { byLane } from "../../ledger/testing/lane.ts";
import { runInProcess } from "../testing/command-in-process.ts";
import { EngineProxy } from "../testing/postgres/engine-proxy.ts";
import { PostgresServer } from "../testing/postgres/postgres-server.ts";
import { TemporaryDirectory } from "../testing/temporary-directory.ts";
import { newKey, publicPem, TestNode } from "../testing/test-node.ts";

const ROUNDS = byLane({ quick: 1, long: 20 });

let server: PostgresServer;
before(async () => {
  server = await PostgresServer.start();
});
after(() => server[Symbol.asyncDispose]());

test(`cluster §2: two first nodes at once on an empty schema make one ledger, ${ROUNDS} times`, async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const more = ["--log", server.url, "--log-schema", `first_${round}`];
    const nodes = await Promise.all([TestNode.start(...more), TestNode.start(...more)]);
    await using _a = nodes[0];
    await using _b = nodes[1];
    const [a, b] = nodes.map(({ ledgerId }) => ledgerId);
    assert.match(a ?? "", /^[0-9a-f]{64}$/);
    assert.equal(a, b);
    const blocks = await server.sql(`SELECT height, id FROM first_${round}.block`);
    assert.deepEqual(blocks, [{ height: "0", id: a }]);
    const holders = nodes.filter(({ data }) => existsSync(join(data, "treasury.pem")));
    assert.equal(holders.length, 1, "whoever made block 0 has the treasury's key, and only it");
  }
});

test("a first node that was cut off when block 0 was there makes the cluster's checkpoint key at its next start", async () => {
  using folder = new TemporaryDirectory("begun");
  const data = join(folder.path, "data");
  await using proxy = await EngineProxy.to(server);
  proxy.fate = (sql) => (/INSERT INTO "?half_begun"?\.block/.test(sql) ? "loseAnswer" : "pass");
  const more = ["--data", data, "--log-schema", "half_begun", "--log"];
  await assert.rejects(TestNode.start(...more, server.urlAt(proxy.host)));
  assert.deepEqual(await server.sql("SELECT height FROM half_begun.block"), [{ height: "0" }]);

  await using node = await TestNode.start(...more, server.url);
  assert.equal((await node.get("/checkpoint")).status, 200);
  assert.ok(!existsSync(join(data, "log-beginning")));
});

test("a first node that was cut off before block 0 was there joins the ledger that another one began", async () => {
  using folder = new TemporaryDirectory("cut-off");
  const data = join(folder.path, "data");
  const more = ["--log-schema", "overtaken", "--log"];
  {
    await using proxy = await EngineProxy.to(server);
    proxy.fate = (sql) => (/INSERT INTO "?overtaken"?\.block/.test(sql) ? "hold" : "pass");
    await assert.rejects(TestNode.start("--data", data, ...more, server.urlAt(proxy.host)));
  }
  await using first = await TestNode.start(...more, server.url);
  await using node = await TestNode.start("--data", data, ...more, server.url);
  assert.equal(node.ledgerId, first.ledgerId);
  assert.ok(existsSync(join(data, "treasury.pem")), "that of a ledger which was never begun");
  assert.equal((await node.get("/faucet")).status, 404);
  assert.ok(!existsSync(join(data, "checkpoint.pem")), "one ledger, one key");
});

test("cluster §2: a node with another genesis is refused, with both ids", async () => {
  await using first = await TestNode.start("--log", server.url, "--log-schema", "other_genesis");
  using folder = new TemporaryDirectory("genesis");
  const file = join(folder.path, "genesis.json");
  const publickey = publicPem(newKey());
  const coin = { name: "C", symbol: "C", decimal: 0, totalsupply: "1" };
  writeFileSync(
    file,
    JSON.stringify({ ledger: "other", coin: { ...coin, treasury: [{ publickey, amount: "1" }] } }),
  );
  const refused = await TestNode.start(
    ...["--log", server.url, "--log-schema", "other_genesis", "--genesis", file],
  ).then(
    () => "it started",
    (thrown: unknown) => (thrown as Error).message,
  );
  const ids = [...refused.matchAll(/[0-9a-f]{64}/g)].map(String);
  assert.equal(ids.length, 2, refused);
  assert.notEqual(ids[0], ids[1]);
  assert.equal(ids[1], first.ledgerId);

  await using single = await TestNode.start();
  await single.stop();
  single.flags = [...single.flags, "--log", server.url, "--log-schema", "other_genesis"];
  await assert.rejects(single.resume(), new RegExp(`another ledger .*${first.ledgerId}`));
  single.flags = [...single.flags, "--log-schema", "empty"];
  await assert.rejects(single.resume(), /moneta log copy takes it there/);
});

test("no cluster begins more than a day ahead of its engine's clock", async () => {
  using folder = new TemporaryDirectory("ahead");
  const file = join(folder.path, "genesis.json");
  const treasury = [{ publickey: publicPem(newKey()), amount: "1" }];
  const coin = { name: "C", symbol: "C", decimal: 0, totalsupply: "1", treasury };
  writeFileSync(file, JSON.stringify({ ledger: "other", timestamp: 2147483647, coin }));
  const begin = async (): Promise<void> => {
    await using _ = await TestNode.start(
      ...["--log", server.url, "--log-schema", "ahead", "--genesis", file],
    );
  };
  await assert.rejects(begin(), {
    name: "GenesisProblem",
    message: /^timestamp of the genesis file is 2038-.*a day ahead/,
  });
  assert.deepEqual(await server.sql("SELECT height FROM ahead.block"), []);
});

test("cluster §2: a schema of another version is refused", async () => {
  const more = ["--log", server.url, "--log-schema", "aged"];
  await using node = await TestNode.start(...more);
  await node.stop();
  await server.sql(`UPDATE aged.version SET version = ${SCHEMA_VERSION + 1}`);
  const { exitCode, output } = await runInProcess(
    ...["serve", "--data", node.data, "--port", "0", "--log-level", "warn", ...more],
  );
  assert.equal(exitCode, 2);
  assert.match(output, /which another version of Moneta has made.*--log-schema/);
});

test("cluster §2: a node joins from an empty directory, without genesis file, and shows what is written at the other", async () => {
  const more = ["--log", server.url, "--log-schema", "joined"];
  await using a = await TestNode.start(...more);
  const holder = await a.holder({ coins: 5n });
  await using b = await TestNode.start(...more);
  assert.equal(b.ledgerId, a.ledgerId);
  const height = String(await a.height());
  const seen = await b.get(`/balance/${holder.address}`, { "Ledger-Height-Min": height });
  assert.equal(seen.status, 200);
  assert.match(seen.text, /"balance":"5"/);
  assert.ok(!existsSync(join(b.data, "treasury.pem")));
  assert.equal((await a.get("/checkpoint")).status, 200);
  assert.ok(!existsSync(join(b.data, "checkpoint.pem")), "one ledger, one key");
  const [signed, passedOn] = await Promise.all([a, b].map((node) => node.get("/checkpoint/key")));
  assert.deepEqual([passedOn?.status, passedOn?.text], [200, signed?.text]);
  assert.equal((await b.post("/faucet", { to: holder.address })).status, 404);
  // One secret: a key of one node is good at the other.
  const checkkey = await a.key(a.treasury);
  const body = await a.fullTransfer(a.treasury, { to: holder.address, amount: "1", checkkey });
  const answer = await b.post("/transfer", body);
  assert.equal(answer.status, 200, answer.text);
});

test("cluster §2: a node that meets a damaged genesis in the schema ends with one sentence that says where", async () => {
  await using node = await TestNode.start("--log", server.url, "--log-schema", "damaged");
  await node.stop();
  await server.sql("UPDATE damaged.genesis SET content = left(content, 9)");
  await assert.rejects(node.resume(), {
    message: /^the table genesis of the schema damaged is damaged, it is no JSON: put there /,
  });
  await server.sql("UPDATE damaged.genesis SET content = '{}'");
  await assert.rejects(node.resume(), {
    message: /^the table genesis of the schema damaged: coin must be an object$/,
  });
});
