import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { byLane } from "../../../ledger/testing/lane.ts";
import { RecordingClients } from "../answers/recording-clients.ts";
import { outputOf } from "../command-in-process.ts";
import { SeededRandom } from "../seeded-random.ts";
import { ServiceProcess } from "../service-process.ts";
import { TemporaryDirectory } from "../temporary-directory.ts";

const KILLS = byLane({ quick: 1, long: 50 });
/** Each is explained by itself. */
const GROUPS = byLane({ quick: 2, long: 4 });
const DONE_BEFORE_END_MAX = 200;
/** Far less than the seconds that the service would wait for requests at a shutdown. */
const STOPS_WITHIN_MS = 60_000;

test(`${KILLS} kills under load, and a shutdown, which does not wait for idle connections: an order of what was under way explains every answer, before and after`, async (t) => {
  const random = new SeededRandom();
  t.diagnostic(`TEST_SEED=${random.seed}`);
  using directory = new TemporaryDirectory("crash");
  const data = join(directory.path, "data");
  const more = ["--shutdown-seconds", "600"];
  let clients: RecordingClients | undefined;
  for (let life = 1; life <= KILLS + 1; life += 1) {
    await using service = await ServiceProcess.start({ data, more });
    const size = { groups: GROUPS, clients: 8 };
    clients ??= await RecordingClients.prepare(service.url, random, size);
    const running = clients.run([service.url]);
    const goal = clients.doneCount + random.integer({ min: 1, max: DONE_BEFORE_END_MAX });
    while (clients.doneCount < goal) {
      await delay(10);
    }
    await delay(random.integer({ min: 0, max: 600 }));
    if (life <= KILLS) {
      await service.kill();
    } else {
      const asked = performance.now();
      assert.equal(await service.stop(), 0, service.output());
      const tookMs = performance.now() - asked;
      assert.ok(tookMs < STOPS_WITHIN_MS, `it took ${Math.round(tookMs)} ms`);
    }
    await running;
  }
  assert.ok(clients !== undefined);
  {
    await using service = await ServiceProcess.start({ data });
    await clients.finish(service.url);
    assert.equal(await service.stop(), 0, service.output());
  }
  clients.assertExplained();
  await outputOf(["verify", data]);
  t.diagnostic(clients.summary());
});
