import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { type Actor, Moneta, SigningKey } from "../../sdk/index.ts";
import { submit, type Transfer } from "../testing/clients/wallet.ts";
import type { ClusterNode } from "../testing/cluster/cluster-node.ts";
import { ClusterStage } from "../testing/cluster/cluster-stage.ts";
import { EngineProxy } from "../testing/postgres/engine-proxy.ts";

// Tests in which nodes are stopped or lose the engine. Source: cluster §9.

/** The defaults. */
const SECONDS = { turn: 5, write: 20, stop: 20 };
const TURN_MS = 1000 * SECONDS.turn;
/** A turn, and what a busy machine adds; without an end of turns it would be the time of a stop. */
const PAUSE_MOST_MS = 3 * TURN_MS;

const HAS_TURN = `pid IN (SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted)`;
const TURN = "'moneta.block'::regclass::oid::bigint";
/** Outside a transaction: waiting nodes would end it by its age while many writes gather. */
const TAKE_TURN = `SELECT pg_advisory_lock(${TURN})`;
const GIVE_TURN = `SELECT pg_advisory_unlock(${TURN})`;

let stage: ClusterStage;
let a: ClusterNode;
let b: ClusterNode;
let c: ClusterNode;
let proxy: EngineProxy;
before(async () => {
  stage = await ClusterStage.start({
    async logOf(index, { url, primary }) {
      if (index !== 0) {
        return url;
      }
      proxy = await EngineProxy.to(primary);
      return primary.urlAt(proxy.host);
    },
    more: ["--turn-seconds", String(SECONDS.turn), "--write-seconds", String(SECONDS.write)],
  });
  [a, b, c] = stage.nodes;
});
after(async () => {
  await stage?.[Symbol.asyncDispose]();
  await proxy?.[Symbol.asyncDispose]();
});

afterEach(async () => {
  // State from a failed row.
  proxy.fate = () => "pass";
  proxy.delayMs = 0;
  proxy.releaseHeld();
  proxy.mend();
  for (const node of stage.nodes) {
    node.goOn();
  }
  await stage.clients.rest();
});

/** Waits until this number of sessions match `condition`. */
async function sessions(condition: string, count = 1): Promise<void> {
  await stage.engines.primary.waitFor(
    `SELECT count(*)::int AS n FROM pg_stat_activity WHERE ${condition}`,
    ({ n }) => n === count,
  );
}

async function waiting(count: number): Promise<void> {
  await sessions("wait_event_type = 'Lock' AND wait_event = 'advisory'", count);
}

async function verified({ url }: ClusterNode): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const values = metrics.matchAll(/^moneta_signature_verifications_total(?:\{.*\})? (\d+)$/gm);
  return [...values].reduce((sum, [, value]) => sum + Number(value), 0);
}

/** Sends transfers to a node that waits for its turn, until all of them wait there. */
async function gathered(
  transfers: readonly Transfer[],
  node: ClusterNode,
): Promise<{ readonly settled: Promise<void> }> {
  const wanted = (await verified(node)) + transfers.length;
  const settled = stage.clients.send(transfers, node);
  while ((await verified(node)) < wanted) {
    await delay(50);
  }
  return { settled };
}

/** Stops A (SIGSTOP); the others continue after its turn at the latest. */
async function standStill(goOn: () => void = () => undefined): Promise<number> {
  const since = performance.now();
  a.standStill();
  stage.clients.begin();
  await stage.clients.doneAt([b, c], 1);
  const pause = performance.now() - since;
  await delay(Math.max(0, 1000 * SECONDS.stop - pause));
  a.goOn();
  goOn();
  await stage.clients.doneAt(stage.nodes, 1);
  return pause;
}

test("cluster §1.4: SIGSTOP of the turn's holder between its messages", async (t) => {
  const large = await stage.clients.large(a, 1);
  await using holder = await stage.engines.primary.connect();
  await holder.query(TAKE_TURN);
  const { settled } = await gathered(large, a);
  await waiting(1);
  // Before it gets the turn, so that it cannot send its second message.
  a.standStill();
  await holder.query(GIVE_TURN);
  const pause = await standStill();
  await settled;
  await stage.check();
  t.diagnostic(`the others paused for ${pause} ms`);
  assert.ok(pause <= PAUSE_MOST_MS, `${pause} ms`);
});

