import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, test } from "node:test";
import { areTablesCurrent, LocalLog, openForReading } from "@moneta/ledger";
import { schemaText } from "@moneta/ledger/postgres";
import { runInProcess } from "../testing/command-in-process.ts";
import { PostgresServer } from "../testing/postgres/postgres-server.ts";
import { runMoneta, ServiceProcess } from "../testing/service-process.ts";
import { TemporaryDirectory } from "../testing/temporary-directory.ts";
import { parsed, summaryOf, TestNode, transactionIdOf } from "../testing/test-node.ts";

let server: PostgresServer;
before(async () => {
  server = await PostgresServer.start();
});
after(() => server[Symbol.asyncDispose]());

function inSchema(schema: string): string[] {
  return ["--log", server.url, "--log-schema", schema];
}

async function copy(from: string, to: string, schema: string): Promise<string> {
  const { exitCode, output } = await runMoneta("log", "copy", from, to, "--log-schema", schema);
  return `${exitCode} ${output}`;
}

/** The id that `log copy` and `rebuild` print. */
function newestIn(output: string): string {
  return /newest ([0-9a-f]{64})/.exec(output)?.[1] ?? output;
}

test("cluster §2: a ledger moves from a directory to a cluster and back, with its head and its secrets", async () => {
  await using single = await TestNode.start();
  const holder = await single.holder({ coins: 7n });
  const checkkey = await single.key(single.treasury);
  const body = await single.fullTransfer(single.treasury, {
    to: holder.address,
    amount: "1",
    checkkey,
  });
  // The node still runs: existing blocks are copied, and the last step refuses.
  const early = await copy(single.data, server.url, "moved");
  assert.match(early, /^75 [\s\S]*another service runs on .*: stop it, and run this again$/m);
  const { treasury } = single;
  await single.stop();
  const there = await copy(single.data, server.url, "moved");
  assert.match(there, /^0 [\s\S]*copied: \d+ blocks/);

  await using a = await TestNode.start(...inSchema("moved"));
  a.now = single.now;
  const balance = await a.get(`/balance/${holder.address}/0`);
  assert.match(balance.text, /"balance":"7"/);
  assert.equal(summaryOf(await a.post("/transfer", body)), "401 2020 checkkey", "of another time");
  const again = await a.fullTransfer(treasury, { to: holder.address, amount: "1" });
  transactionIdOf(await a.post("/transfer", again));

  using folder = new TemporaryDirectory("moved");
  const back = join(folder.path, "data");
  assert.match(await copy(server.url, back, "moved"), /^75 [\s\S]*were seen within 5 minutes/);
  const { id } = parsed<{ id: string }>(await a.get(`/block/${await a.height()}`));
  await a.stop();
  assert.equal(newestIn(await copy(server.url, back, "moved")), id);
  assert.equal(newestIn(await copy(server.url, back, "moved")), id, "nothing is left to copy");
  assert.ok(existsSync(join(back, "genesis.json")));
  // The directory of a node of the cluster has a log of its own only once that was copied there.
  const refused =
    /the blocks in \S+ come from postgres:\/\/\S+, and a node without --log would write/;
  await assert.rejects(ServiceProcess.start({ data: a.data }), refused);
  assert.equal(newestIn(await copy(server.url, a.data, "moved")), id);
  await (await ServiceProcess.start({ data: a.data })).stop();
  assert.equal((await runMoneta("verify", back)).exitCode, 2, "views are made at the first start");
  await using service = await ServiceProcess.start({ data: back });
  const served = await (await fetch(`${service.url}/balance/${holder.address}/0`)).text();
  assert.match(served, /"balance":"8"/);
  await service.stop();
  const verified = await runMoneta("verify", back);
  assert.equal(verified.exitCode, 0, verified.output);

  // It has gone on by itself, so it is not continued.
  await using other = await TestNode.start();
  await other.stop();
  assert.match(await copy(other.data, server.url, "moved"), /^1 [\s\S]*it is another ledger/);
});

