import { generateKeyPairSync, sign } from "node:crypto";
import { parentPort, workerData } from "node:worker_threads";
import { claimBatch, loadAddon, VALUE_BYTES, Verdict } from "@moneta/native-verifier";
import { CURVES } from "./curves.ts";
import type { NativeVerified, NativeVerifyData } from "./native-verify-rate.ts";

// Verifies batches as large as a signature thread's, until the time is over.
const { addon, curve, text, keys, seconds, warmUpSeconds } = workerData as NativeVerifyData;
const TOGETHER = 16;
const KEY_BYTES_MAX = 8 << 20;

const { namedCurve, digest, title } = CURVES[curve];
const bytes = VALUE_BYTES[title];
const message = Buffer.from(text);
const claims = Array.from({ length: keys }, () => {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve });
  const raw = sign(digest, message, { key: privateKey, dsaEncoding: "ieee-p1363" });
  const point = publicKey.export({ format: "der", type: "spki" }).subarray(-(2 * bytes + 1));
  return {
    curve: title,
    digest,
    message,
    point,
    r: raw.subarray(0, bytes),
    s: raw.subarray(bytes),
  };
});
const verifier = loadAddon(addon, KEY_BYTES_MAX);
verifyFor(warmUpSeconds);
parentPort?.postMessage(verifyFor(seconds));

function verifyFor(forSeconds: number): NativeVerified {
  const start = performance.now();
  let verified = 0;
  let ms = 0;
  while (ms < forSeconds * 1000) {
    const first = verified % keys;
    const verdicts = verifier.verify(claimBatch(claims.slice(first, first + TOGETHER)));
    if (verdicts.some((verdict) => verdict !== Verdict.fits)) {
      throw new Error("a signature of our own does not verify");
    }
    verified += verdicts.length;
    ms = performance.now() - start;
  }
  return { verified, ms };
}