test("cluster §1.4: SIGSTOP of the turn's holder while it sends a block of 300 KB", async (t) => {
  const isHalfSent = Promise.withResolvers<number>();
  let isArmed = true;
  proxy.fate = (sql) => {
    if (isArmed && sql.includes("INSERT INTO") && sql.length > 100_000) {
      isArmed = false;
      isHalfSent.resolve(Buffer.byteLength(sql));
      return "halve";
    }
    return "pass";
  };
  const large = await stage.clients.large(a, 70);
  await using holder = await stage.engines.primary.connect();
  await holder.query(TAKE_TURN);
  const { settled } = await gathered(large, a);
  await waiting(1);
  await holder.query(GIVE_TURN);
  const bytes = await isHalfSent.promise;
  const pause = await standStill(() => proxy.releaseHeld());
  await settled;
  await stage.check();
  t.diagnostic(`the others paused for ${pause} ms, beside a block of ${bytes} bytes`);
  assert.ok(bytes >= 300_000, `${bytes} bytes`);
  assert.ok(pause <= PAUSE_MOST_MS, `${pause} ms`);
});

test("cluster §1.4: SIGSTOP of the turn's holder while it receives 4 MiB", async (t) => {
  const { primary } = stage.engines;
  const atB = await stage.clients.large(b, 750);
  const atA = await stage.clients.large(a, 1);
  await using holder = await primary.connect();
  await holder.query(TAKE_TURN);
  const large = await gathered(atB, b);
  await waiting(1);
  const behind = await gathered(atA, a);
  await waiting(2);
  a.standStill();
  proxy.silence("node");
  await holder.query(GIVE_TURN);
  await primary.waitFor(
    "SELECT max(octet_length(operations)) AS bytes FROM moneta.block",
    ({ bytes }) => bytes >= 4 << 20,
  );
  // A gets the turn after B. The wait of its session is visible only for a short time.
  await waiting(0);
  const pause = await standStill(() => proxy.mend());
  await Promise.all([large.settled, behind.settled]);
  await stage.check();
  const [block] = await primary.sql(
    "SELECT max(octet_length(operations)) AS bytes FROM moneta.block",
  );
  t.diagnostic(`the others paused for ${pause} ms, beside a block of ${block?.["bytes"]} bytes`);
  assert.ok(block?.["bytes"] >= 4 << 20);
  assert.ok(pause <= PAUSE_MOST_MS, `${pause} ms`);
});

const CUTS: Readonly<Record<string, () => void>> = {
  "cut in both directions": () => proxy.cut(),
  "silent in both directions": () => proxy.silence("both"),
  "silent towards the engine": () => proxy.silence("engine"),
  "silent towards the node": () => proxy.silence("node"),
};

for (const [how, cut] of Object.entries(CUTS)) {
  test(`cluster §1.5: the connection between A and P ${how}, resumed`, async (t) => {
    stage.clients.begin();
    await stage.clients.doneAt(stage.nodes, 1);
    const since = performance.now();
    cut();
    let age = 0;
    while (age < 6) {
      const answer = await fetch(`${a.url}/block`);
      assert.equal(answer.status, 200, "reads go on");
      age = Number(answer.headers.get("ledger-age"));
      await delay(100);
    }
    await stage.clients.doneAt([b, c], 5);
    const pause = Math.max(...[b, c].map((node) => stage.clients.longestPause(node, since)));
    proxy.mend();
    await stage.clients.doneAt([a], 3);
    await stage.check();
    const answer = await fetch(`${a.url}/block`);
    assert.equal(answer.headers.get("ledger-age"), null);
    t.diagnostic(`the others paused for ${pause} ms`);
    assert.ok(pause <= PAUSE_MOST_MS, `${pause} ms`);
  });
}

