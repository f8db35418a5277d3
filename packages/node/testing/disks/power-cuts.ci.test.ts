import { test } from "node:test";
import { byLane } from "../../../ledger/testing/lane.ts";
import { SeededRandom } from "../seeded-random.ts";
import { ObservedDisk } from "./observed-disk.ts";
import { replayFirstStart, replayPowerCuts } from "./power-cuts.ts";

const HISTORIES = byLane({ quick: 1, long: 20 });
/** Starts of the node in a history, transfers in each, and moments at which the power is cut. */
const HISTORY = byLane({
  quick: { lives: 2, transfers: 80, cuts: 3 },
  long: { lives: 4, transfers: 500, cuts: 40 },
});
const skip = ObservedDisk.missing() ?? false;

const { seed } = new SeededRandom();
for (let history = 1; history <= HISTORIES; history += 1) {
  test(`answered writes survive power cuts, failed syncs and failed writes; refused ones do not return: history ${history}`, {
    skip,
  }, async (t) => {
    using disk = new ObservedDisk();
    const random = new SeededRandom((seed + history - 1) % 2 ** 32);
    t.diagnostic(`TEST_SEED=${random.seed}`);
    await replayPowerCuts(disk, random, HISTORY);
  });
}

test("a power cut at any moment of a first start leaves what the next start makes a ledger of", {
  skip,
}, async (t) => {
  using disk = new ObservedDisk();
  const random = new SeededRandom(seed);
  t.diagnostic(`TEST_SEED=${random.seed}`);
  await replayFirstStart(disk, random, HISTORY.cuts);
});
