import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { someCases } from "../../ledger/testing/lane.ts";
import { EventStream, type StreamEvent } from "../testing/event-stream.ts";
import { EngineProxy } from "../testing/postgres/engine-proxy.ts";
import { PostgresServer } from "../testing/postgres/postgres-server.ts";
import { ServiceProcess } from "../testing/service-process.ts";
import { newKey, publicPem, refusalCode, TestNode } from "../testing/test-node.ts";
import { until } from "../testing/until.ts";

let server: PostgresServer;
before(async () => {
  server = await PostgresServer.start();
});
after(() => server[Symbol.asyncDispose]());

test("row 12: a node whose clock is an hour ahead, behind: a warning, nothing else", async () => {
  for (const aheadMs of someCases([3_600_000, -3_600_000])) {
    const clock = `const now = Date.now; Date.now = () => now() + ${aheadMs};`;
    const environment = {
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(clock)}`,
    };
    const more = ["--log", server.url, "--log-schema", "row_12"];
    await using node = await ServiceProcess.start({ more, environment });
    const body = new URLSearchParams({ publickey: publicPem(newKey()) });
    const created = await fetch(`${node.url}/address`, { method: "POST", body });
    assert.equal(created.status, 200);
    const block = await fetch(`${node.url}/block/${created.headers.get("ledger-height")}`);
    const { timestamp } = (await block.json()) as { timestamp: number };
    assert.ok(Math.abs(timestamp - Date.now() / 1000) < 60, "blocks bear the engine's time");
    await until(async () => /clock is more than 60 s from that of the log/.test(node.output()));
    const metrics = await (await fetch(`${node.url}/metrics`)).text();
    const [, offset] = /^moneta_log_clock_offset_seconds (\S+)$/m.exec(metrics) ?? [];
    assert.ok(Math.abs(Number(offset) + aheadMs / 1000) < 60, `it says ${offset}`);
    assert.equal(await node.stop(), 0);
    const warnings = node
      .output()
      .split("\n")
      .filter((line) => line.startsWith("{"));
    const expected = /more than 60 s|no synchronous standby/;
    assert.deepEqual(
      warnings.filter((line) => !expected.test(line)),
      [],
    );
  }
});

test("cluster §6: a node that loses the engine while it waits for its first block asks again", async () => {
  await using proxy = await EngineProxy.to(server);
  let lost = 0;
  proxy.fate = (sql) => {
    // As when no standby confirms it.
    if (!sql.includes("pg_logical_emit_message") || lost === 2) {
      return "pass";
    }
    lost += 1;
    return "loseAnswer";
  };
  const more = ["--log", server.urlAt(proxy.host), "--log-schema", "lost_first"];
  await using node = await ServiceProcess.start({ more });
  assert.equal(lost, 2);
  assert.equal((await fetch(`${node.url}/ready`)).status, 200);
});

test("cluster §6: a log that lacks what was shown is not served from, until it has it again", async () => {
  await using engine = await PostgresServer.start();
  await using node = await TestNode.start("--log", engine.url);
  const created = await node.post("/address", { publickey: publicPem(newKey()) });
  const height = Number(created.headers.get("ledger-height"));
  using stream = await EventStream.open(node.url, "types=block");
  const columns = "height, id, header, operations";
  await engine.sql(
    `CREATE TABLE moneta.taken AS SELECT ${columns} FROM moneta.block WHERE height = ${height}`,
  );
  const [row] = await engine.sql(`DELETE FROM moneta.block WHERE height = ${height} RETURNING id`);
  await until(async () => (await node.get("/block")).status === 503);
  const refused = await node.get("/block");
  assert.equal(refusalCode(refused), "503 9006");
  assert.match(refused.text, new RegExp(`height ${height} .*${row?.["id"]}`));
  assert.equal(
    refusalCode(await node.post("/address", { publickey: publicPem(newKey()) })),
    "503 9006",
  );
  assert.equal((await node.get("/health")).status, 200);
  assert.match((await node.get("/metrics")).text, /^moneta_log_diverged 1$/m);
  assert.equal((await node.get("/ready")).status, 503);

  let last = await stream.next();
  for (let event: StreamEvent | undefined = last; event !== undefined; ) {
    last = event;
    event = await stream.nextOrEnd();
  }
  assert.equal(last.event, "dropped", "its streams get an event, and end");
  assert.match(last.data, /not what it was/);
  await assert.rejects(EventStream.open(node.url), /503/);

  await engine.sql(`INSERT INTO moneta.block (${columns}) SELECT ${columns} FROM moneta.taken`);
  // It compares once a minute.
  await until(async () => (await node.get("/block")).status === 200);
  assert.match((await node.get("/metrics")).text, /^moneta_log_diverged 0$/m);
  const written = await node.post("/address", { publickey: publicPem(newKey()) });
  assert.equal(written.status, 200, "it continues by itself");
  assert.equal(Number(written.headers.get("ledger-height")), height + 1);
  using _again = await EventStream.open(node.url);
});
