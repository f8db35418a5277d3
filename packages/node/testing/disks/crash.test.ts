import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { byLane } from "../../../ledger/testing/lane.ts";
import { RecordingClients } from "../answers/recording-clients.ts";
import { Audit } from "../audit.ts";
import { createWallet, fund } from "../clients/wallet.ts";
import { SeededRandom } from "../seeded-random.ts";
import { runMoneta, ServiceProcess } from "../service-process.ts";
import { TemporaryDirectory } from "../temporary-directory.ts";

const KILLS = byLane({ quick: 1, long: 50 });
const DONE_BEFORE_KILL_MAX = 200;
const KILLS_OF_STARTS = byLane({ quick: 1, long: 50 });

test(`${KILLS} kills under load: an order of what was under way explains every answer, before and after`, async (t) => {
  const random = new SeededRandom();
  t.diagnostic(`TEST_SEED=${random.seed}`);
  using directory = new TemporaryDirectory("crash");
  const data = join(directory.path, "data");
  const clients = await startAndPrepare(data, random);

  for (let kill = 1; kill <= KILLS; kill += 1) {
    await using service = await ServiceProcess.start({ data });
    const goal = clients.doneCount + random.integer({ min: 1, max: DONE_BEFORE_KILL_MAX });
    const killed = (async (): Promise<void> => {
      while (clients.doneCount < goal) {
        await delay(10);
      }
      await delay(random.integer({ min: 0, max: 600 }));
      await service.kill();
    })();
    await Promise.all([clients.run([service.url]), killed]);
  }

  {
    await using service = await ServiceProcess.start({ data });
    await clients.finish(service.url);
    assert.equal(await service.stop(), 0, service.output());
  }
  clients.assertExplained();
  const verified = await runMoneta("verify", data);
  assert.equal(verified.exitCode, 0, verified.output);
  t.diagnostic(clients.summary());
});

test("a node killed at any moment of its first start starts the next time, with block 0 complete", async (t) => {
  const random = new SeededRandom();
  t.diagnostic(`TEST_SEED=${random.seed}`);
  const startMs = await firstStartMs();
  for (let kill = 1; kill <= KILLS_OF_STARTS; kill += 1) {
    using directory = new TemporaryDirectory("first-start");
    const data = join(directory.path, "data");
    const killAfterMs = Math.ceil((startMs * random.integer({ min: 10, max: 110 })) / 100);
    await killDuringStart(data, killAfterMs);

    await using service = await ServiceProcess.start({ data });
    const audit = new Audit();
    await audit.readOn(service.url);
    assert.equal(audit.transactionCount, 3, `killed after ${killAfterMs} ms; chain §8`);
    await fund(service.url, await createWallet(service.url), 1n);
    await audit.readOn(service.url);
    await audit.assertBalances(service.url);
  }
});

/** The duration of a first start on this machine under its current load. */
async function firstStartMs(): Promise<number> {
  using directory = new TemporaryDirectory("first-start");
  const began = performance.now();
  await using _service = await ServiceProcess.start({ data: join(directory.path, "data") });
  return performance.now() - began;
}

async function killDuringStart(data: string, killAfterMs: number): Promise<void> {
  try {
    const service = await ServiceProcess.start({ data, readyWithinMs: killAfterMs });
    await service.kill();
  } catch (error) {
    assert.match(String(error), /did not answer within/); // and so was killed
  }
}

async function startAndPrepare(data: string, random: SeededRandom): Promise<RecordingClients> {
  await using service = await ServiceProcess.start({ data });
  return await RecordingClients.prepare(service.url, random, { groups: 4, clients: 8 });
}
