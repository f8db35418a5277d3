import { increase, type Measured, quantile, rate, type Select, total } from "./metrics.ts";

/** How a figure is written. */
export type Unit =
  | "count"
  | "perSecond"
  | "perMinute"
  | "seconds"
  | "share"
  | "bytes"
  | "days"
  | "percent";

/** One thing that an operator watches. */
export interface Figure {
  /** Its key in the texts, which say what it means. */
  readonly name: FigureName;
  readonly unit: Unit;
  /** Its value now, from the newest measurement and one of a minute or an hour ago. */
  readonly value: (now: Measured, minute: Measured, hour: Measured) => number | undefined;
  /** Whether it is about the log that a node of a cluster shares, or that a follower follows. */
  readonly isOfLog?: true;
  /** The alert of deploy/alerts.yaml that watches it, and from which value on. */
  readonly alert?: { readonly name: string; readonly above?: number; readonly below?: number };
}

export type FigureName =
  | "writes"
  | "refused"
  | "median"
  | "slowest"
  | "queue"
  | "blockFill"
  | "execute"
  | "sync"
  | "ledgerThread"
  | "signatures"
  | "mainThread"
  | "blockAge"
  | "unsigned"
  | "diskFree"
  | "diskDays"
  | "ledgerSize"
  | "logOfChanges"
  | "faults"
  | "unavailable"
  | "refusedRequests"
  | "streams"
  | "dropped"
  | "webhooks"
  | "memory"
  | "descriptors"
  | "logAge"
  | "logLag"
  | "turnWait"
  | "conflicts";

const REQUESTS = "moneta_http_request_duration_seconds";
const SECONDS_A_MINUTE = 60;
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

function perMinute(name: string, select?: Select): Figure["value"] {
  return (now, minute) => {
    const perSecond = rate(minute, now, name, select);
    return perSecond === undefined ? undefined : perSecond * SECONDS_A_MINUTE;
  };
}

/** All figures, in the order in which they are shown. Source: explorer §4. */
export const FIGURES: readonly Figure[] = [
  {
    name: "writes",
    unit: "perSecond",
    value: (now, minute) =>
      rate(minute, now, "moneta_operations_total", ({ outcome }) => outcome === "done"),
  },
  {
    name: "median",
    unit: "seconds",
    value: (now, minute) => quantile(minute, now, { name: REQUESTS, q: 0.5, select: isNoStream }),
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
    name: "blockFill",
    unit: "count",
    value: (now, minute) => {
      const blocks = increase(minute, now, "moneta_block_operations_count");
      const operations = increase(minute, now, "moneta_block_operations_sum");
      return blocks === undefined || operations === undefined || blocks === 0
        ? undefined
        : operations / blocks;
    },
  },
  {
    name: "execute",
    unit: "seconds",
    value: (now, minute) =>
      quantile(minute, now, { name: "moneta_block_execute_seconds", q: 0.99 }),
  },
  {
    name: "sync",
    unit: "seconds",
    value: (now, minute) => quantile(minute, now, { name: "moneta_block_sync_seconds", q: 0.99 }),
    alert: { name: "MonetaSlowDisk", above: 0.25 },
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
    name: "signatures",
    unit: "perSecond",
    value: (now, minute) => rate(minute, now, "moneta_signature_verifications_total"),
  },
  {
    name: "mainThread",
    unit: "seconds",
    value: gauge("nodejs_eventloop_lag_p99_seconds"),
    alert: { name: "MonetaBusy", above: 0.25 },
  },
  {
    name: "blockAge",
    unit: "seconds",
    value: ({ metrics, timeMs }) => {
      const newest = total(metrics, "moneta_newest_block_timestamp_seconds");
      return newest === undefined ? undefined : timeMs / 1000 - newest;
    },
    alert: { name: "MonetaClockBehind", below: -60 },
  },
  {
    name: "unsigned",
    unit: "count",
    value: ({ metrics }) => {
      const all = total(metrics, "moneta_transactions");
      const signed = total(metrics, "moneta_checkpoint_transactions");
      return all === undefined || signed === undefined ? undefined : all - signed;
    },
  },
  {
    name: "refused",
    unit: "perMinute",
    value: perMinute("moneta_operations_total", ({ outcome }) => outcome === "refused"),
  },
  {
    name: "refusedRequests",
    unit: "perMinute",
    value: perMinute(`${REQUESTS}_count`, hasStatus(/^4/)),
  },
  {
    name: "unavailable",
    unit: "perMinute",
    value: perMinute(`${REQUESTS}_count`, hasStatus(/^503$/)),
    alert: { name: "MonetaUnavailable", above: 6 },
  },
  {
    name: "faults",
    unit: "count",
    value: gauge(`${REQUESTS}_count`, hasStatus(/^500$/)),
    alert: { name: "MonetaFaults", above: 0 },
  },
  {
    name: "diskFree",
    unit: "bytes",
    value: gauge("moneta_disk_free_bytes"),
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
  { name: "ledgerSize", unit: "bytes", value: gauge("moneta_ledger_file_bytes") },
  {
    name: "logOfChanges",
    unit: "bytes",
    value: gauge("moneta_ledger_file_bytes", ({ file }) => file === "ledger.db-wal"),
    alert: { name: "MonetaLogOfChangesGrows", above: 1e9 },
  },
  {
    name: "streams",
    unit: "count",
    value: gauge("moneta_event_streams"),
    alert: { name: "MonetaStreamsFull" },
  },
  {
    name: "dropped",
    unit: "perMinute",
    value: perMinute("moneta_event_streams_dropped_total"),
  },
  {
    name: "webhooks",
    unit: "count",
    value: gauge("moneta_webhook_lag_transactions"),
    alert: { name: "MonetaWebhookBehind", above: 10_000 },
  },
  {
    name: "memory",
    unit: "bytes",
    value: gauge("process_resident_memory_bytes"),
    alert: { name: "MonetaMemoryHigh", above: 3e9 },
  },
  {
    name: "descriptors",
    unit: "percent",
    value: share("process_open_fds", "process_max_fds"),
    alert: { name: "MonetaFileDescriptors", above: 0.8 },
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
  {
    name: "turnWait",
    isOfLog: true,
    unit: "seconds",
    value: (now, minute) =>
      quantile(minute, now, { name: "moneta_log_turn_wait_seconds", q: 0.99 }),
    alert: { name: "MonetaTurnSlow", above: 5 },
  },
  {
    name: "conflicts",
    isOfLog: true,
    unit: "perMinute",
    value: perMinute("moneta_log_conflicts_total"),
    alert: { name: "MonetaLogConflicts", above: 7 },
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

/** Whether a figure has passed the value at which its alert watches it. */
export function isAlarming({ alert }: Figure, value: number | undefined): boolean {
  return (
    value !== undefined &&
    ((alert?.above !== undefined && value > alert.above) ||
      (alert?.below !== undefined && value < alert.below))
  );
}
