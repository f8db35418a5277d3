import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { byLane, someCases } from "../../ledger/testing/lane.ts";
import { ended } from "../testing/exit-cleanup.ts";
import { SeededRandom } from "../testing/seeded-random.ts";
import { BaseLedger } from "./base-ledger.ts";
import { edited, editsOf, PLANTED_FAULTS } from "./planted-faults.ts";
import { simulate } from "./run.ts";

const IS_REPEATED = process.env["TEST_SEED"] !== undefined;
const { seed: first } = new SeededRandom();
/** Each finds some planted fault; in the last lane as many others. A repeated seed prints its trace. */
const SEEDS = IS_REPEATED
  ? [first]
  : byLane({
      quick: [...new Set(PLANTED_FAULTS.map(({ seed }) => seed))],
      long: Array.from({ length: 500 }, (_, index) => first + index),
    });

let base: BaseLedger;
before(async () => {
  base = await BaseLedger.make();
});
after(() => base[Symbol.dispose]());

/** Of the first run. */
let digest: string | undefined;
for (const seed of SEEDS) {
  test(`cluster §9: the promises of a cluster are kept, seed ${seed}`, async (t) => {
    t.diagnostic(`TEST_SEED=${seed}`);
    const run = await simulate(seed, base, IS_REPEATED ? console.log : undefined);
    assert.deepEqual(run.broken, []);
    if (digest === undefined) {
      digest = run.digest;
      assert.deepEqual(await simulate(seed, base), run, "two runs have one trace, byte for byte");
    } else {
      assert.notEqual(run.digest, digest, "another seed has another trace");
    }
  });
}

test("each planted fault changes the sources", () => {
  for (const edit of PLANTED_FAULTS.flatMap(editsOf)) {
    const source = readFileSync(new URL(`../../${edit.file}`, import.meta.url), "utf8");
    assert.notEqual(edited(source, edit), source);
  }
});

for (const fault of someCases(PLANTED_FAULTS)) {
  test(`cluster §9: a run finds the planted fault "${fault.name}"`, async () => {
    const program = fileURLToPath(new URL("planted-run.ts", import.meta.url));
    const child = spawn(process.execPath, [program, fault.name, String(fault.seed)], {
      stdio: "ignore",
    });
    assert.deepEqual(await ended(child), [0, null], "a promise is broken");
  });
}
