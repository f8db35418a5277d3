import assert from "node:assert/strict";
import { utimesSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { MessageChannel } from "node:worker_threads";
import { EngineUrl, SYSTEM_TIME } from "@moneta/ledger";
import {
  type EngineConnection,
  type EngineResult,
  FIRST_TIMELINE,
  type KnownTimeline,
  openEngine,
  prepareSchema,
  SharedRows,
  TimelineFile,
} from "@moneta/ledger/postgres";
import { ClusterWrites } from "../testing/cluster/cluster-writes.ts";
import { EnginePair } from "../testing/cluster/engine-pair.ts";
import { ServiceProcess } from "../testing/service-process.ts";
import { TemporaryDirectory } from "../testing/temporary-directory.ts";
import { until } from "../testing/until.ts";
import { holderOf } from "../testing/webhook-holder.ts";
import { WebhookReceiver } from "../testing/webhook-receiver.ts";
import { Housekeeping } from "./housekeeping.ts";
import { RemoteRows, serveRows } from "./row-calls.ts";

// Tasks that a cluster performs once, while its engine is lost and the standby promoted.
// Source: cluster §7.

const WORK = "work";
/** The engine's sessions that wait for its standby, and for each other. */
const WAITING =
  "SELECT count(*) FILTER (WHERE wait_event = 'SyncRep')::int AS waiting, count(*) FILTER (WHERE wait_event_type = 'Lock')::int AS locked FROM pg_stat_activity";

/** The leases of one node, whose clock the test sets. */
class Holder implements Disposable {
  readonly housekeeping: Housekeeping;
  nowMs = 0;
  readonly #url: string;
  readonly #rows: RemoteRows;
  #connection: EngineConnection | undefined;
  /** Whether the engine was late with its last response. */
  #hasWaited = false;

  constructor(
    node: string,
    { url }: { readonly url: string },
    timeline: KnownTimeline = FIRST_TIMELINE,
  ) {
    this.#url = url;
    const { port1, port2 } = new MessageChannel();
    const rows = new SharedRows((text, timeoutMs) => this.#send(text, timeoutMs), "moneta");
    serveRows(port2, Object.assign(rows, { checkEngine: async () => [] }));
    port2.unref();
    this.#rows = new RemoteRows(port1);
    this.housekeeping = new Housekeeping(this.#rows, {
      ...{ node, names: [WORK], timeline },
      isFit: () => true,
      onHeld: () => undefined,
      nowMs: () => this.nowMs,
    });
  }

  /** The number of its lease, once it has tried to take or renew it. */
  async renewed(): Promise<number | undefined> {
    await this.housekeeping.renew();
    return this.number;
  }

  get number(): number | undefined {
    return this.housekeeping.lease(WORK);
  }

  [Symbol.dispose](): void {
    void this.housekeeping.close();
    this.#rows.close();
    this.#connection?.end();
  }

  /** Over a new connection if the one before has ended, which may show only now. */
  async #send(text: string, timeoutMs: number): Promise<readonly EngineResult[]> {
    return await this.#sendOnce(text, timeoutMs).catch((thrown: unknown) => {
      if (this.#hasWaited) {
        throw thrown;
      }
      return this.#sendOnce(text, timeoutMs);
    });
  }

  async #sendOnce(text: string, timeoutMs: number): Promise<readonly EngineResult[]> {
    if (this.#connection === undefined || this.#connection.hasEnded) {
      const options = { timelines: { highest: 0 }, time: SYSTEM_TIME };
      const engine = await openEngine(EngineUrl.parse(this.#url), options);
      this.#connection = await engine.connect({ timeoutMs: 60_000 });
      await prepareSchema(this.#connection, "moneta");
    }
    const connection = this.#connection;
    this.#hasWaited = false;
    const timer = setTimeout(() => {
      this.#hasWaited = true;
      connection.end();
    }, timeoutMs);
    try {
      return await connection.query(text);
    } finally {
      clearTimeout(timer);
    }
  }
}

test("cluster §7: a lease that the promoted standby lacks is not taken while its holder may believe in it", async () => {
  await using engines = await EnginePair.start();
  const { primary, standby } = engines;
  // COMMIT does not wait for this standby.
  await primary.commitWith("");
  using a = new Holder("a", engines);
  using b = new Holder("b", engines);
  using c = new Holder("c", engines);
  const first = await a.renewed();
  assert.ok(first !== undefined);
  await primary.waitFor(
    "SELECT replay_lsn >= pg_current_wal_lsn() AS is_there FROM pg_stat_replication",
    ({ is_there: isThere }) => isThere,
  );
  // Later changes do not reach the standby: the lease passes to B.
  await standby.stop();
  await a.housekeeping.close();
  const second = await b.renewed();
  assert.ok(second !== undefined && second > first);

  await Promise.all([primary.kill(), standby.resume()]);
  engines.promote();
  // As if A's lease had run out there, long ago.
  await engines.primary.sql(
    "UPDATE moneta.lease SET until = clock_timestamp() - interval '1 hour'",
  );
  const [row] = await engines.primary.sql("SELECT number::text FROM moneta.lease");
  assert.equal(row?.["number"], String(first), "the promoted one has A's");
  assert.equal(await c.renewed(), undefined, "C waits, though the row is free");
  assert.equal(b.number, second, "B believes in its own, and has not been there yet");
  c.nowMs = 29_999;
  assert.equal(await c.renewed(), undefined);
  // B's time is the same by then: its lease has ended.
  b.nowMs = 30_000;
  c.nowMs = 30_000;
  assert.equal(b.number, undefined);
  const third = await c.renewed();
  assert.ok(third !== undefined && third > second, "no number occurs twice");
  assert.equal(await b.renewed(), undefined);
});

test("cluster §7: a lease that the promoted standby has is renewed at once", async () => {
  await using engines = await EnginePair.start();
  using a = new Holder("a", engines);
  using b = new Holder("b", engines);
  const number = await a.renewed();
  assert.ok(number !== undefined);
  await engines.primary.waitFor(
    "SELECT replay_lsn >= pg_current_wal_lsn() AS is_there FROM pg_stat_replication",
    ({ is_there: isThere }) => isThere,
  );
  await engines.failOver();
  a.nowMs = 10_000;
  assert.equal(await a.renewed(), number);
  assert.equal(await b.renewed(), undefined);
  a.nowMs = 39_999;
  assert.equal(a.number, number, "for another 30 s");
});

test("cluster §7: a node that still speaks to a replaced primary keeps no lease that another takes over the new one", async () => {
  await using engines = await EnginePair.start();
  const { primary, standby } = engines;
  using a = new Holder("a", primary);
  using b = new Holder("b", standby);
  assert.ok((await a.renewed()) !== undefined);
  standby.promote();
  assert.equal(await b.renewed(), undefined, "for 30 s");
  // The old primary lives, and waits for a standby that never comes.
  a.nowMs = 10_000;
  await a.renewed();
  a.nowMs = 30_000;
  b.nowMs = 30_000;
  assert.equal(a.number, undefined);
  await standby.sql("UPDATE moneta.lease SET until = clock_timestamp() - interval '1 ms'");
  assert.ok((await b.renewed()) !== undefined);
  assert.equal(await a.renewed(), undefined);
});

test("cluster §7: a lease is believed only if its COMMIT was certain: a cancelled wait for the standby is not enough", async () => {
  await using engines = await EnginePair.start();
  const { primary, standby } = engines;
  using a = new Holder("a", engines);
  assert.ok((await a.renewed()) !== undefined);
  a.nowMs = 30_000;
  await standby.kill();
  const known = "SELECT until FROM moneta.lease";
  const before = await primary.sql(known);
  const taking = a.renewed();
  await primary.waitFor(
    "SELECT count(pg_cancel_backend(pid))::int AS cancelled FROM pg_stat_activity WHERE wait_event = 'SyncRep'",
    ({ cancelled }) => cancelled === 1,
  );
  assert.equal(await taking, undefined);
  assert.notDeepEqual(await primary.sql(known), before, "though everybody sees it");
  await standby.resume();
  await engines.standbyIsBack();
  assert.ok((await a.renewed()) !== undefined);
});

test("cluster §7: unconfirmed leases leave one session at the engine, however many nodes try", async () => {
  await using engines = await EnginePair.start();
  const { primary, standby } = engines;
  const holders = ["a", "b", "c"].map((node) => new Holder(node, engines));
  try {
    await holders[0]?.renewed();
    await standby.kill();
    for (const _ of [1, 2]) {
      await Promise.all(holders.map((holder) => holder.renewed()));
    }
    await primary.waitFor(WAITING, ({ locked }) => locked === 0);
    assert.deepEqual(await primary.sql(WAITING), [{ waiting: 1, locked: 0 }]);
  } finally {
    for (const holder of holders) {
      holder[Symbol.dispose]();
    }
  }
});

test("cluster §7: an unconfirmed checkpoint leaves one session at the engine, however often a node asks", async () => {
  await using engines = await EnginePair.start();
  const { primary, standby } = engines;
  const engine = await openEngine(EngineUrl.parse(engines.url), {
    timelines: { highest: 0 },
    time: SYSTEM_TIME,
  });
  const rows = new SharedRows(async (text, timeoutMs) => {
    const connection = await engine.connect({ timeoutMs: 60_000 });
    const timer = setTimeout(() => connection.end(), timeoutMs);
    try {
      return await connection.query(text);
    } finally {
      clearTimeout(timer);
      connection.end();
    }
  }, "moneta");
  const connection = await engine.connect({ timeoutMs: 60_000 });
  await prepareSchema(connection, "moneta");
  connection.end();
  await primary.sql(
    "INSERT INTO moneta.checkpoint VALUES (true, 5, '00', 5, 'note', 'keys', clock_timestamp())",
  );
  await standby.stop();
  for (const _ of [1, 2, 3]) {
    await assert.rejects(rows.checkpoint(0));
  }
  assert.deepEqual(await primary.sql(WAITING), [{ waiting: 1, locked: 0 }]);
  await standby.resume();
  await primary.waitFor(WAITING, ({ waiting }) => waiting === 0);
  assert.equal((await rows.checkpoint(0)).newest?.size, 5);
});

test("cluster §7: a node that starts again just after a fail-over waits as one that was there", async () => {
  await using engines = await EnginePair.start();
  const { primary, standby } = engines;
  await primary.commitWith("");
  using a = new Holder("a", engines);
  await a.renewed();
  await primary.waitFor(
    "SELECT replay_lsn >= pg_current_wal_lsn() AS is_there FROM pg_stat_replication",
    ({ is_there: isThere }) => isThere,
  );
  await standby.stop();
  await primary.sql("DELETE FROM moneta.lease");
  using b = new Holder("b", engines);
  assert.ok((await b.renewed()) !== undefined);
  await Promise.all([primary.kill(), standby.resume()]);
  engines.promote();
  await engines.primary.sql(
    "UPDATE moneta.lease SET until = clock_timestamp() - interval '1 hour'",
  );
  using directory = new TemporaryDirectory("known-timeline");
  const file = join(directory.path, "log-timeline");
  new TimelineFile(file).remember(2);
  // An earlier run of C has met the new primary; this one has not waited.
  const known = new TimelineFile(file).known(Date.now());
  assert.equal(known.number, 2);
  using c = new Holder("c", engines, known);
  assert.equal(await c.renewed(), undefined, "B may believe in its own");
  c.nowMs = 30_000;
  assert.ok((await c.renewed()) !== undefined);
  utimesSync(file, 1, Date.now() / 1000 - 60);
  using d = new Holder("d", engines, new TimelineFile(file).known(Date.now()));
  await c.housekeeping.close();
  assert.ok((await d.renewed()) !== undefined, "after a minute there is nothing to wait for");
});

test("cluster §6: a node that has nothing to write leaves a primary that was replaced, and lives, with its next lease", async () => {
  await using engines = await EnginePair.start();
  const { standby } = engines;
  await using node = await ServiceProcess.start({ more: ["--log", engines.url] });
  standby.promote();
  await using other = await ServiceProcess.start({ more: ["--log", standby.url] });
  const writes = new ClusterWrites(() => [other]);
  await until(() => writes.ids.length !== 0, "the new primary takes writes");
  await writes.end();
  const heightOf = async ({ url }: ServiceProcess): Promise<number> =>
    Number((await fetch(`${url}/block`)).headers.get("ledger-height"));
  const height = await heightOf(other);
  await until(
    async () => (await heightOf(node)) >= height,
    "the node has what was written over the new primary",
  );
});

test("cluster §7: fail-overs of the engine, and the loss of the lease's holder with one: a webhook gets every event, repeats at most", async () => {
  await using engines = await EnginePair.start();
  await using receiver = await WebhookReceiver.listen();
  using directory = new TemporaryDirectory("lease-failovers");
  const more = [...receiver.flags(directory.path), "--log", engines.url];
  await using a = await ServiceProcess.start({ more });
  await using b = await ServiceProcess.start({ more });
  await using c = await ServiceProcess.start({ more });
  let running = [a, b, c];
  await using writes = new ClusterWrites(() => running);
  await receiver.comes(3);

  const holder = await holderOf(running);
  await engines.failOver();
  await receiver.comes(receiver.deliveries.length + 10);
  assert.equal(await holderOf(running), holder, "it keeps its lease");
  await engines.attachStandby();

  running = running.filter((node) => node !== holder);
  await Promise.all([holder.kill(), engines.failOver()]);
  await receiver.comes(receiver.deliveries.length + 10);
  await holderOf(running);
  await writes.end();
  await receiver.comesWhole(writes.ids);
});
