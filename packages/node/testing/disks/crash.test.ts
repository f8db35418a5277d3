import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { byLane } from "../../../ledger/testing/lane.ts";
import { Audit } from "../audit.ts";
import { createWallet, fund } from "../clients/wallet.ts";
import { Load } from "../load.ts";
import { SeededRandom } from "../seeded-random.ts";
import { assertKept } from "../sent-transfer.ts";
import { runMoneta, ServiceProcess } from "../service-process.ts";
import { TemporaryDirectory } from "../temporary-directory.ts";

const KILLS = byLane({ quick: 2, ci: 5, long: 50 });
const KILLS_OF_STARTS = byLane({ quick: 1, ci: 3, long: 50 });

test(`${KILLS} kills under load lose no answered transfer, leave none in part, and a retry never pays twice`, async (t) => {
  const random = new SeededRandom();
  t.diagnostic(`TEST_SEED=${random.seed}`);
  using directory = new TemporaryDirectory("crash");
  const data = join(directory.path, "data");
  const load = await startAndPrepare(data, random);
  const audit = new Audit();
  const accepted = (): number =>
    load.sent.filter(({ outcome }) => outcome?.is === "accepted").length;

  for (let kill = 1; kill <= KILLS; kill += 1) {
    await using service = await ServiceProcess.start({ data });
    await assertKept(service.url, load.sent, audit);
    const before = accepted();
    const killed = (async (): Promise<void> => {
      while (accepted() === before) {
        await delay(10);
      }
      await delay(random.integer({ min: 0, max: 600 }));
      await service.kill();
    })();
    await Promise.all([load.run(service.url), killed]);
  }

  {
    await using service = await ServiceProcess.start({ data });
    await assertKept(service.url, load.sent, audit);
    await load.repeatAccepted(service.url);
    await load.settle(service.url);
    await assertKept(service.url, load.sent, audit);
    await audit.assertUnchanged(service.url);
    // Each is there; the audit has checked that none is there twice.
    assert.deepEqual(new Set(audit.transfers.keys()), load.affordableKeys());
    assert.equal(await service.stop(), 0, service.output());
  }

  const verified = await runMoneta("verify", data);
  assert.equal(verified.exitCode, 0, verified.output);
  t.diagnostic(`${load.sent.length} transfers in ${audit.blockCount} blocks`);
  t.diagnostic(`${load.unansweredCount} answers lost in ${KILLS} kills`);
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
    assert.equal(audit.transactionCount, 3, `killed after ${killAfterMs} ms; chain §13 row 1`);
    await fund(service.url, await createWallet(service.url), 1n);
    await audit.readOn(service.url);
    await audit.assertBalances(service.url);
  }
});

/** How long a first start takes on this machine, as busy as it is. */
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

async function startAndPrepare(data: string, random: SeededRandom): Promise<Load> {
  await using service = await ServiceProcess.start({ data });
  return await Load.prepare(service.url, random);
}
