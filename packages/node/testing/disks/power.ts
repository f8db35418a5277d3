import { parseArgs } from "node:util";
import { SeededRandom } from "../seeded-random.ts";
import { ObservedDisk } from "./observed-disk.ts";
import { replayPowerCuts } from "./power-cuts.ts";

const HELP = `npm run test:power -- [--minutes N] [--lives N] [--transfers N] [--cuts N] [--seed N]

Runs nodes whose disk fails or whose power is cut, until the time is over, and checks what is left of them.
  --minutes    how long [10]
  --lives      starts of the node in a history, each until it is stopped, killed, or a sync or write fails [4]
  --transfers  sent in each life, at most [500]
  --cuts       moments of each history at which the power is cut [40]
  --seed       of the first history; a failure prints its own`;

/** Power cuts for as long as wanted. `npm test` has a short history. */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      minutes: { type: "string", default: "10" },
      lives: { type: "string", default: "4" },
      transfers: { type: "string", default: "500" },
      cuts: { type: "string", default: "40" },
      seed: { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  const missing = ObservedDisk.missing();
  if (missing !== undefined) {
    console.error(`SKIPPED: power cuts (${missing})`);
    return 2;
  }
  using disk = new ObservedDisk();
  const until = Date.now() + Number(values.minutes) * 60_000;
  let seed = values.seed === undefined ? undefined : Number(values.seed);
  let cuts = 0;
  for (let history = 1; history === 1 || Date.now() < until; history += 1) {
    const random = new SeededRandom(seed);
    seed = undefined;
    console.log(`history ${history}, --seed ${random.seed}`);
    try {
      const { answered, records } = await replayPowerCuts(disk, random, {
        lives: Number(values.lives),
        transfers: Number(values.transfers),
        cuts: Number(values.cuts),
        onProgress: (what) => process.stderr.write(`  ${what}\n`),
      });
      cuts += Number(values.cuts);
      console.log(`  sound: ${answered} answered transfers, ${records} operations of the disk`);
    } catch (thrown) {
      console.error(thrown);
      console.error(`FAILED: npm run test:power -- --seed ${random.seed}`);
      return 1;
    }
  }
  console.log(`${cuts} power cuts, nothing lost`);
  return 0;
}

process.exitCode = await main();