test("a log without blocks is not copied, and a schema that is not there is not made by reading it", async () => {
  using folder = new TemporaryDirectory("no-log");
  const target = join(folder.path, "copy");
  const refused = /^2 [\s\S]*has no log of a ledger in the schema mistyped: name the schema/;
  assert.match(await copy(server.url, target, "mistyped"), refused);
  const schemas = await server.sql("SELECT FROM pg_namespace WHERE nspname = 'mistyped'");
  assert.equal(schemas.length, 0);

  await server.sql(schemaText("empty"));
  assert.match(await copy(server.url, target, "empty"), /^2 [\s\S]*has no blocks/);
  assert.equal(existsSync(target), false, "no directory is made for nothing");
});

test("a copy that has not come to its end is no ledger: nothing continues from it but the copy, or a node of the log", async () => {
  await using single = await TestNode.start();
  using folder = new TemporaryDirectory("part");
  // All blocks are there by now, but the node may make more.
  assert.match(await copy(single.data, server.url, "part"), /^75 [\s\S]*another service runs on/);
  const part = /has a part of .*alone, because moneta log copy has not come to its end/;
  const joins = { data: join(folder.path, "node"), more: inSchema("part") };
  await assert.rejects(ServiceProcess.start(joins), part);
  for (const command of [
    ["log", "copy", server.url, join(folder.path, "other"), "--log-schema", "part"],
    ["rebuild", joins.data, ...inSchema("part")],
  ]) {
    const { exitCode, output } = await runMoneta(...command);
    assert.equal(exitCode, 75, output);
    assert.match(output, part);
  }
  await single.stop();
  assert.match(await copy(single.data, server.url, "part"), /^0 /);

  await using node = await TestNode.start(...inSchema("part"));
  const back = join(folder.path, "back");
  assert.match(await copy(server.url, back, "part"), /^75 [\s\S]*were seen within 5 minutes/);
  await assert.rejects(ServiceProcess.start({ data: back }), part);
  for (const command of [
    ["rebuild", back],
    ["backup", back, join(folder.path, "backup")],
    ["snapshot", back, join(folder.path, "snapshot.db")],
    ["log", "copy", back, join(folder.path, "other")],
  ]) {
    const { exitCode, output } = await runMoneta(...command);
    assert.equal(exitCode, 75, output);
    assert.match(output, part);
    assert.match(output, /run moneta log copy postgres:\S+ \S+ again/);
  }
  // A node of the log takes the missing blocks from there, and is refused without it as before.
  await (await ServiceProcess.start({ data: back, more: inSchema("part") })).stop();
  await assert.rejects(ServiceProcess.start({ data: back }), /without --log/);
  await node.stop();
  assert.match(await copy(server.url, back, "part"), /^0 /);
  await (await ServiceProcess.start({ data: back })).stop();
});

test("a rebuild from the log that is cut off leaves no views of blocks that are gone", async (t) => {
  const log = inSchema("rebuilt");
  await using node = await TestNode.start(...log);
  await node.stop();
  t.mock.method(LocalLog.prototype, "cutBehind", () => {
    throw new Error("cut off");
  });
  await assert.rejects(runInProcess("rebuild", node.data, ...log), /cut off/);
  const database = openForReading(join(node.data, "ledger.db"));
  assert.ok(!areTablesCurrent(database), "to be made anew from the blocks");
  database.close();
  await node.resume();
  assert.equal((await node.get("/block/0")).status, 200);
});

test("a block that a node's own file lacks comes from the log again, and one that the log lacks is not passed over", async () => {
  const log = inSchema("gap");
  await using node = await TestNode.start(...log);
  for (let count = 0; count < 3; count += 1) {
    await node.holder({ coins: 1n });
  }
  const height = await node.height();
  await node.stop();
  const database = new DatabaseSync(join(node.data, "ledger.db"));
  database.exec("DELETE FROM block_log WHERE height = 2");
  database.close();
  assert.equal((await runMoneta("verify", node.data)).exitCode, 1);
  const { exitCode, output } = await runMoneta("rebuild", node.data, ...log);
  assert.equal(exitCode, 0, output);
  assert.match(output, new RegExp(`rebuilt: ${height + 1} blocks`));
  assert.doesNotMatch(output, /^\{/m, "nothing was lost");
  assert.equal((await runMoneta("verify", node.data)).exitCode, 0);

  await server.sql("DELETE FROM gap.block WHERE height = 2");
  using directory = new TemporaryDirectory("gap");
  const copied = await copy(server.url, join(directory.path, "copy"), "gap");
  assert.match(copied, /^2 [\s\S]*block 2: the log has later blocks, but not this one/);
});
