import assert from "node:assert/strict";
import { test } from "node:test";
import { someCases } from "../../ledger/testing/lane.ts";
import { EngineProxy, type QueryFate } from "../testing/postgres/engine-proxy.ts";
import { PostgresServer } from "../testing/postgres/postgres-server.ts";
import { ServiceProcess } from "../testing/service-process.ts";
import { TemporaryDirectory } from "../testing/temporary-directory.ts";
import { newKey, publicPem, TestNode } from "../testing/test-node.ts";
import { until } from "../testing/until.ts";

test("cluster §1.5, §2: a node that is started while no engine can be reached serves reads, and joins when one is back; with an empty directory it waits, and says so", async () => {
  await using engine = await PostgresServer.start();
  using directory = new TemporaryDirectory("alone");
  const more = ["--log", engine.url, "--write-seconds", "5"];
  const options = { data: directory.path, more };
  let height: number;
  {
    await using before = await TestNode.start("--data", directory.path, ...more);
    height = Number((await createdAt(before)).headers.get("ledger-height"));
  }

  await engine.kill();
  await using node = await ServiceProcess.start(options);
  const get = async (path: string): Promise<Response> => await fetch(node.url + path);
  const block = await get(`/block/${height}`);
  assert.equal(block.status, 200);
  // Its age continues from the last one that the earlier run showed.
  assert.ok(Number((await untilAged(get)).headers.get("ledger-age")) >= 5);
  assert.equal((await get("/health")).status, 200);
  assert.equal((await get("/ready")).status, 503);
  for (const refused of [await create(node), await get("/checkpoint")]) {
    assert.deepEqual(
      [refused.status, ((await refused.json()) as { code: string }).code],
      [503, "9002"],
    );
  }
  assert.match(node.output(), /the log cannot be reached: reads are served meanwhile/);
  const why = /the log cannot be reached, and this node has not all blocks .*: waiting for the log/;
  await ServiceProcess.waits(why, { more });
  const starting = TestNode.start(...more);

  await engine.resume();
  await using other = await starting;
  await until(async () => (await create(other)).status === 200, "the other one joins");
  await until(async () => (await get("/ready?for=writes")).status === 200, "it joins");
  const written = await createdAt(node);
  assert.ok(Number(written.headers.get("ledger-height")) > height);
  assert.equal(written.headers.get("ledger-age"), null);
  assert.equal((await get("/checkpoint")).status, 200);
});

for (const { what, fail } of someCases([
  { what: "is lost", fail: async (proxy: EngineProxy) => meet(proxy, () => "loseAnswer") },
  {
    what: "falls silent",
    fail: async (proxy: EngineProxy) =>
      meet(proxy, () => {
        proxy.silence("both");
        return "pass";
      }),
  },
  {
    what: "is locked by another session",
    fail: async (_: EngineProxy, engine: PostgresServer) => {
      const locking = await engine.connect();
      await locking.query("BEGIN; LOCK TABLE moneta.block IN ACCESS EXCLUSIVE MODE");
      return async () => {
        await locking.query("ROLLBACK");
        await locking[Symbol.asyncDispose]();
      };
    },
  },
])) {
  test(`cluster §1.5: a node whose engine ${what} while it starts serves reads if it has blocks, and joins later; another one waits`, async () => {
    await using engine = await PostgresServer.start();
    await using proxy = await EngineProxy.to(engine);
    using directory = new TemporaryDirectory("lost");
    const more = ["--log", engine.urlAt(proxy.host)];
    const options = { data: directory.path, more };
    {
      await using before = await TestNode.start("--data", directory.path, ...more);
      assert.equal((await create(before)).status, 200);
    }

    const mend = await fail(proxy, engine);
    await using node = await ServiceProcess.start(options);
    assert.equal((await fetch(`${node.url}/block`)).status, 200);
    assert.match(node.output(), /the log cannot be read now: reads are served meanwhile/);
    if (what !== "falls silent") {
      const why = /the log was reached, but cannot be read now: trying again/;
      await ServiceProcess.waits(why, { more });
    }
    await mend();
    await until(async () => (await create(node)).status === 200, "it joins");
  });
}

/** Something befalls each message for the first rows. Returns what ends that. */
function meet(proxy: EngineProxy, fate: () => QueryFate): () => Promise<void> {
  proxy.fate = (sql) => (/"genesis"|\.genesis/.test(sql) ? fate() : "pass");
  return async () => {
    proxy.fate = () => "pass";
    proxy.mend();
  };
}

async function create(node: { readonly url: string }): Promise<Response> {
  const body = new URLSearchParams({ publickey: publicPem(newKey()) });
  return await fetch(`${node.url}/address`, { method: "POST", body });
}

/** Creates one address, which is repeated while the log is late. */
async function createdAt(node: { readonly url: string }): Promise<Response> {
  const body = new URLSearchParams({ publickey: publicPem(newKey()) });
  const headers = { "Idempotency-Key": "one" };
  const answer = await until(async () => {
    const response = await fetch(`${node.url}/address`, { method: "POST", body, headers });
    return response.status !== 503 && response;
  });
  assert.equal(answer.status, 200);
  return answer;
}

async function untilAged(get: (path: string) => Promise<Response>): Promise<Response> {
  return await until(async () => {
    const answer = await get("/block");
    return answer.headers.has("ledger-age") && answer;
  }, "responses say how old they are");
}
