import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { byLane, someCases } from "../../ledger/testing/lane.ts";
import { SeededRandom } from "../testing/seeded-random.ts";
import { BaseLedger } from "./base-ledger.ts";
import { edited, editsOf, PLANTED_FAULTS } from "./planted-faults.ts";
import { simulate } from "./run.ts";

const IS_REPEATED = process.env["TEST_SEED"] !== undefined;
/** A repeated seed runs alone and prints its trace. */
const SEEDS = IS_REPEATED ? 1 : byLane({ quick: 30, long: 10_000 });

let base: BaseLedger;
before(async () => {
  base = await BaseLedger.make();
});
after(() => base[Symbol.dispose]());

test("cluster §10: two runs of one seed have the same trace, byte for byte", async () => {
  const [one, other] = [await simulate(3, base), await simulate(3, base)];
  assert.deepEqual(one, other);
  assert.notEqual((await simulate(4, base)).digest, one.digest);
});

const { seed: first } = new SeededRandom();
for (let seed = first; seed < first + SEEDS; seed += 1) {
  test(`cluster §10: the promises of a cluster are kept, seed ${seed}`, async (t) => {
    t.diagnostic(`TEST_SEED=${seed}`);
    const { broken } = await simulate(seed, base, IS_REPEATED ? console.log : undefined);
    assert.deepEqual(broken, []);
  });
}

test("each planted fault changes the sources", () => {
  for (const edit of PLANTED_FAULTS.flatMap(editsOf)) {
    const source = readFileSync(new URL(`../../${edit.file}`, import.meta.url), "utf8");
    assert.notEqual(edited(source, edit), source);
  }
});

for (const fault of someCases(PLANTED_FAULTS, 3)) {
  test(`cluster §10: a run finds the planted fault "${fault.name}"`, async () => {
    const program = fileURLToPath(new URL("planted-run.ts", import.meta.url));
    const child = spawn(process.execPath, [program, fault.name, String(fault.seed)], {
      stdio: "ignore",
    });
    const [code] = (await once(child, "exit")) as [number | null];
    assert.equal(code, 0, "a promise is broken");
    const { broken } = await simulate(fault.seed, base);
    assert.deepEqual(broken, [], "without the fault nothing is found");
  });
}
