import assert from "node:assert/strict";
import { mkdirSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { type BlockLog, StorageFailure } from "@moneta/ledger";
import {
  ConnectionLost,
  type Engine,
  HEADER_BYTES_MAX,
  OPERATIONS_BYTES_MAX,
  PostgresLog,
  type PostgresLogOptions,
  TimelineFile,
} from "@moneta/ledger/postgres";
import { longTest, someCases } from "../../ledger/testing/lane.ts";
import { changedEngine } from "../testing/cluster/changed-engine.ts";
import { EnginePair } from "../testing/cluster/engine-pair.ts";
import { LogPeer, peerGenesis } from "../testing/cluster/log-peer.ts";
import { EventStream } from "../testing/event-stream.ts";
import { EngineProxy } from "../testing/postgres/engine-proxy.ts";
import { PostgresServer } from "../testing/postgres/postgres-server.ts";
import { ServiceProcess } from "../testing/service-process.ts";
import { TemporaryDirectory } from "../testing/temporary-directory.ts";
import { newKey, publicPem } from "../testing/test-node.ts";
import { until } from "../testing/until.ts";

const genesis = peerGenesis();

let server: PostgresServer;
before(async () => {
  server = await PostgresServer.start();
});
after(() => server?.[Symbol.asyncDispose]());

function storedOn(disk: { readonly isFull: boolean }, copy: BlockLog): BlockLog {
  return new Proxy(copy, {
    get(target, name) {
      if (name === "append" && disk.isFull) {
        return () => {
          throw new StorageFailure("no space is left");
        };
      }
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

test("cluster §3.5: after three conflicts in a row a batch is halved", async () => {
  /** The number of addresses in each sent block. */
  const sent: number[] = [];
  const around = (engine: Engine): Engine =>
    changedEngine(engine, {
      before(text) {
        if (!text.includes("INSERT INTO")) {
          return text;
        }
        sent.push(text.match(/"op":"address"/g)?.length ?? 0);
        // The engine rolls the first three back, as it may do with conflicting transactions.
        return sent.length > 3 ? text : text.replace(/\bCOMMIT\b(?![\s\S]*\bCOMMIT\b)/, "ROLLBACK");
      },
    });
  await using peer = await LogPeer.start({
    ...{ url: server.url, genesis, schema: "halved", around, turnMs: 20_000 },
  });
  const texts = Array.from({ length: 8 }, () => peer.newAddress());
  const reported = await Promise.all(texts.map((text) => peer.submit(text)));
  assert.ok(reported.every((one) => one.startsWith("done ")));
  assert.deepEqual(sent, [8, 8, 8, 4, 4]);
  const stored = [...peer.log.read(1)].flatMap(({ operations }) => operations);
  assert.deepEqual(stored, texts, "each is done once, in the order of their arrival");
});

test("cluster §3: a certain block that the disk does not take is 9004 until it is stored, then done once", async () => {
  const disk = { isFull: false };
  await using peer = await LogPeer.start({
    ...{ url: server.url, genesis, schema: "stored", writeMs: 8000 },
    log: (options) => new PostgresLog({ ...options, copy: storedOn(disk, options.copy) }),
  });
  disk.isFull = true;
  const text = peer.newAddress();
  assert.equal(await peer.submit(text), "9004");
  const [row] = await server.sql("SELECT max(height)::int AS height FROM stored.block");
  assert.deepEqual([row?.["height"], peer.ledger.stored.height], [1, 0], "the log has it");
  assert.equal(peer.report?.isInDoubt, true);
  disk.isFull = false;
  await peer.reaches(1);
  assert.match(await peer.submit(text), /^repeat /);
  assert.match(await peer.submit(peer.newAddress()), /^done /);
  assert.equal(peer.ledger.stored.height, 2);
});

test("cluster §6: a node whose session for turns has met the new primary does not go on reading from the old one, which lives", async () => {
  await using engines = await EnginePair.start();
  const { primary: old, standby } = engines;
  await using peer = await LogPeer.start({ url: engines.url, genesis });
  assert.match(await peer.submit(peer.newAddress()), /^done /);
  standby.promote();
  // COMMIT waits for a standby that does not come back; the session that waits is ended.
  const submitted = peer.submit(peer.newAddress());
  await old.waitFor(
    "SELECT count(pg_terminate_backend(pid))::int AS ended FROM pg_stat_activity WHERE wait_event = 'SyncRep'",
    ({ ended }) => ended === 1,
  );
  assert.match(await submitted, /^done /);
  await using other = await LogPeer.start({ url: standby.url, genesis });
  await other.reaches(2);
  assert.match(await other.submit(other.newAddress()), /^done /);
  await peer.reaches(3);
});

test("cluster §6: a node leaves an old primary that lives and waits for no standby, once it looks for another one", async () => {
  await using engines = await EnginePair.start();
  const { primary: old, standby } = engines;
  await old.commitWith("");
  let opened: PostgresLog | undefined;
  const log = (options: PostgresLogOptions): PostgresLog => {
    opened = new PostgresLog(options);
    return opened;
  };
  await using peer = await LogPeer.start({ url: engines.url, genesis, log });
  assert.match(await peer.submit(peer.newAddress()), /^done /);
  await old.waitFor(
    "SELECT replay_lsn >= pg_current_wal_lsn() AS is_there FROM pg_stat_replication",
    ({ is_there: isThere }) => isThere,
  );
  standby.promote();
  // Nodes skip a host that does not respond within a second.
  await until(async () => {
    await opened?.check(async () => undefined);
    return await isReadBy(standby);
  }, "the node leaves the old primary");
  assert.match(await peer.submit(peer.newAddress()), /^done /);
  const heights = await Promise.all([old, standby].map((server) => server.sql(NEWEST)));
  assert.deepEqual(heights, [[{ height: 1 }], [{ height: 2 }]]);
});

longTest(
  "cluster §6: a primary that falls silent as soon as a node has connected to it does not hold up what is done every minute",
  async () => {
    await using proxy = await EngineProxy.to(server);
    let opened: PostgresLog | undefined;
    const log = (options: PostgresLogOptions): PostgresLog => {
      opened = new PostgresLog(options);
      return opened;
    };
    const schema = "silent";
    await using _peer = await LogPeer.start({
      url: server.urlAt(proxy.host),
      genesis,
      schema,
      log,
    });
    let isSilent = false;
    proxy.fate = (sql) => {
      // Over the connection that is made to find a higher timeline.
      if (/^SELECT left\(/.test(sql)) {
        isSilent = true;
        proxy.silence("both");
      }
      return "pass";
    };
    const checked = opened?.check(async () => undefined).catch(() => undefined);
    const limit = new AbortController();
    const late = delay(30_000, "late", { signal: limit.signal });
    assert.notEqual(await Promise.race([checked, late]), "late");
    limit.abort();
    await assert.rejects(late);
    assert.ok(isSilent);
    proxy.mend();
  },
);

const OTHERS_SESSIONS = "backend_type = 'client backend' AND pid <> pg_backend_pid()";

/** Whether a node reads at an engine. The pattern does not match its own text. */
async function isReadBy(server: PostgresServer): Promise<boolean> {
  const rows = await server.sql(
    `SELECT FROM pg_stat_activity WHERE query ~ 'AS newest ON [t]rue' AND ${OTHERS_SESSIONS}`,
  );
  return rows.length > 0;
}

const NEWEST = "SELECT max(height)::int AS height FROM moneta.block";

longTest(
  "cluster §6: a node whose disk does not take the timeline of a new primary continues, and logs it",
  async () => {
    await using engines = await EnginePair.start();
    using directory = new TemporaryDirectory("unkept-timeline");
    const file = join(directory.path, "timeline");
    const log = (options: PostgresLogOptions): PostgresLog =>
      new PostgresLog({ ...options, timelines: new TimelineFile(file) });
    await using peer = await LogPeer.start({ url: engines.url, genesis, log });
    assert.match(await peer.submit(peer.newAddress()), /^done /);
    mkdirSync(`${file}.part`);
    await engines.failOver();
    // Its COMMIT is certain; a block or a barrier is the first on the new timeline.
    await engines.primary.commitWith("");
    assert.match(await peer.submit(peer.newAddress()), /^done /);
    await until(() => peer.report?.unkept !== undefined, "it reports what is wrong");
    assert.deepEqual([peer.log.status.timeline, peer.failure], [2, undefined]);
    rmdirSync(`${file}.part`);
    assert.match(await peer.submit(peer.newAddress()), /^done /);
    assert.equal(new TimelineFile(file).highest, 2);
  },
);

test("cluster §3: while a statement of another session locks the table, a node leaves no sessions at the engine that wait for it", async () => {
  await using peer = await LogPeer.start({ url: server.url, genesis, schema: "locked" });
  assert.match(await peer.submit(peer.newAddress()), /^done /);
  await using locking = await server.connect();
  await locking.query("BEGIN; LOCK TABLE locked.block IN ACCESS EXCLUSIVE MODE");
  let most = 0;
  for (const end = Date.now() + 25_000; Date.now() < end; await delay(250)) {
    const [waiting] = await server.sql(
      "SELECT count(*)::int AS count FROM pg_stat_activity WHERE wait_event_type = 'Lock'",
    );
    most = Math.max(most, waiting?.["count"] as number);
  }
  // Of reads that are given up after 10 s, there would be three by now.
  assert.ok(most === 1 || most === 2, `${most} sessions wait`);
  await locking.query("ROLLBACK");
  assert.match(await peer.submit(peer.newAddress()), /^done /);
});

longTest(
  "a node that is far behind because its disk is full requests few turns, and continues when there is space",
  async () => {
    const schema = "far_behind";
    await using writer = await LogPeer.start({ url: server.url, genesis, schema });
    const disk = { isFull: false };
    let turns = 0;
    await using peer = await LogPeer.start({
      ...{ url: server.url, genesis, schema, writeMs: 4000 },
      log: (options) => new PostgresLog({ ...options, copy: storedOn(disk, options.copy) }),
      around: (engine) =>
        changedEngine(engine, {
          before(text) {
            turns += text.includes("pg_advisory_xact_lock") ? 1 : 0;
            return text;
          },
        }),
    });
    disk.isFull = true;
    for (let block = 1; block <= 25; block += 1) {
      assert.match(await writer.submit(writer.newAddress()), /^done /);
    }
    turns = 0;
    const text = peer.newAddress();
    assert.equal(await peer.submit(text), "9002");
    assert.ok(turns <= 10, `${turns} turns in 4 s`);
    disk.isFull = false;
    await peer.reaches(25);
    assert.match(await peer.submit(text), /^done /);
  },
);

longTest(
  "a node behind a slow network catches up in smaller steps, and then in large ones again",
  async () => {
    const at = { url: server.url, genesis, schema: "slow" };
    await using writer = await LogPeer.start({ ...at, turnMs: 20_000 });
    for (let block = 1; block <= 6; block += 1) {
      const texts = Array.from({ length: 1000 }, () => writer.newAddress());
      const reported = await Promise.all(texts.map((text) => writer.submit(text)));
      assert.ok(reported.every((one) => one.startsWith("done ")));
    }
    const { height } = writer.ledger.stored;
    /** The length of operations that each step would bring, and whether it came. */
    const steps: { readonly length: number; readonly isThere: boolean }[] = [];
    const slowAtFirst = (engine: Engine): Engine =>
      changedEngine(engine, {
        after(results) {
          const texts = results.flatMap(({ rows }) => rows.map((row) => row["operations"] ?? ""));
          const { length } = texts.join("");
          const isThere = length < 700_000 || steps.some((step) => step.isThere);
          if (length > 1000) {
            steps.push({ length, isThere });
          }
          if (!isThere) {
            throw new ConnectionLost("it was too much for 10 s");
          }
          return results;
        },
      });
    await using reader = await LogPeer.start({ ...at, around: slowAtFirst });
    await reader.reaches(height);
    const first = steps.findIndex(({ isThere }) => isThere);
    assert.ok(first > 0, JSON.stringify(steps));
    const later = steps.slice(first).map(({ length }) => length);
    assert.ok(Math.max(...later) > 700_000, JSON.stringify(steps));
  },
);

test("cluster §3: while another application's NOTIFY waits for the standby to apply it, a node reads on, and leaves no sessions at the engine", async () => {
  await using engines = await EnginePair.start();
  const { primary, standby } = engines;
  await using peer = await LogPeer.start({ url: engines.url, genesis });
  assert.match(await peer.submit(peer.newAddress()), /^done /);
  await primary.sql("CREATE TABLE other (i int)");
  await standby.sql("SELECT pg_wal_replay_pause()");
  await using other = await primary.connect();
  // It has a lock of the whole engine until then. The standby's disk is enough for our commits.
  const waits = other.query(
    "BEGIN; SET LOCAL synchronous_commit = remote_apply; INSERT INTO other VALUES (1); NOTIFY other; COMMIT",
  );
  waits.catch(() => undefined);
  await primary.waitFor(
    "SELECT count(*)::int AS n FROM pg_stat_activity WHERE wait_event = 'SyncRep'",
    ({ n }) => n > 0,
  );
  for (const end = Date.now() + 25_000; Date.now() < end; await delay(500)) {
    assert.match(await peer.submit(peer.newAddress()), /^done /);
  }
  const [locked] = await primary.sql(
    "SELECT count(*)::int AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock'",
  );
  assert.ok((locked?.["n"] as number) <= 1, `${locked?.["n"]} sessions wait`);
  assert.equal(await peer.queue.look(), peer.ledger.stored.height);
  await standby.sql("SELECT pg_wal_replay_resume()");
  await waits.catch(() => undefined);
});

test("cluster §2: a node that meets a block which its rules do not come to stops there, and says so", async () => {
  const more = ["--log", server.url, "--log-schema", "refused"];
  await using node = await ServiceProcess.start({ more });
  const create = async (): Promise<Response> => {
    const body = new URLSearchParams({ publickey: publicPem(newKey()) });
    return await fetch(`${node.url}/address`, { method: "POST", body });
  };
  const created = await create();
  const height = Number(created.headers.get("ledger-height"));
  using stream = await EventStream.open(node.url);
  assert.equal((await stream.next()).event, "height");
  // A block that follows the newest one, with changes that its operations do not have.
  await server.sql(
    `INSERT INTO refused.block (height, id, header, operations)
    SELECT height + 1, repeat('ab', 32), (header::jsonb || jsonb_build_object('sn', height + 1, 'previous', id))::text, operations
    FROM refused.block WHERE height = ${height}`,
  );
  const metrics = async (): Promise<string> => await (await fetch(`${node.url}/metrics`)).text();
  await until(async () => /^moneta_log_refused 1$/m.test(await metrics()), "it refuses the block");
  const refused = await create();
  const { code, detail } = (await refused.json()) as { code: string; detail: string };
  assert.deepEqual([refused.status, code], [503, "9002"]);
  assert.match(detail, /block that its software does not come to/);
  assert.equal((await fetch(`${node.url}/ready?for=writes`)).status, 503);
  for (const path of ["/ready", "/events"]) {
    const problem = (await (await fetch(node.url + path)).json()) as { readonly detail: string };
    assert.match(problem.detail, /^This node has met a block that its software does not come to/);
  }
  assert.equal((await stream.nextButHeights()).event, "dropped");
  assert.equal(await stream.nextOrEnd(), undefined, "the stream ends");
  const block = await fetch(`${node.url}/block`);
  assert.deepEqual([block.status, block.headers.get("ledger-height")], [200, String(height)]);
  // It receives messages about the log all the time, and its responses grow old all the same.
  const age = async (): Promise<number> =>
    Number((await fetch(`${node.url}/block`)).headers.get("ledger-age"));
  await until(async () => (await age()) > 5, "its answers bear their age");
  assert.match(node.output(), /"reason":"block \d+.*follows and writes no further/);
});

const NEXT_HEADER = "(header::jsonb || jsonb_build_object('sn', height + 1, 'previous', id))::text";

const WRONG_ROWS = [
  { what: "whose header is null", header: "'null'", says: "does not have the form of one" },
  { what: "whose header is a list", header: "'[]'", says: "does not have the form of one" },
  { what: "that has the header of the one before it", header: "header", says: "of block 1" },
  {
    what: "behind a gap",
    height: "height + 2",
    header: "(header::jsonb || jsonb_build_object('sn', height + 2))::text",
    says: "does not follow the block before it",
  },
  {
    what: "of the highest number",
    height: "~(1::bigint << 63)",
    header: "header",
    says: "continues",
  },
  {
    what: "whose operations are larger than any node writes",
    header: NEXT_HEADER,
    operations: `repeat('x', ${OPERATIONS_BYTES_MAX + 1})`,
    says: `block 2: the column operations of its row has ${OPERATIONS_BYTES_MAX + 1} bytes, not at most ${OPERATIONS_BYTES_MAX}`,
  },
  {
    what: "whose header is larger than any node writes",
    header: `repeat('x', ${HEADER_BYTES_MAX + 1})`,
    says: `block 2: the column header of its row has ${HEADER_BYTES_MAX + 1} bytes, not at most ${HEADER_BYTES_MAX}`,
  },
  {
    what: "whose id is longer than any",
    id: "repeat('ab', 1000000)",
    header: NEXT_HEADER,
    says: "block 2",
  },
];
for (const [number, row] of someCases(WRONG_ROWS).entries()) {
  const { what, height, id, header, operations, says } = row;
  test(`cluster §2: a row ${what} is refused, by a node that runs and by one that starts`, async () => {
    let longest = 0;
    const around = (engine: Engine): Engine =>
      changedEngine(engine, {
        after(results) {
          const values = results.flatMap(({ rows }) => rows).flatMap((row) => Object.values(row));
          longest = Math.max(longest, ...values.map((value) => value?.length ?? 0));
          return results;
        },
      });
    const at = { url: server.url, genesis, schema: `row_${number}`, around };
    await using peer = await LogPeer.start(at);
    assert.match(await peer.submit(peer.newAddress()), /^done /);
    await server.sql(
      `INSERT INTO ${at.schema}.block (height, id, header, operations)
      SELECT ${height ?? "height + 1"}, ${id ?? "repeat('ab', 32)"}, ${header}, ${operations ?? "operations"} FROM ${at.schema}.block WHERE height = 1`,
    );
    await until(() => peer.report?.refused !== undefined, "it refuses the row");
    assert.match(peer.report?.refused ?? "", new RegExp(says));
    assert.equal(await peer.submit(peer.newAddress()), "9002");
    await assert.rejects(
      LogPeer.start(at),
      ({ name, message }: Error) => name === "InvalidBlock" && message.includes(says),
    );
    assert.ok(longest < HEADER_BYTES_MAX, `a value of ${longest} characters was sent`);
  });
}
