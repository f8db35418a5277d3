export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Samples of a node, by the names of their metrics. */
export type Metrics = ReadonlyMap<string, readonly Sample[]>;

/** A node has some 2,000 lines; more than this is no node of ours. */
const LINES_MAX = 50_000;

const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g;

/** Reads the text format of Prometheus. Lines that are no samples are left out. */
export function parseMetrics(text: string): Metrics {
  const metrics = new Map<string, Sample[]>();
  for (const line of text.split("\n", LINES_MAX)) {
    const [, name, labelText = "", valueText = ""] = SAMPLE.exec(line) ?? [];
    const value = valueText === "+Inf" ? Number.POSITIVE_INFINITY : Number(valueText);
    if (name === undefined || Number.isNaN(value)) {
      continue;
    }
    const labels = Object.fromEntries(
      [...labelText.matchAll(LABEL)].map(([, label, escaped = ""]) => [label, unescaped(escaped)]),
    );
    const samples = metrics.get(name);
    if (samples === undefined) {
      metrics.set(name, [{ labels, value }]);
    } else {
      samples.push({ labels, value });
    }
  }
  return metrics;
}

function unescaped(text: string): string {
  return text.replaceAll(/\\(.)/g, (_, character) => (character === "n" ? "\n" : character));
}

/** Which samples of a metric are meant; all by default. */
export type Select = (labels: Readonly<Record<string, string>>) => boolean;

/** The sum of a metric's values; undefined if the node does not measure it. */
export function total(metrics: Metrics, name: string, select?: Select): number | undefined {
  const samples = metrics.get(name);
  return samples
    ?.filter(({ labels }) => select === undefined || select(labels))
    .reduce((sum, { value }) => sum + value, 0);
}

/** The metrics of a node at a time, ms. */
export interface Measured {
  readonly timeMs: number;
  readonly metrics: Metrics;
}

/** By how much a counter grew; what it has now if the node was started again in between. */
export function increase(
  before: Measured,
  after: Measured,
  name: string,
  select?: Select,
): number | undefined {
  const now = total(after.metrics, name, select);
  const earlier = total(before.metrics, name, select) ?? 0;
  return now === undefined ? undefined : now >= earlier ? now - earlier : now;
}

/** How fast a counter grew, a second. */
export function rate(
  before: Measured,
  after: Measured,
  name: string,
  select?: Select,
): number | undefined {
  const grown = increase(before, after, name, select);
  const seconds = (after.timeMs - before.timeMs) / 1000;
  return grown === undefined || seconds <= 0 ? undefined : grown / seconds;
}

/**
 * A quantile of what a histogram counted in between, interpolated in its bucket as Prometheus does;
 * undefined if it counted nothing.
 */
export function quantile(
  before: Measured,
  after: Measured,
  { name, q, select }: { readonly name: string; readonly q: number; readonly select?: Select },
): number | undefined {
  const buckets = new Map<number, number>();
  const add = ({ metrics }: Measured, sign: 1 | -1): void => {
    for (const { labels, value } of metrics.get(`${name}_bucket`) ?? []) {
      if (select === undefined || select(labels)) {
        const le = labels["le"] === "+Inf" ? Number.POSITIVE_INFINITY : Number(labels["le"]);
        buckets.set(le, (buckets.get(le) ?? 0) + sign * value);
      }
    }
  };
  add(after, 1);
  const restarted = [...buckets.keys()].some(
    (le) =>
      (total(before.metrics, `${name}_bucket`, (labels) => Number(labels["le"]) === le) ?? 0) >
      (total(after.metrics, `${name}_bucket`, (labels) => Number(labels["le"]) === le) ?? 0),
  );
  if (!restarted) {
    add(before, -1);
  }
  const sorted = [...buckets].sort(([a], [b]) => a - b);
  const all = sorted.at(-1)?.[1] ?? 0;
  if (all <= 0) {
    return undefined;
  }
  let from = 0;
  let below = 0;
  for (const [le, count] of sorted) {
    if (count >= q * all) {
      return Number.isFinite(le) && count > below
        ? from + ((le - from) * (q * all - below)) / (count - below)
        : from;
    }
    from = le;
    below = count;
  }
  return from;
}
