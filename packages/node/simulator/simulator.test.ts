import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { BaseLedger } from "./base-ledger.ts";
import { edited, editsOf, PLANTED_FAULTS } from "./planted-faults.ts";
import { simulate } from "./run.ts";

/** For how long seeds are tried that nobody has tried before. */
const SECONDS = process.env["CI"] === undefined ? 5 : 20;

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

test("cluster §10: the promises of a cluster are kept", async (context) => {
  const until = performance.now() + SECONDS * 1000;
  let runs = 0;
  for (let seed = Math.floor(Math.random() * 2 ** 31); performance.now() < until; seed += 1) {
    const { broken } = await simulate(seed, base);
    assert.deepEqual(broken, [], `npm run simulate -- --seed ${seed}`);
    runs += 1;
  }
  context.diagnostic(`${runs} seeds`);
});

for (const fault of PLANTED_FAULTS) {
  test(`cluster §10: a run finds the planted fault "${fault.name}"`, async () => {
    for (const edit of editsOf(fault)) {
      const source = readFileSync(new URL(`../../${edit.file}`, import.meta.url), "utf8");
      assert.notEqual(edited(source, edit), source);
    }
    assert.equal(
      await codeOf("--planted", fault.name, "--from", `${fault.seed}`, "--seeds", "1"),
      0,
    );
    const { broken } = await simulate(fault.seed, base);
    assert.deepEqual(broken, [], "without the fault nothing is found");
  });
}

async function codeOf(...args: readonly string[]): Promise<number | null> {
  const main = fileURLToPath(new URL("main.ts", import.meta.url));
  const child = spawn(process.execPath, [main, ...args], { stdio: "ignore" });
  const [code] = (await once(child, "exit")) as [number | null];
  return code;
}
