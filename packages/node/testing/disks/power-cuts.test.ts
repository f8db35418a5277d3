import { test } from "node:test";
import { SeededRandom } from "../seeded-random.ts";
import { ObservedDisk } from "./observed-disk.ts";
import { replayFirstStart, replayPowerCuts } from "./power-cuts.ts";

// `npm run test:power` runs for as long as wanted.
test("answered writes survive power cuts, failed syncs and failed writes; refused ones do not return", {
  skip: ObservedDisk.missing() ?? false,
}, async (t) => {
  using disk = new ObservedDisk();
  const random = new SeededRandom();
  t.diagnostic(`MONETA_TEST_SEED=${random.seed}`);
  const { answered, records } = await replayPowerCuts(disk, random, {
    lives: 3,
    transfers: 120,
    cuts: 6,
    onProgress: () => undefined,
  });
  t.diagnostic(`${answered} answered transfers, ${records} operations of the disk`);
});

test("a power cut at any moment of a first start leaves what the next start makes a ledger of", {
  skip: ObservedDisk.missing() ?? false,
}, async (t) => {
  using disk = new ObservedDisk();
  const random = new SeededRandom();
  t.diagnostic(`MONETA_TEST_SEED=${random.seed}`);
  await replayFirstStart(disk, random, 6);
});
