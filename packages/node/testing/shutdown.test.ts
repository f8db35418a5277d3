import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { Audit } from "./audit.ts";
import { Load } from "./load.ts";
import { SeededRandom } from "./seeded-random.ts";
import { assertKept } from "./sent-transfer.ts";
import { ServiceProcess } from "./service-process.ts";
import { TemporaryDirectory } from "./temporary-directory.ts";

/** Far less than the seconds that the service would wait for requests. */
const ENDS_WITHIN_MS = 60_000;

test("asked to stop under load, it finishes what it has accepted and does not wait for connections that have nothing to do", {
  timeout: 600_000,
}, async (t) => {
  const random = new SeededRandom();
  t.diagnostic(`MONETA_TEST_SEED=${random.seed}`);
  using directory = new TemporaryDirectory("shutdown");
  const data = join(directory.path, "data");
  let load: Load;
  {
    await using service = await ServiceProcess.start({ data, more: ["--shutdown-seconds", "600"] });
    load = await Load.prepare(service.url, random);
    const stopped = delay(500).then(async () => {
      const asked = performance.now();
      assert.equal(await service.stop(), 0, service.output());
      return performance.now() - asked;
    });
    const [tookMs] = await Promise.all([stopped, load.run(service.url)]);
    assert.ok(tookMs < ENDS_WITHIN_MS, `it took ${Math.round(tookMs)} ms`);
  }
  await using service = await ServiceProcess.start({ data });
  const audit = new Audit();
  await assertKept(service.url, load.sent, audit);
  await load.settle(service.url);
  await assertKept(service.url, load.sent, audit);
  assert.deepEqual(new Set(audit.transfers.keys()), load.affordableKeys());
});
