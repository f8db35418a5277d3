import { useEffect, useState } from "preact/hooks";
import { moneta, NODE_URL } from "../ledger/node.ts";
import { type Measured, parseMetrics } from "./metrics.ts";

const EVERY_MS = 5000;
/** The page keeps measurements for so long. */
const HISTORY_MS = 3_600_000;

/** The measurements of the last hour, the newest last, and why the newest failed. */
export interface Measurements {
  readonly history: readonly Measured[];
  readonly problem: "closed" | "unreachable" | undefined;
  /** Why the node serves no reads; undefined if it does. Source: cluster §4. */
  readonly unready: string | undefined;
  /** "accepted", or why the node takes no writes; undefined before the first answer. */
  readonly writes: string | undefined;
  /** Whether it shares its log with other nodes, or follows one. */
  readonly hasOtherNodes: boolean;
}

/** Measures the node every five seconds for as long as the view is shown. Source: explorer §4. */
export function useMeasurements(): Measurements {
  const [measurements, set] = useState<Measurements>({
    history: [],
    problem: undefined,
    unready: undefined,
    writes: undefined,
    hasOtherNodes: false,
  });
  useEffect(() => {
    const abort = new AbortController();
    let isMeasuring = false;
    const measure = async (): Promise<void> => {
      // An older answer behind a newer one would look like a node that was started again, whose
      // counters all grew at once.
      if (isMeasuring) {
        return;
      }
      isMeasuring = true;
      const signal = AbortSignal.any([abort.signal, AbortSignal.timeout(EVERY_MS * 2)]);
      try {
        const [response, ready] = await Promise.all([
          fetch(`${NODE_URL}/metrics`, { signal }),
          fetch(`${NODE_URL}/ready`, { signal }),
        ]);
        const text = response.ok ? await response.text() : "";
        const { writes, log, detail } = (await ready.json()) as {
          readonly writes?: string;
          readonly log?: "shared" | "followed";
          readonly detail?: string;
        };
        const unready = ready.ok ? undefined : (detail ?? `HTTP ${ready.status}`);
        if (!text.includes("moneta_height")) {
          set((before) => ({ ...before, problem: "closed", unready }));
          return;
        }
        const timeMs = moneta.clock.now() * 1000;
        const measured = { timeMs, metrics: parseMetrics(text) };
        set(({ history, writes: before, hasOtherNodes }) => ({
          history: [...history.filter((one) => one.timeMs > timeMs - HISTORY_MS), measured],
          problem: undefined,
          unready,
          // The answer of a node that is not ready has the reason instead.
          writes: writes ?? before,
          hasOtherNodes: ready.ok ? log !== undefined : hasOtherNodes,
        }));
      } catch {
        if (!abort.signal.aborted) {
          set((before) => ({ ...before, problem: "unreachable" }));
        }
      } finally {
        isMeasuring = false;
      }
    };
    void measure();
    const timer = setInterval(() => void measure(), EVERY_MS);
    return () => {
      abort.abort();
      clearInterval(timer);
    };
  }, []);
  return measurements;
}

const MINUTE_MS = 60_000;

/** The newest measurement that is at least a minute older, or the oldest there is. */
export function aMinuteBefore(history: readonly Measured[], index: number): Measured | undefined {
  const now = history[index];
  if (now === undefined) {
    return undefined;
  }
  let found = index;
  while (found > 0 && now.timeMs - (history[found]?.timeMs ?? 0) < MINUTE_MS) {
    found -= 1;
  }
  return history[found];
}
