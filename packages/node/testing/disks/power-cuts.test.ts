import { test } from "node:test";
import { SeededRandom } from "../seeded-random.ts";
import { ObservedDisk } from "./observed-disk.ts";
import { replayPowerCuts } from "./power-cuts.ts";

// `npm run test:power` runs for as long as wanted.
test("answered writes survive power cuts, failed syncs and failed writes; refused ones do not return", {
  skip: ObservedDisk.missing() ?? false,
  timeout: 300_000,
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
