import assert from "node:assert/strict";
import { generateKeyPairSync, sign } from "node:crypto";
import { test } from "node:test";
import { findAddon, loadAddon } from "./addon.ts";
import { type BatchClaim, type Curve, claimBatch, VALUE_BYTES, Verdict } from "./claim-batch.ts";

const addon = findAddon();
const options = { skip: addon === undefined && "the native verifier is not built" };
const verifier = (): ReturnType<typeof loadAddon> => loadAddon(addon as string, 1 << 20);

function signedClaim(curve: Curve): BatchClaim {
  const bytes = VALUE_BYTES[curve];
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: curve });
  const message = Buffer.from(`a message for ${curve}`);
  const raw = sign("sha384", message, { key: privateKey, dsaEncoding: "ieee-p1363" });
  const point = publicKey.export({ format: "der", type: "spki" }).subarray(-(2 * bytes + 1));
  const [r, s] = [raw.subarray(0, bytes), raw.subarray(bytes)];
  return { curve, point, digest: "sha384", message, r, s };
}

const CLAIMS = (Object.keys(VALUE_BYTES) as Curve[]).map(signedClaim);

test("a batch has a verdict for each claim, in their order", options, () => {
  const wrong = CLAIMS.map((claim) => ({ ...claim, message: Buffer.from("another") }));
  const batch = claimBatch([...CLAIMS, ...wrong, ...CLAIMS]);
  const { fits, misfits } = Verdict;
  assert.deepEqual(
    [...verifier().verify(batch)],
    [fits, fits, fits, misfits, misfits, misfits, fits, fits, fits],
  );
  assert.equal(verifier().verify(claimBatch([])).length, 0);
});

test("a point that is not on its curve is no key", options, () => {
  for (const claim of CLAIMS) {
    const point = Uint8Array.from(claim.point);
    point[point.length - 1] = (point.at(-1) as number) ^ 1;
    assert.deepEqual([...verifier().verify(claimBatch([{ ...claim, point }]))], [Verdict.noKey]);
  }
});

test("a batch that ends anywhere within a claim is malformed", options, () => {
  for (const claim of CLAIMS) {
    const batch = claimBatch([claim]);
    const native = verifier();
    for (let length = 1; length < batch.length; length += 1) {
      assert.throws(() => native.verify(batch.subarray(0, length)), /^Error: claim 0: shorter/);
    }
    assert.throws(() => native.verify(claimBatch([claim, claim]).subarray(0, -1)), /claim 1/);
  }
});

test("wrong curves, digests, lengths and forms of points are malformed", options, () => {
  const [claim] = CLAIMS as [BatchClaim];
  for (const [at, value, reason] of [
    [0, 0, /unknown curve/],
    [0, 4, /unknown curve/],
    [0, 3, /shorter than/],
    [1, 0, /unknown curve or digest/],
    [1, 255, /unknown curve or digest/],
    [5, 255, /shorter than its message/],
    [6, 2, /not uncompressed/],
    [6, 0, /not uncompressed/],
  ] as const) {
    const batch = claimBatch([claim]);
    batch[at] = value;
    assert.throws(() => verifier().verify(batch), reason, `${at} ${value}`);
  }
});

test("keys that no longer fit into its memory are parsed again", options, () => {
  const small = loadAddon(addon as string, 0);
  for (let round = 0; round < 3; round += 1) {
    assert.deepEqual([...small.verify(claimBatch(CLAIMS))], [1, 1, 1]);
  }
});
