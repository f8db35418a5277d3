import type { Texts } from "../texts/texts.ts";
import { type Measured, percentile99, rate, total } from "./metrics.ts";

export type Unit = "count" | "perSecond" | "seconds" | "bytes" | "percent";

export interface Figure {
  readonly name: keyof Texts["status"]["figures"];
  readonly unit: Unit;
  readonly value: (now: Measured, before: Measured) => number | undefined;
  readonly alert?: {
    readonly name: string;
    readonly threshold: number;
    readonly isBelow?: true;
  };
  /** Only of nodes that share a log or follow one. */
  readonly isOfLog?: true;
}

const REQUESTS = "moneta_http_request_duration_seconds";
const NO_STREAM = /^(?!.*route="\/events")/;

const gauge =
  (name: string): Figure["value"] =>
  (now) =>
    total(now, name);

const share =
  (part: string, whole: string): Figure["value"] =>
  (now) => {
    const [some, all = 0] = [total(now, part), total(now, whole)];
    return some === undefined || all === 0 ? undefined : some / all;
  };

/** In the order of the page. Source: explorer §4. */
export const FIGURES: readonly Figure[] = [
  {
    name: "requests",
    unit: "perSecond",
    value: (now, before) => rate(before, now, `${REQUESTS}_count`),
  },
  {
    name: "slowest",
    unit: "seconds",
    value: (now, before) => percentile99(before, now, REQUESTS, NO_STREAM),
    alert: { name: "MonetaSlow", threshold: 1 },
  },
  {
    name: "faults",
    unit: "count",
    value: (now) => total(now, `${REQUESTS}_count`, /status="500"/),
    alert: { name: "MonetaFaults", threshold: 0 },
  },
  {
    name: "writes",
    unit: "perSecond",
    value: (now, before) => rate(before, now, "moneta_operations_total", /outcome="done"/),
  },
  {
    name: "queue",
    unit: "percent",
    value: share("moneta_queue_length", "moneta_queue_limit"),
    alert: { name: "MonetaQueueFillsUp", threshold: 0.5 },
  },
  {
    name: "mainThread",
    unit: "seconds",
    value: gauge("nodejs_eventloop_lag_p99_seconds"),
    alert: { name: "MonetaBusy", threshold: 0.25 },
  },
  {
    name: "ledgerThread",
    unit: "percent",
    value: (now, before) =>
      ["block_execute", "block_sync", "log_checkpoint"].reduce(
        (sum, part) => sum + (rate(before, now, `moneta_${part}_seconds_sum`) ?? 0),
        0,
      ),
  },
  {
    name: "sync",
    unit: "seconds",
    value: (now, before) => percentile99(before, now, "moneta_block_sync_seconds"),
    alert: { name: "MonetaSlowDisk", threshold: 0.25 },
  },
  {
    name: "disk",
    unit: "percent",
    value: share("moneta_disk_free_bytes", "moneta_disk_size_bytes"),
    alert: { name: "MonetaDiskFull", threshold: 0.05, isBelow: true },
  },
  {
    name: "memory",
    unit: "bytes",
    value: gauge("process_resident_memory_bytes"),
    alert: { name: "MonetaMemoryHigh", threshold: 3e9 },
  },
  {
    name: "logLag",
    unit: "count",
    value: gauge("moneta_log_lag_blocks"),
    alert: { name: "MonetaLogBehind", threshold: 100 },
    isOfLog: true,
  },
];

/** A share of the threshold. */
const WARNING_FROM = 0.75;

export function levelOf({ alert }: Figure, value: number | undefined): "good" | "warn" | "bad" {
  if (alert === undefined || value === undefined) {
    return "good";
  }
  const { threshold, isBelow } = alert;
  if (isBelow ? value < threshold : value > threshold) {
    return "bad";
  }
  const near = isBelow ? value * WARNING_FROM < threshold : value > threshold * WARNING_FROM;
  return near ? "warn" : "good";
}
