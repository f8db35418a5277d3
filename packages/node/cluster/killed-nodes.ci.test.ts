import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { byLane } from "../../ledger/testing/lane.ts";
import { RecordingClients } from "../testing/answers/recording-clients.ts";
import { ClusterNode } from "../testing/cluster/cluster-node.ts";
import { EnginePair } from "../testing/cluster/engine-pair.ts";
import { SeededRandom } from "../testing/seeded-random.ts";
import { runMoneta } from "../testing/service-process.ts";

const KILLS = byLane({ quick: 2, long: 40 });
/** After so many kills of nodes one of the engine's primary. */
const KILLS_PER_FAILOVER = 2;

test(`cluster §9 rows 4 and 6: ${KILLS} kills of nodes and ${KILLS / KILLS_PER_FAILOVER} of the engine: an order of what was under way explains every answer of every node`, async (t) => {
  const random = new SeededRandom();
  t.diagnostic(`TEST_SEED=${random.seed}`);
  await using engines = await EnginePair.start();
  const start = (name: string): Promise<ClusterNode> =>
    ClusterNode.start(name, { more: ["--log", engines.url] });
  await using a = await start("A");
  await using b = await start("B");
  await using c = await start("C");
  const nodes = [a, b, c];
  const size = { groups: 3, clients: 6, isCluster: true };
  const clients = await RecordingClients.prepare(a.url, random, size);

  let isOver = false;
  const running = clients.run(
    nodes.map(({ url }) => url),
    () => isOver,
  );
  const more = async (count: number): Promise<void> => {
    const goal = clients.doneCount + count;
    const isThere = async (): Promise<void> => {
      while (clients.doneCount < goal && !isOver) {
        await delay(20);
      }
    };
    await Promise.race([isThere(), running]);
  };
  try {
    for (let kill = 1; kill <= KILLS; kill += 1) {
      await more(30);
      await delay(random.integer({ min: 0, max: 300 }));
      const killed = random.pick(nodes);
      await killed.kill();
      await more(15);
      await killed.resume();
      if (kill % KILLS_PER_FAILOVER === 0) {
        await engines.failOver();
        await more(15);
        await engines.attachStandby();
      }
    }
    await more(30);
  } finally {
    isOver = true;
    await running;
  }
  await clients.finish(random.pick(nodes).url);
  clients.assertExplained();
  t.diagnostic(clients.summary());
  for (const node of nodes) {
    await node.stop();
    const { exitCode, output } = await runMoneta("verify", node.data);
    assert.equal(exitCode, 0, `node ${node.name}: ${output}`);
  }
});
