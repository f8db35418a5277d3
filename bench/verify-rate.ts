import { type KeyObject, verify } from "node:crypto";
import { mapInBatches } from "./batches.ts";
import { CURVES, type Curve, makeKeyPair, signText } from "./curves.ts";
import { watchOthers } from "./usage.ts";

export interface VerifyRate {
  readonly perSecond: number;
  readonly othersCores: number;
}

interface Sample {
  readonly text: Buffer;
  readonly publicKey: KeyObject;
  readonly signature: Buffer;
}

const KEYS = 256;
const IN_FLIGHT = 64;
const WARM_UP_SECONDS = 0.3;
const samplesOf = new Map<Curve, readonly Sample[]>();

/**
 * Signatures per second that this machine verifies when it does nothing else: asynchronous
 * `crypto.verify` on all cores, parsed keys, texts as long as those of a transfer. It is the
 * yardstick for what the service reaches.
 */
export async function verifyRate(curve: Curve, seconds: number): Promise<VerifyRate> {
  const samples = samplesOf.get(curve) ?? (await makeSamples(curve));
  samplesOf.set(curve, samples);
  await verifyFor(curve, samples, WARM_UP_SECONDS);
  const others = watchOthers();
  const perSecond = await verifyFor(curve, samples, seconds);
  return { perSecond, othersCores: others() };
}

/** Signatures verified per second. */
async function verifyFor(
  curve: Curve,
  samples: readonly Sample[],
  seconds: number,
): Promise<number> {
  const { digest } = CURVES[curve];
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const start = performance.now();
  const end = start + seconds * 1000;
  let started = 0;
  let verified = 0;

  function verifyNext(): void {
    const sample = samples[started++ % KEYS] as Sample;
    verify(digest, sample.text, sample.publicKey, sample.signature, (error, fits) => {
      if (error || !fits) {
        reject(error ?? new Error("a signature of our own does not verify"));
        return;
      }
      verified += 1;
      const now = performance.now();
      if (now < end) {
        verifyNext();
      } else if (verified === started) {
        resolve((verified * 1000) / (now - start));
      }
    });
  }
  for (let n = 0; n < IN_FLIGHT; n += 1) {
    verifyNext();
  }
  return await promise;
}

function makeSamples(curve: Curve): Promise<Sample[]> {
  const keys = Array.from({ length: KEYS }, () => makeKeyPair(curve));
  return mapInBatches(keys, async (key) => {
    const text = `${"A".repeat(40)}|${"B".repeat(40)}|0|500|${"K".repeat(46)}`;
    const signature = await signText(key, text);
    return { text: Buffer.from(text), publicKey: key.publicKey, signature };
  });
}
