/** Labels as the node writes them, such as `code="4001"`. */
export interface Sample {
  readonly labels: string;
  readonly value: number;
}

/** Unix seconds, and the samples of each metric. */
export interface Measured {
  readonly time: number;
  readonly metrics: ReadonlyMap<string, readonly Sample[]>;
}

/** A node has some 2,000 lines. */
const LINES_MAX = 50_000;

const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;

/** The text format of Prometheus. Skips lines that are not samples. */
export function parseMetrics(text: string, time: number): Measured {
  const metrics = new Map<string, Sample[]>();
  for (const line of text.split("\n", LINES_MAX)) {
    const [, name, labels = "", value = ""] = SAMPLE.exec(line) ?? [];
    if (name !== undefined && Number.isFinite(Number(value))) {
      const samples = metrics.get(name) ?? [];
      samples.push({ labels, value: Number(value) });
      metrics.set(name, samples);
    }
  }
  return { time, metrics };
}

/** Of all samples, or of those with such labels; undefined without the metric. */
export function total({ metrics }: Measured, name: string, labels = /^/): number | undefined {
  return metrics
    .get(name)
    ?.filter((sample) => labels.test(sample.labels))
    .reduce((sum, { value }) => sum + value, 0);
}

export const WINDOW_SECONDS = 60;

/** The oldest of the last minute since the node's start; without one, the start. */
export function baseOf(now: Measured, earlier: readonly Measured[]): Measured {
  const started = total(now, "process_start_time_seconds");
  const base = earlier.find(
    (one) =>
      now.time - one.time <= WINDOW_SECONDS && total(one, "process_start_time_seconds") === started,
  );
  return base ?? { time: started ?? now.time, metrics: new Map() };
}

/** Per second. */
export function rate(
  before: Measured,
  now: Measured,
  name: string,
  labels?: RegExp,
): number | undefined {
  const count = total(now, name, labels);
  const grown = count === undefined ? 0 : count - (total(before, name, labels) ?? 0);
  const seconds = now.time - before.time;
  return count === undefined || seconds <= 0 ? undefined : grown / seconds;
}

/** Interpolated in its bucket as Prometheus does; undefined if nothing was counted. */
export function percentile99(
  before: Measured,
  now: Measured,
  name: string,
  labels = /^/,
): number | undefined {
  const buckets = new Map<number, number>();
  for (const [measured, sign] of [
    [now, 1],
    [before, -1],
  ] as const) {
    for (const { labels: all, value } of measured.metrics.get(`${name}_bucket`) ?? []) {
      if (labels.test(all)) {
        const bound = Number(/\ble="([^"]+)"/.exec(all)?.[1]?.replace("+Inf", "Infinity"));
        buckets.set(bound, (buckets.get(bound) ?? 0) + sign * value);
      }
    }
  }
  const rank = 0.99 * (buckets.get(Number.POSITIVE_INFINITY) ?? 0);
  let [from, below] = [0, 0];
  for (const [bound, count] of [...buckets].sort(([a], [b]) => a - b)) {
    if (rank > 0 && count >= rank) {
      // More than the last bound is not known.
      return Number.isFinite(bound)
        ? from + ((bound - from) * (rank - below)) / (count - below)
        : from;
    }
    [from, below] = [bound, count];
  }
  return undefined;
}
