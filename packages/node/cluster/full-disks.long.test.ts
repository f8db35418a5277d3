import assert from "node:assert/strict";
import { test } from "node:test";
import { ClusterStage } from "../testing/cluster/cluster-stage.ts";
import { SmallTmpfs } from "../testing/disks/small-disk.ts";
import { PostgresServer } from "../testing/postgres/postgres-server.ts";
import { ServiceProcess } from "../testing/service-process.ts";
import { TemporaryDirectory } from "../testing/temporary-directory.ts";
import { newKey, publicPem } from "../testing/test-node.ts";
import { until } from "../testing/until.ts";
import { WebhookReceiver } from "../testing/webhook-receiver.ts";

// The disk of one node or of the engine is full, while the others have space.

const SECONDS = ["--turn-seconds", "2", "--write-seconds", "4"];
/** Writes to the full disk: 5.8 KB each. */
const LARGE = 250;

test("cluster §3: B's disk is full: no false 200, it delays no other node, and it catches up when there is space", {
  skip: SmallTmpfs.missing() ?? false,
}, async (t) => {
  using disk = new SmallTmpfs();
  await using stage = await ClusterStage.start({ dataOfB: disk.data, more: SECONDS });
  const { clients, nodes } = stage;
  const [a, b, c] = nodes;
  clients.begin();
  await clients.doneAt(nodes, 2);
  disk.fill();
  await clients.send(await clients.large(a, LARGE), a);
  disk.exhaust();
  const writes = async (): Promise<{ status: number; text: string }> => {
    const answer = await fetch(`${b.url}/ready?for=writes`);
    return { status: answer.status, text: await answer.text() };
  };
  await until(async () => (await writes()).status !== 200, "B's disk is not full");
  t.diagnostic((await writes()).text);
  const [began, height] = [performance.now(), await (await fetch(`${b.url}/block`)).text()];
  await clients.doneAt([a, c], 20);
  t.diagnostic(`the others paused for ${[a, c].map((one) => clients.longestPause(one, began))} ms`);
  assert.equal(await (await fetch(`${b.url}/block`)).text(), height, "B reads what it has");

  assert.match((await writes()).text, /this node cannot store blocks now/);
  await until(
    async () => (await fetch(`${b.url}/block`)).headers.has("ledger-age"),
    "what B reads is old, and it says so",
  );

  disk.free();
  await clients.doneAt(nodes, 2);
  await until(async () => (await writes()).status === 200);
  await stage.check();
  await stage.verify();
});

test("cluster §7: a node whose disk is full leaves webhooks and auctions to another one", {
  skip: SmallTmpfs.missing() ?? false,
}, async () => {
  using disk = new SmallTmpfs();
  await using engine = await PostgresServer.start();
  await using receiver = await WebhookReceiver.listen();
  using directory = new TemporaryDirectory("full-holder");
  const more = [...receiver.flags(directory.path), "--log", engine.url, ...SECONDS];
  await using full = await ServiceProcess.start({ data: disk.data, more });
  const publickey = publicPem(newKey());
  let written = 0;
  const write = async ({ url }: ServiceProcess): Promise<void> => {
    const body = new URLSearchParams({ publickey, addinfo: "x".repeat(1000) });
    const headers = { "Idempotency-Key": String(written) };
    const answer = await until(async () => {
      const response = await fetch(`${url}/address`, { method: "POST", body, headers });
      return response.status !== 503 && response;
    });
    assert.equal(answer.status, 200, await answer.text());
    written += 1;
  };
  await write(full);
  await receiver.comes(1);
  await using other = await ServiceProcess.start({ more });
  const holders = async (): Promise<number> => {
    const [row] = await engine.sql("SELECT count(DISTINCT holder)::int AS count FROM moneta.lease");
    return row?.["count"] as number;
  };
  assert.equal(await holders(), 1, "the first one has all leases");
  disk.exhaust();
  const isFull = async (): Promise<boolean> =>
    /cannot store blocks/.test(await (await fetch(`${full.url}/ready?for=writes`)).text());
  await until(async () => {
    await write(other);
    return await isFull();
  }, "the disk is not full");
  await receiver.comes(written);
  const lease = "SELECT name FROM moneta.lease WHERE until > clock_timestamp() ORDER BY name";
  assert.equal((await engine.sql(lease)).length, 2, "housekeeping and the webhook's");
  assert.equal(await holders(), 1);
  disk.free();
});

test("cluster §8: a follower's disk is full: it says how old its blocks are, and follows on when there is space", {
  skip: SmallTmpfs.missing() ?? false,
}, async () => {
  using disk = new SmallTmpfs();
  await using source = await ServiceProcess.start();
  await using follower = await ServiceProcess.start({
    data: disk.data,
    more: ["--log", source.url],
  });
  const heightOf = async ({ url }: ServiceProcess): Promise<number> =>
    Number(await (await fetch(`${url}/block`)).text());
  const isAged = async (): Promise<boolean> =>
    (await fetch(`${follower.url}/block`)).headers.has("ledger-age");
  const publickey = publicPem(newKey());
  const write = async (): Promise<void> => {
    const addinfo = "x".repeat(1000);
    const body = new URLSearchParams({ publickey, addinfo });
    const answer = await fetch(`${source.url}/address`, { method: "POST", body });
    assert.equal(answer.status, 200, await answer.text());
  };
  disk.exhaust();
  await Promise.all(Array.from({ length: 10 }, write));
  await until(async () => await isAged(), "the follower's disk is not full");
  assert.match(
    follower.output(),
    /^log +of the node http:\S+: follows it, and leads writes there/m,
  );
  assert.match(follower.output(), /blocks of the log cannot be stored/);
  assert.doesNotMatch(follower.output(), /does not come to/, "the source is not to blame");
  assert.ok((await heightOf(follower)) < (await heightOf(source)));

  disk.free();
  const wanted = await heightOf(source);
  await until(async () => (await heightOf(follower)) >= wanted, "it follows on");
  // Its main thread learns a moment later that the log has been heard of.
  await until(async () => !(await isAged()), "it is not behind any more");
  assert.match(follower.output(), /blocks of the log can be stored again/);
});

test("cluster §3: P's disk is full: 503, no false 200, and it continues when there is space", {
  skip: SmallTmpfs.missing() ?? false,
}, async (t) => {
  using disk = new SmallTmpfs({ megabytes: 64, isOpen: true });
  // Files of 1 MB, so that little is needed to fill the disk.
  const settings = { min_wal_size: "4MB", max_wal_size: "8MB" };
  const engine = { walSegmentMb: 1, settings, folder: disk.folder };
  await using stage = await ClusterStage.start({ engine, more: SECONDS });
  const { clients, engines, nodes } = stage;
  clients.begin();
  await clients.doneAt(nodes, 2);
  disk.fill();
  const large = clients.send(await clients.large(nodes[1], LARGE), nodes[1]);
  large.catch(() => undefined);
  const refused = (): readonly number[] => [...clients.laterAnswers.values()];
  await until(() => refused().reduce((sum, one) => sum + one, 0) >= 20, "the disk is not full");
  for (const { url } of nodes) {
    assert.equal((await fetch(`${url}/block`)).status, 200, "reads go on");
  }
  t.diagnostic(`refused: ${JSON.stringify([...clients.laterAnswers])}`);
  disk.free();
  if (!engines.primary.isRunning) {
    // PostgreSQL has given up: its operator starts it again.
    await engines.primary.stop();
    await engines.primary.resume();
  }
  await large;
  await clients.doneAt(nodes, 2);
  await stage.check();
  await stage.verify();
});
