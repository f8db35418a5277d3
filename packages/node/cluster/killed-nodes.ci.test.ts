import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { byLane, IS_LAST_LANE, longTest } from "../../ledger/testing/lane.ts";
import { rowOfCrash, rowOfKills } from "../testing/cluster/cluster-rows.ts";
import { ClusterStage } from "../testing/cluster/cluster-stage.ts";

// Tests in which nodes are killed, or the engine, whose standby takes its place. Source: cluster §9.

const ROUNDS = byLane({ quick: 1, long: 6 });
const KILLS = byLane({ quick: 1, long: 2 });
/** Two of `--turn-seconds`, ms: one, and what a busy machine adds. */
const PAUSE_MOST_MS = 10_000;

let stage: ClusterStage;
before(async () => {
  stage = await ClusterStage.start();
});
after(() => stage?.[Symbol.asyncDispose]());

test(`cluster §1.4, §1.5: ${ROUNDS} times ${KILLS} kills of nodes and one of P, S promoted: an order of what was under way explains every answer of every node`, async (t) => {
  t.diagnostic(`TEST_SEED=${stage.random.seed}`);
  for (let round = 0; round < ROUNDS; round += 1) {
    const pause = await rowOfKills(stage, KILLS);
    t.diagnostic(`longest pause of the others: ${pause} ms`);
    assert.ok(pause <= PAUSE_MOST_MS || !IS_LAST_LANE, `${pause} ms`);
    const pids = stage.nodes.map(({ pid }) => pid);
    const since = performance.now();
    stage.clients.begin();
    await stage.engines.failOver();
    await stage.clients.doneAt(stage.nodes, 3);
    const pauses = stage.nodes.map((node) => stage.clients.longestPause(node, since));
    t.diagnostic(`longest pause at a fail-over: ${Math.max(...pauses)} ms`);
    await stage.engines.attachStandby();
    await stage.clients.doneAt(stage.nodes, 3);
    await stage.check();
    assert.deepEqual(
      stage.nodes.map(({ pid }) => pid),
      pids,
      "no node is restarted",
    );
  }
  t.diagnostic(`not answered at once: ${JSON.stringify([...stage.clients.laterAnswers])}`);
  await stage.verify();
});

longTest(
  "cluster §3: a crash of P while S is away, then S back, in time or too late to get what P had, then P killed and S promoted",
  async () => {
    for (const isLate of [false, true]) {
      await rowOfCrash(stage, { isLate });
      await stage.check();
    }
    await stage.verify();
  },
);

longTest("cluster §3: a node without the barrier is found", async (t) => {
  const planting = new URL("../simulator/plant-at-start.ts?fault=no%20barrier", import.meta.url);
  await using faulty = await ClusterStage.start({
    environment: { NODE_OPTIONS: `--import=${planting}` },
  });
  const broken = await rowOfCrash(faulty, { isLate: true, isFaulty: true })
    .then(() => faulty.check())
    .then(
      () => "nothing is lost",
      (thrown: unknown) => String(thrown),
    );
  t.diagnostic(broken.slice(0, 300));
  assert.notEqual(broken, "nothing is lost");
});