test("cluster §1.5: the connection between A and P slow (1 s), resumed", async () => {
  proxy.delayMs = 500;
  // New connections are slow to make, too.
  proxy.cut();
  proxy.mend();
  assert.equal((await fetch(`${a.url}/block`)).status, 200, "reads go on");
  const since = performance.now();
  stage.clients.begin();
  await stage.clients.doneAt([b, c], 20);
  const pause = Math.max(...[b, c].map((node) => stage.clients.longestPause(node, since)));
  assert.ok(pause <= PAUSE_MOST_MS, `${pause} ms`);
  // During many writes of others, A lags too far to use its turns.
  await stage.clients.rest();
  await stage.atRest();
  const [slow] = await stage.clients.large(a, 1);
  assert.equal((await submit(a.url, slow as Transfer)).is, "accepted", "a slow node writes");
  proxy.delayMs = 0;
  stage.clients.begin();
  await stage.clients.doneAt(stage.nodes, 3);
  await stage.check();
});

/** Pays with the client library, at the nodes of some URLs, until `isOver`; it may not fail. */
async function payWith(actor: Actor, moneta: Moneta, isOver: () => boolean): Promise<number> {
  const to = await moneta.createAddress(await SigningKey.generate());
  for (let paid = 0; ; ) {
    if (isOver()) {
      return paid;
    }
    await actor.transfer({ to: to.address, token: 0, amount: 1n });
    paid += 1;
    const [held] = await moneta.balanceOfToken({ address: to.address, token: 0 });
    assert.equal(held?.balance, BigInt(paid), "it reads its own writes at any node");
  }
}

test("cluster §1: a rolling restart under load: a client of the library with all three URLs sees no failure", async (t) => {
  const urls = stage.nodes.map(({ url }) => url);
  let isOver = false;
  stage.clients.begin();
  const faucet = new Moneta(a.url);
  const paying = await Promise.all(
    urls.map(async (_, index) => {
      const moneta = new Moneta([...urls.slice(index), ...urls.slice(0, index)]);
      const actor = await moneta.createAddress(await SigningKey.generate());
      await faucet.faucet({ address: actor.address, amount: 10_000n });
      return { end: payWith(actor, moneta, () => isOver) };
    }),
  );
  const all = Promise.all(paying.map(({ end }) => end));
  all.catch(() => undefined);
  for (const node of [a, b, c]) {
    await stage.clients.doneAt(stage.nodes, 2);
    await node.stop();
    await node.resume();
  }
  await stage.clients.doneAt(stage.nodes, 2);
  isOver = true;
  const paid = await all;
  await stage.check();
  t.diagnostic(`paid meanwhile: ${paid.join(", ")}`);
});

test("cluster §3: NOTIFY of another application is not held up while COMMIT waits for S", async () => {
  const { primary, standby } = stage.engines;
  await using listener = await primary.connect();
  await using notifier = await primary.connect();
  const heard: string[] = [];
  listener.client.on("notification", ({ payload = "" }) => heard.push(payload));
  await listener.query("LISTEN other");
  const isHeard = async (text: string, withinMs: number): Promise<boolean> => {
    const sent = notifier.query(`NOTIFY other, '${text}'`);
    for (const end = Date.now() + withinMs; Date.now() < end && !heard.includes(text); ) {
      await delay(10);
    }
    const isSoon = heard.includes(text);
    sent.catch(() => undefined);
    return isSoon;
  };
  stage.clients.begin();
  await stage.clients.doneAt(stage.nodes, 1);
  standby.signal("SIGSTOP");
  await sessions(`wait_event = 'SyncRep' AND ${HAS_TURN}`);
  for (let round = 0; round < 5; round += 1) {
    assert.ok(await isHeard(`round ${round}`, 30_000), "it is heard while S is stopped");
    await delay(200);
  }
  // One that notifies in a transaction that waits for S holds up everybody's: so the test can fail.
  await using other = await primary.connect();
  await primary.sql("SET synchronous_commit = off; CREATE TABLE IF NOT EXISTS other (one integer)");
  const waits = other.query("BEGIN; INSERT INTO other VALUES (1); NOTIFY other; COMMIT");
  await sessions("wait_event = 'SyncRep' AND query LIKE '%INTO other%'");
  assert.equal(await isHeard("late", 2000), false);
  standby.signal("SIGCONT");
  await waits;
  await stage.clients.doneAt(stage.nodes, 1);
  await stage.check();
});

test("cluster §9: after all these tests moneta verify finds every node sound", async () => {
  await stage.verify();
});
