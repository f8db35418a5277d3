import { parseArgs } from "node:util";
import { plant } from "./planted-faults.ts";

const USAGE = `npm run simulate -- [options]

Runs the nodes of a cluster in virtual time, over a simulated engine, and checks the promises.

  --seeds N      so many runs, from seed 1 on [100]
  --from N       from this seed on [1]
  --seed N       this run alone, with its trace
  --minutes N    as many runs as there is time for
  --planted NAME with a fault in the product: ends with 0 once a run has found it`;

const { values } = wellUsed(() =>
  parseArgs({
    options: {
      seeds: { type: "string" },
      from: { type: "string" },
      seed: { type: "string" },
      minutes: { type: "string" },
      planted: { type: "string" },
      help: { type: "boolean" },
    },
  }),
);

if (values.help === true) {
  console.log(USAGE);
  process.exit(0);
}
for (const name of ["seeds", "from", "seed", "minutes"] as const) {
  const text = values[name];
  if (text !== undefined && !(Number(text) > 0)) {
    wellUsed(() => {
      throw new Error(`--${name} must be a number above 0, not "${text}"`);
    });
  }
}
const { planted } = values;
if (planted !== undefined) {
  wellUsed(() => plant(planted));
}
// After the fault has been planted.
const { BaseLedger } = await import("./base-ledger.ts");
const { simulate } = await import("./run.ts");

using base = await BaseLedger.make();
if (values.seed !== undefined) {
  const { broken, digest, operations, blocks } = await simulate(Number(values.seed), base, (line) =>
    console.log(line),
  );
  console.log(`${operations} operations in ${blocks} blocks, trace ${digest.slice(0, 16)}`);
  say(Number(values.seed), broken);
  process.exitCode = broken.length > 0 ? 1 : 0;
} else {
  process.exitCode = await runMany();
}

/** What `read` returns; ends with 2 and the usage if it throws. */
function wellUsed<T>(read: () => T): T {
  try {
    return read();
  } catch (thrown) {
    console.error(`simulate: ${(thrown as Error).message}\n\n${USAGE}`);
    process.exit(2);
  }
}

async function runMany(): Promise<number> {
  const from = Number(values.from ?? 1);
  const untilMs =
    values.minutes === undefined
      ? Number.POSITIVE_INFINITY
      : performance.now() + Number(values.minutes) * 60_000;
  const count =
    values.minutes === undefined ? Number(values.seeds ?? 100) : Number.POSITIVE_INFINITY;
  const began = performance.now();
  let runs = 0;
  let operations = 0;
  let failed = 0;
  for (let seed = from; seed < from + count && performance.now() < untilMs; seed += 1) {
    const run = await simulate(seed, base);
    runs += 1;
    operations += run.operations;
    if (run.broken.length > 0) {
      failed += 1;
      say(seed, run.broken);
      if (values.planted !== undefined) {
        console.log(`found with seed ${seed}, after ${runs} runs`);
        return 0;
      }
    }
    if (runs % 100 === 0) {
      console.error(`${runs} runs`);
    }
  }
  const seconds = (performance.now() - began) / 1000;
  console.log(
    `${runs} runs, ${operations} operations, ${failed} with broken promises; ${Math.round((runs / seconds) * 3600)} runs an hour`,
  );
  return values.planted !== undefined || failed > 0 ? 1 : 0;
}

function say(seed: number, broken: readonly string[]): void {
  for (const line of broken) {
    console.log(`seed ${seed}: ${line}`);
  }
}
