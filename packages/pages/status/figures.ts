import { increase, type Measured, quantile, rate, type Select, total } from "./metrics.ts";

export type Unit = "count" | "perSecond" | "seconds" | "bytes" | "days" | "percent";

/** A value that an operator watches. */
export interface Figure {
  /** Its key in the texts, which explain it. */
  readonly name: FigureName;
  readonly unit: Unit;
  /** Its value now, from the newest measurement and one of a minute or an hour ago. */
  readonly value: (now: Measured, minute: Measured, hour: Measured) => number | undefined;
  /** Whether it is about the log that a node of a cluster shares, or that a follower follows. */
  readonly isOfLog?: true;
  /** The alert of deploy/alerts.yaml that watches it, and its threshold. */
  readonly alert?: { readonly name: string } & (
    | { readonly above: number }
    | { readonly below: number }
  );
}

export type FigureName =
  | "writes"
  | "slowest"
  | "queue"
  | "mainThread"
  | "ledgerThread"
  | "sync"
  | "diskDays"
  | "memory"
  | "webhooks"
  | "faults"
  | "logAge"
  | "logLag";

const REQUESTS = "moneta_http_request_duration_seconds";
const SECONDS_A_DAY = 86_400;
/** How long the disk is watched before its end is foretold. */
const TREND_SECONDS = 600;

const isNoStream: Select = ({ route }) => route !== "/events";
const hasStatus =
  (pattern: RegExp): Select =>
  ({ status = "" }) =>
    pattern.test(status);

function gauge(name: string, select?: Select): Figure["value"] {
  return ({ metrics }) => total(metrics, name, select);
}

function share(part: string, whole: string): Figure["value"] {
  return ({ metrics }) => {
    const [some, all] = [total(metrics, part), total(metrics, whole)];
    return some === undefined || all === undefined || all === 0 ? undefined : some / all;
  };
}

/** In the order in which they are shown. Source: explorer §4. */
export const FIGURES: readonly Figure[] = [
  {
    name: "writes",
    unit: "perSecond",
    value: (now, minute) =>
      rate(minute, now, "moneta_operations_total", ({ outcome }) => outcome === "done"),
  },
  {
    name: "slowest",
    unit: "seconds",
    value: (now, minute) => quantile(minute, now, { name: REQUESTS, q: 0.99, select: isNoStream }),
    alert: { name: "MonetaSlow", above: 1 },
  },
  {
    name: "queue",
    unit: "percent",
    value: share("moneta_queue_length", "moneta_queue_limit"),
    alert: { name: "MonetaQueueFillsUp", above: 0.5 },
  },
  {
    name: "mainThread",
    unit: "seconds",
    value: gauge("nodejs_eventloop_lag_p99_seconds"),
    alert: { name: "MonetaBusy", above: 0.25 },
  },
  {
    name: "ledgerThread",
    unit: "percent",
    value: (now, minute) => {
      const parts = ["block_execute", "block_sync", "log_checkpoint"].map((part) =>
        rate(minute, now, `moneta_${part}_seconds_sum`),
      );
      return parts.some((part) => part === undefined)
        ? undefined
        : parts.reduce<number>((sum, part) => sum + (part ?? 0), 0);
    },
  },
  {
    name: "sync",
    unit: "seconds",
    value: (now, minute) => quantile(minute, now, { name: "moneta_block_sync_seconds", q: 0.99 }),
    alert: { name: "MonetaSlowDisk", above: 0.25 },
  },
  {
    name: "diskDays",
    unit: "days",
    value: (now, _minute, hour) => {
      const free = total(now.metrics, "moneta_disk_free_bytes");
      const before = total(hour.metrics, "moneta_disk_free_bytes");
      const seconds = (now.timeMs - hour.timeMs) / 1000;
      if (free === undefined || before === undefined || before <= free || seconds < TREND_SECONDS) {
        return undefined;
      }
      return free / ((before - free) / seconds) / SECONDS_A_DAY;
    },
    alert: { name: "MonetaDiskFillsUp", below: 4 },
  },
  {
    name: "memory",
    unit: "bytes",
    value: gauge("process_resident_memory_bytes"),
    alert: { name: "MonetaMemoryHigh", above: 3e9 },
  },
  {
    name: "webhooks",
    unit: "count",
    value: gauge("moneta_webhook_lag_transactions"),
    alert: { name: "MonetaWebhookBehind", above: 10_000 },
  },
  {
    name: "faults",
    unit: "count",
    value: gauge(`${REQUESTS}_count`, hasStatus(/^500$/)),
    alert: { name: "MonetaFaults", above: 0 },
  },
  {
    name: "logAge",
    isOfLog: true,
    unit: "seconds",
    value: gauge("moneta_log_age_seconds"),
    alert: { name: "MonetaLogAway", above: 60 },
  },
  {
    name: "logLag",
    isOfLog: true,
    unit: "count",
    value: gauge("moneta_log_lag_blocks"),
    alert: { name: "MonetaLogBehind", above: 100 },
  },
];

/** Something that needs an operator now, whatever the figures. */
export interface Condition {
  /** Its key in the texts. */
  readonly name:
    | "rulesUnknown"
    | "clockJumped"
    | "cannotWrite"
    | "diskFull"
    | "logDiverged"
    | "logRefused"
    | "logInDoubt";
  readonly holds: (now: Measured, hour: Measured) => boolean;
  readonly alert: string;
}

/** The conditions of deploy/alerts.yaml that are no matter of degree. */
export const CONDITIONS: readonly Condition[] = [
  {
    name: "cannotWrite",
    holds: ({ metrics }) =>
      (total(metrics, "moneta_writes_held", ({ cause }) => cause !== "follower") ?? 0) > 0,
    alert: "MonetaCannotWrite",
  },
  {
    name: "diskFull",
    holds: ({ metrics }) =>
      (total(metrics, "moneta_disk_free_bytes") ?? 1) <
      0.05 * (total(metrics, "moneta_disk_size_bytes") ?? 1),
    alert: "MonetaDiskFull",
  },
  {
    name: "clockJumped",
    holds: (now, hour) => (increase(hour, now, "moneta_clock_jumps") ?? 0) > 0,
    alert: "MonetaClockJumped",
  },
  {
    name: "rulesUnknown",
    holds: ({ metrics }) => (total(metrics, "moneta_unknown_protocol_version") ?? 0) > 0,
    alert: "MonetaRulesUnknown",
  },
  {
    name: "logDiverged",
    holds: ({ metrics }) => (total(metrics, "moneta_log_diverged") ?? 0) > 0,
    alert: "MonetaLogDiverged",
  },
  {
    name: "logRefused",
    holds: ({ metrics }) => (total(metrics, "moneta_log_refused") ?? 0) > 0,
    alert: "MonetaLogRefused",
  },
  {
    name: "logInDoubt",
    holds: ({ metrics }) => (total(metrics, "moneta_log_in_doubt") ?? 0) > 0,
    alert: "MonetaLogInDoubt",
  },
];

/** The value at which the alert of a figure fires. */
export function thresholdOf({ alert }: Figure): number | undefined {
  return alert && ("above" in alert ? alert.above : alert.below);
}

/** Whether a figure has passed its threshold. */
export function isAlarming({ alert }: Figure, value: number | undefined): boolean {
  return (
    alert !== undefined &&
    value !== undefined &&
    ("above" in alert ? value > alert.above : value < alert.below)
  );
}
