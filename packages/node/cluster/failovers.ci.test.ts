import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { byLane, longTest } from "../../ledger/testing/lane.ts";
import { rowOfCrash } from "../testing/cluster/cluster-rows.ts";
import { ClusterStage } from "../testing/cluster/cluster-stage.ts";

// Rows in which the engine ends, and its standby takes its place. Source: cluster §9.

const FAILOVERS = byLane({ quick: 1, long: 10 });

let stage: ClusterStage;
before(async () => {
  stage = await ClusterStage.start();
});
after(() => stage?.[Symbol.asyncDispose]());

longTest(
  `cluster §9 row 6: SIGKILL of P, S promoted, ${FAILOVERS} times: nothing answered is lost, no node is restarted`,
  async (t) => {
    t.diagnostic(`TEST_SEED=${stage.random.seed}`);
    const pids = stage.nodes.map(({ pid }) => pid);
    stage.clients.begin();
    let longest = 0;
    for (let failover = 1; failover <= FAILOVERS; failover += 1) {
      await stage.clients.doneAt(stage.nodes, 3);
      const since = Date.now();
      await stage.engines.failOver();
      await stage.clients.doneAt(stage.nodes, 3);
      const pauses = stage.nodes.map((node) => stage.clients.longestPause(node, since));
      longest = Math.max(longest, ...pauses);
      await stage.engines.attachStandby();
    }
    await stage.clients.doneAt(stage.nodes, 3);
    await stage.check();
    assert.deepEqual(
      stage.nodes.map(({ pid }) => pid),
      pids,
    );
    t.diagnostic(`longest pause: ${longest} ms; ${stage.clients.accepted} transfers`);
    t.diagnostic(`not answered at once: ${JSON.stringify([...stage.clients.refusals])}`);
  },
);

test("cluster §9 row 7: a crash of P while S is away, then S back, then P killed and S promoted", async () => {
  await rowOfCrash(stage, { isLate: false });
  await stage.check();
});

longTest(
  "cluster §9 row 7: the same with an S that is back too late to get what P had",
  async () => {
    await rowOfCrash(stage, { isLate: true });
    await stage.check();
  },
);

test("cluster §9: after these rows moneta verify finds every node sound", async () => {
  await stage.verify();
});

longTest("cluster §9 row 7 finds that there is no barrier", async (t) => {
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
  assert.match(broken, /9006|answered 200, then lost/);
});
