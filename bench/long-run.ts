import { load } from "./load.ts";
import type { Settings } from "./measurement.ts";
import { report } from "./progress.ts";
import { transfersP256 } from "./scenarios.ts";
import { Service } from "./service.ts";
import { folderBytes, QUIET_CORES, usageDuring } from "./usage.ts";
import { verifyRate } from "./verify-rate.ts";

export interface Stretch {
  /** Transactions of the run before the end of this stretch. */
  readonly transactions: number;
  readonly perSecond: number;
  /** The machine's raw rate just before. */
  readonly verifyPerSecond: number;
  readonly ratio: number;
  readonly p99Ms: number;
  readonly othersCores: number;
  readonly memoryBytes: number;
  readonly diskBytes: number;
}

export interface LongRun {
  readonly stretches: readonly Stretch[];
  /** Ratio to the raw rate in the last three fair stretches over that in the first three. */
  readonly endOverStart: number;
  /** The same of resident memory. */
  readonly memoryGrowth: number;
  readonly failures: number;
  readonly firstFailure: string | undefined;
}

const STRETCHES_MIN = 20;
const STRETCH_MAX = 100_000;

/**
 * Many transfers with P-256 on one node that is never restarted, in stretches: as temporary keys
 * serve for 10 minutes only, each stretch is prepared just before it is run. What the machine's
 * neighbours do over so long a time is taken out by comparing ratios to the raw rate instead of
 * rates.
 */
export async function runLong(transactions: number, settings: Settings): Promise<LongRun> {
  const { population, connections, data, verifySeconds } = settings;
  await using service = await Service.start(settings);
  const { port, pid } = service;
  const size = Math.min(STRETCH_MAX, Math.ceil(transactions / STRETCHES_MIN));
  const stretches: Stretch[] = [];
  let failures = 0;
  let firstFailure: string | undefined;

  for (let done = 0; done < transactions && failures === 0; done += size) {
    report(`long: ${done} of ${transactions}, preparing ${size} requests`);
    const prepared = await transfersP256.prepare(population, port, size);
    const verify = await verifyRate("p256", verifySeconds);
    report(`long: ${done} of ${transactions}, measuring`);
    const { result, usage } = await usageDuring(pid, () =>
      load({ port, connections, ...prepared }),
    );
    ({ failures, firstFailure } = result);
    stretches.push({
      transactions: done + size,
      perSecond: result.perSecond,
      verifyPerSecond: verify.perSecond,
      ratio: result.perSecond / verify.perSecond,
      p99Ms: result.latency.p99Ms,
      othersCores: Math.max(verify.othersCores, usage.othersCores),
      memoryBytes: usage.memory.afterBytes,
      diskBytes: folderBytes(data),
    });
  }

  const fair = fairOnes(stretches);
  const first = fair.slice(0, 3);
  const last = fair.slice(-3);
  return {
    stretches,
    endOverStart: mean(last, "ratio") / mean(first, "ratio"),
    memoryGrowth: mean(last, "memoryBytes") / mean(first, "memoryBytes"),
    failures,
    firstFailure,
  };
}

/**
 * Those after the node has warmed up in which nobody else used the machine, if there are enough of
 * them.
 */
function fairOnes(stretches: readonly Stretch[]): readonly Stretch[] {
  const warm = stretches.slice(1);
  const quiet = warm.filter(({ othersCores }) => othersCores <= QUIET_CORES);
  return quiet.length >= 6 ? quiet : warm;
}

function mean(stretches: readonly Stretch[], field: "ratio" | "memoryBytes"): number {
  return stretches.reduce((sum, stretch) => sum + stretch[field], 0) / stretches.length;
}
