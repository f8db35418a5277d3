import { parseArgs } from "node:util";
import { findAddon } from "@moneta/native-verifier";
import { SeededRandom } from "../seeded-random.ts";
import { hasVectors, VerifierComparison } from "./verifier-comparison.ts";

const HELP = `npm run test:verifiers -- [--claims N] [--seed N] [--wycheproof FOLDER]

Verifies claims on the edges of ECDSA by the native verifier and by the platform, and stops at the first difference.
  --claims      how many [1000000]
  --seed        of the first ones; a failure prints its own
  --wycheproof  a folder with the vectors of Wycheproof (testvectors_v1), which are compared first`;

/** Claims in one stretch, which its seed repeats. */
const STRETCH = 10_000;

/** Compares the verifiers for as many claims as wanted. `npm test` has some hundreds. */
function main(): number {
  let values: ReturnType<typeof options>;
  try {
    values = options();
  } catch (thrown) {
    console.error(`test:verifiers: ${(thrown as Error).message}\n\n${HELP}`);
    return 2;
  }
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  const addon = findAddon();
  if (addon === undefined) {
    console.error("SKIPPED: comparison of verifiers (npm run build:native)");
    return 2;
  }
  const comparison = VerifierComparison.open(addon);
  const { result } = comparison;
  if (values.wycheproof !== undefined) {
    comparison.compareWycheproof(values.wycheproof);
    console.log(`Wycheproof: ${result.claims} vectors, ${result.fitting} fit, no difference`);
  }
  let seed = values.seed === undefined ? undefined : Number(values.seed);
  const until = result.claims + Number(values.claims);
  while (result.claims < until) {
    const random = new SeededRandom(seed);
    seed = (random.seed + 1) >>> 0;
    try {
      comparison.compareEdges(Math.min(STRETCH, until - result.claims), random);
    } catch (thrown) {
      console.error(`FAILED with --seed ${random.seed}:`, thrown);
      return 1;
    }
    console.log(`${result.claims} claims, ${result.fitting} fit, no difference`);
  }
  return 0;
}

/** Throws for what would compare nothing, and so find no difference. */
function options() {
  const { values } = parseArgs({
    options: {
      claims: { type: "string", default: "1000000" },
      seed: { type: "string" },
      wycheproof: { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
  const { claims, seed, wycheproof } = values;
  if (!/^[1-9][0-9]{0,11}$/.test(claims)) {
    throw new Error(`--claims is "${claims}" but must be a number from 1 on`);
  }
  if (seed !== undefined && !(/^[0-9]{1,10}$/.test(seed) && Number(seed) < 2 ** 32)) {
    throw new Error(`--seed is "${seed}" but must be an integer from 0 to ${2 ** 32 - 1}`);
  }
  if (wycheproof !== undefined && !hasVectors(wycheproof)) {
    throw new Error(`--wycheproof ${wycheproof} is no folder with vectors of our curves`);
  }
  return values;
}

process.exitCode = main();
