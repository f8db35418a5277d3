import assert from "node:assert/strict";
import { generateKeyPairSync, sign } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
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

test(
  "a batch that ends anywhere within a claim has verdicts on those before it, and none that fits",
  options,
  () => {
    for (const claim of CLAIMS) {
      const native = verifier();
      const two = claimBatch([claim, claim]);
      for (let length = 1; length < two.length; length += 1) {
        const whole = length < two.length / 2 ? [] : [Verdict.fits];
        const cut = length === two.length / 2 ? [] : [Verdict.noKey];
        assert.deepEqual([...native.verify(two.subarray(0, length))], [...whole, ...cut]);
      }
    }
  },
);

const EMPTY = new Uint8Array(0);
const HUGE = new Uint8Array(5 << 20);

/** Parts of claims that are not what they should be, and the verdict on a claim with one of them. */
const MALFORMED: readonly (readonly [Partial<BatchClaim>, number])[] = [
  ...["", "P-224", "p-256", "P-256\0", "P-२५६", "constructor"].map(
    (curve) => [{ curve: curve as Curve }, Verdict.noKey] as const,
  ),
  ...[EMPTY, HUGE, new Uint8Array(65), new Uint8Array(65).fill(4), new Uint8Array(97).fill(4)].map(
    (point) => [{ point }, Verdict.noKey] as const,
  ),
  ...["", "md5", "sha256\0", "toString"].map(
    (digest) => [{ digest: digest as BatchClaim["digest"] }, Verdict.misfits] as const,
  ),
  ...[EMPTY, HUGE, new Uint8Array(1), new Uint8Array(31), new Uint8Array(32)].flatMap((value) => [
    [{ r: value }, Verdict.misfits] as const,
    [{ s: value }, Verdict.misfits] as const,
    [{ r: value, s: value }, Verdict.misfits] as const,
  ]),
  [{ r: new Uint8Array(32).fill(255) }, Verdict.misfits],
  ...[EMPTY, HUGE, Buffer.from("\0"), Buffer.from("한글")].map(
    (message) => [{ message }, Verdict.misfits] as const,
  ),
];

test("a malformed claim has a verdict and leaves the verdicts on others alone", options, () => {
  const [good] = CLAIMS as [BatchClaim];
  const claims = MALFORMED.flatMap(([parts]) => [good, { ...good, ...parts }]);
  const verdicts = MALFORMED.flatMap(([, verdict]) => [Verdict.fits, verdict]);
  assert.deepEqual([...verifier().verify(claimBatch(claims))], verdicts);
});

test("any bytes have verdicts, of which only a signature fits", options, () => {
  const native = verifier();
  const batch = claimBatch(CLAIMS);
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array({ maxLength: 300 }),
        fc
          .array(fc.tuple(fc.nat({ max: batch.length - 1 }), fc.nat({ max: 255 })), {
            minLength: 1,
          })
          .map((changes) => changes.reduce((all, [at, byte]) => all.with(at, byte), batch)),
      ),
      (bytes) => {
        const verdicts = [...native.verify(bytes)];
        const isSame = Buffer.compare(bytes, batch) === 0;
        assert.ok(isSame || verdicts.filter((one) => one === Verdict.fits).length < CLAIMS.length);
      },
    ),
  );
});

test("keys that no longer fit into its memory are parsed again", options, () => {
  const small = loadAddon(addon as string, 0);
  for (let round = 0; round < 3; round += 1) {
    assert.deepEqual([...small.verify(claimBatch(CLAIMS))], [1, 1, 1]);
  }
});
