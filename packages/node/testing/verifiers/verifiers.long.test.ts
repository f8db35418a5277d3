import { test } from "node:test";
import { findAddon } from "@moneta/native-verifier";
import { SeededRandom } from "../seeded-random.ts";
import { VerifierComparison } from "./verifier-comparison.ts";

const addon = findAddon();
const skip = addon === undefined && "the native verifier is not built";
/** In each test, whose seed repeats it. */
const CLAIMS = 10_000;
const TESTS = 100;

const { seed } = new SeededRandom();
for (let index = 1; index <= TESTS; index += 1) {
  test(`both verifiers agree about ${CLAIMS} claims on the edges of ECDSA: ${index} of ${TESTS}`, {
    skip,
  }, (t) => {
    const random = new SeededRandom((seed + index - 1) % 2 ** 32);
    t.diagnostic(`TEST_SEED=${random.seed}`);
    VerifierComparison.open(addon as string).compareEdges(CLAIMS, random);
  });
}

/** A folder with the vectors of Wycheproof (testvectors_v1), which are not part of this project. */
const folder = process.env["WYCHEPROOF"];
if (folder !== undefined) {
  test("both verifiers agree with the vectors of Wycheproof", { skip }, () => {
    VerifierComparison.open(addon as string).compareWycheproof(folder);
  });
}
