import { once } from "node:events";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { findAddon } from "@moneta/native-verifier";
import type { Curve } from "./curves.ts";
import { watchOthers } from "./usage.ts";
import type { VerifyRate } from "./verify-rate.ts";

export interface NativeVerifyData {
  readonly addon: string;
  readonly curve: Curve;
  readonly text: string;
  /** A multiple of the claims in a batch. */
  readonly keys: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
}

/** What a thread has done in how long. */
export interface NativeVerified {
  readonly verified: number;
  readonly ms: number;
}

const KEYS = 64;
const WARM_UP_SECONDS = 0.3;

/**
 * Signatures per second that the native verifier verifies on all cores when the machine does
 * nothing else; undefined if it is not built. The other yardstick is `verifyRate`.
 */
export async function nativeVerifyRate(
  curve: Curve,
  seconds: number,
): Promise<VerifyRate | undefined> {
  const addon = findAddon();
  if (addon === undefined) {
    return undefined;
  }
  const text = `${"A".repeat(40)}|${"B".repeat(40)}|0|500|${"K".repeat(46)}`;
  const workerData: NativeVerifyData = {
    ...{ addon, curve, text, seconds },
    keys: KEYS,
    warmUpSeconds: WARM_UP_SECONDS,
  };
  const others = watchOthers();
  const rates = await Promise.all(
    Array.from({ length: availableParallelism() }, async () => {
      const thread = new Worker(new URL("./native-verify-thread.ts", import.meta.url), {
        workerData,
      });
      const [{ verified, ms }] = (await once(thread, "message")) as [NativeVerified];
      return (verified * 1000) / ms;
    }),
  );
  return { perSecond: rates.reduce((sum, rate) => sum + rate, 0), othersCores: others() };
}
