/** A sample: its labels as the node writes them, such as `code="4001"`, and its value. */
export interface Sample {
  readonly labels: string;
  readonly value: number;
}

/** A measurement of a node: its time, Unix seconds, and the samples of each metric by name. */
export interface Measured {
  readonly time: number;
  readonly metrics: ReadonlyMap<string, readonly Sample[]>;
}

/** A node has some 2,000 lines. */
const LINES_MAX = 50_000;

const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;

/** Reads the text format of Prometheus. Skips lines that are not samples. */
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

/** The sum of a metric's samples, or of those with such labels; undefined without the metric. */
export function total({ metrics }: Measured, name: string, labels = /^/): number | undefined {
  return metrics
    .get(name)
    ?.filter((sample) => labels.test(sample.labels))
    .reduce((sum, { value }) => sum + value, 0);
}

/** Rates and percentiles are those of the last minute. */
export const WINDOW_SECONDS = 60;

/**
 * The measurement that another one is compared with: the oldest of the last minute since the node
 * was started. Without one, the start itself, so that the first measurement has all figures.
 */
export function baseOf(now: Measured, earlier: readonly Measured[]): Measured {
  const started = total(now, "process_start_time_seconds");
  const base = earlier.find(
    (one) =>
      now.time - one.time <= WINDOW_SECONDS && total(one, "process_start_time_seconds") === started,
  );
  return base ?? { time: started ?? now.time, metrics: new Map() };
}

/** How fast a counter grows, a second. */
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

/**
 * The 99th percentile of a histogram of seconds between two measurements, interpolated in its
 * bucket as Prometheus does; undefined if it counted nothing.
 */
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
