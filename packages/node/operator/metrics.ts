import { invariant, type UnknownVersion } from "@moneta/ledger";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { DiskUsage } from "../data-directory/disk-usage.ts";
import { DROP_REASONS } from "../events/event-streams.ts";
import type { LogReport } from "../ledger-thread/ledger-messages.ts";
import { WRITE_CAUSES, type WriteCause } from "../write-state.ts";
import type { OperatorEvents } from "./operator-events.ts";

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const OPERATIONS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000];
const OUTCOMES = ["done", "repeat", "refused"].map((outcome) => ({ outcome }));

export interface NodeLook {
  readonly queueLength: number;
  readonly queueMax: number;
  readonly signatureSearches: number;
  readonly height: number;
  readonly newest: { readonly timestamp: number; readonly size: number } | undefined;
  readonly unknownVersion: UnknownVersion | undefined;
  /** By more than five minutes. */
  readonly clockJumps: number;
  readonly writesHeldBy: WriteCause | undefined;
  readonly connections: number;
  readonly connectionsMax: number;
  readonly eventStreams: number;
  readonly eventStreamsMax: number;
  readonly batchStreamsMax: number;
  readonly log: (LogReport & { readonly ageSeconds: number }) | undefined;
  /** Transactions; 0 without one. */
  readonly signedSize: number;
  readonly isCheckpointRefused: boolean;
}

export interface NodeInfo {
  readonly version: string;
  readonly ledger: string;
  readonly deployment: string;
  readonly verifier: string;
}

export interface MeasuredNode {
  readonly look: () => NodeLook;
  readonly disk: () => Promise<DiskUsage | undefined>;
  readonly info: NodeInfo;
}

/** Measured at each reading; undefined values are left out. */
const MEASURED: Readonly<
  Record<string, readonly [help: string, value: (look: NodeLook) => number | undefined]>
> = {
  moneta_signature_searches: [
    "Requests for whose signature the node searches its token or draft, waiting ones included",
    (look) => look.signatureSearches,
  ],
  moneta_height: ["Number of the newest block", (look) => look.height],
  moneta_unknown_protocol_version: [
    "Version of the rules that is announced or in force and that this software does not know; 0 if it knows all",
    (look) => look.unknownVersion?.version ?? 0,
  ],
  moneta_unknown_protocol_height: [
    "Number of the first block that this software cannot make because it does not know its rules; 0 if there is none",
    (look) => look.unknownVersion?.height ?? 0,
  ],
  moneta_clock_jumps: [
    "Jumps of the clock by more than five minutes since the start",
    (look) => look.clockJumps,
  ],
  moneta_queue_length: [
    "Operations that are being verified, wait or are being executed",
    (look) => look.queueLength,
  ],
  moneta_queue_limit: [
    "Operations that may be under way; further ones are refused (503)",
    (look) => look.queueMax,
  ],
  moneta_connections: ["Open connections of clients", (look) => look.connections],
  moneta_connections_limit: [
    "Connections that may be open; more are accepted for /ready and /health alone",
    (look) => look.connectionsMax,
  ],
  moneta_batch_streams_limit: [
    "Streams of operations that may be open; further ones are refused (503)",
    (look) => look.batchStreamsMax,
  ],
  moneta_event_streams: ["Event streams that are open", (look) => look.eventStreams],
  moneta_event_streams_limit: [
    "Event streams that may be open; further ones are refused (503)",
    (look) => look.eventStreamsMax,
  ],
  moneta_newest_block_timestamp_seconds: [
    "Time of the newest block, Unix seconds",
    ({ newest }) => newest?.timestamp,
  ],
  moneta_transactions: ["Transactions in the ledger", ({ newest }) => newest?.size],
  moneta_checkpoint_transactions: [
    "Transactions in the newest signed checkpoint; checkpoints are signed on request",
    (look) => look.signedSize,
  ],
  moneta_checkpoint_refused: [
    "1 while the newest checkpoint in the log is not one of this ledger: it is not passed on",
    (look) => Number(look.isCheckpointRefused),
  ],
  moneta_log_in_doubt: [
    "1 while it is not known whether a block of this node is in the log",
    ({ log }) => Number(log?.isInDoubt ?? false),
  ],
  moneta_log_lag_blocks: [
    "Blocks of a shared log that this node lacks",
    ({ log, height }) => Math.max(0, (log?.logHeight ?? 0) - height),
  ],
  moneta_log_age_seconds: [
    "Seconds since the shared log last answered this node",
    ({ log }) => log?.ageSeconds ?? 0,
  ],
  moneta_log_diverged: [
    "1 while the log lacks blocks that this node has shown: it serves nothing",
    ({ log }) => Number(log?.diverged !== undefined),
  ],
  moneta_log_refused: [
    "1 after a block of the log that this node's software refuses",
    ({ log }) => Number(log?.refused !== undefined),
  ],
  moneta_log_timeline: [
    "The highest timeline that the log was certain on; it rises with each fail-over",
    ({ log }) => log?.timeline ?? 0,
  ],
  moneta_log_clock_offset_seconds: [
    "The log's clock minus this node's",
    ({ log }) => (log?.clockOffsetMs ?? 0) / 1000,
  ],
};

/** In the Prometheus format. */
export class Metrics {
  readonly #registry: Registry = new Registry();
  #node: MeasuredNode | undefined;
  #disk: DiskUsage | undefined;

  constructor(events: OperatorEvents) {
    collectDefaultMetrics({ register: this.#registry });
    this.#measureEachTime();
    this.#countRequests(events);
    this.#countOperations(events);
    this.#countLog(events);
    this.#countEvents(events);
    this.#countStateTree(events);
  }

  /** Call it before the first reading. */
  measure(node: MeasuredNode): void {
    this.#node = node;
  }

  async text(): Promise<string> {
    this.#disk = (await this.#node?.disk()) ?? this.#disk;
    return await this.#registry.metrics();
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** `series` are 0 from the start: Prometheus sees no increase of one that appears with 1. */
  #counter<L extends string = never>(
    name: string,
    help: string,
    labelNames: readonly L[] = [],
    series: readonly Record<L, string>[] = [],
  ): Counter<L> {
    const counter = new Counter({ name, help, labelNames, registers: [this.#registry] });
    for (const labels of series) {
      counter.inc(labels, 0);
    }
    return counter;
  }

  #gauge<L extends string = never>(
    name: string,
    help: string,
    labelNames: readonly L[] = [],
    collect: (gauge: Gauge<L>, node: MeasuredNode) => void = () => undefined,
  ): Gauge<L> {
    const measured = (): MeasuredNode => {
      invariant(this.#node !== undefined, "metrics are read after `measure`");
      return this.#node;
    };
    return new Gauge({
      ...{ name, help, labelNames, registers: [this.#registry] },
      collect() {
        return collect(this, measured());
      },
    });
  }

  #histogram<L extends string = never>(
    name: string,
    help: string,
    { labelNames = [], buckets = SECONDS }: { labelNames?: readonly L[]; buckets?: number[] } = {},
  ): Histogram<L> {
    return new Histogram({ name, help, labelNames, buckets, registers: [this.#registry] });
  }

  #countStateTree(events: OperatorEvents): void {
    const height = this.#gauge(
      "moneta_state_tree_height",
      "Newest block whose changes the state tree has",
    );
    const wrong = this.#counter(
      "moneta_state_root_wrong",
      "State roots in blocks that differ from those that this node computed",
    );
    events.on("stateTree", (step) => {
      height.set(step.height);
      wrong.inc(step.wrong.length);
    });
  }

  #measureEachTime(): void {
    for (const [name, [help, value]] of Object.entries(MEASURED)) {
      this.#gauge(name, help, [], (gauge, { look }) => {
        const measured = value(look());
        if (measured !== undefined) {
          gauge.set(measured);
        }
      });
    }
    const writesHeld = "1 while nothing can be written, by cause";
    this.#gauge("moneta_writes_held", writesHeld, ["cause"], (gauge, { look }) => {
      const { writesHeldBy } = look();
      for (const cause of WRITE_CAUSES) {
        gauge.set({ cause }, Number(cause === writesHeldBy));
      }
    });
    this.#gauge(
      "moneta_info",
      "Always 1; its labels say which software serves which ledger",
      ["version", "ledger", "deployment", "verifier"],
      (gauge, { info }) => gauge.set({ ...info }, 1),
    );
    const setIfKnown = (gauge: Gauge, bytes: number | undefined): void => {
      if (bytes !== undefined) {
        gauge.set(bytes);
      }
    };
    this.#gauge(
      "moneta_disk_free_bytes",
      "Room for the ledger on the file system that the data directory is on",
      [],
      (gauge) => setIfKnown(gauge, this.#disk?.freeBytes),
    );
    this.#gauge(
      "moneta_disk_size_bytes",
      "Size of the file system that the data directory is on",
      [],
      (gauge) => setIfKnown(gauge, this.#disk?.sizeBytes),
    );
    const files = "Size of the ledger's files; ledger.db-wal is its log of changes";
    this.#gauge("moneta_ledger_file_bytes", files, ["file"], (gauge) => {
      for (const [file, bytes] of Object.entries(this.#disk?.ledgerFiles ?? {})) {
        gauge.set({ file }, bytes);
      }
    });
  }

  #countRequests(events: OperatorEvents): void {
    const requests = this.#histogram(
      "moneta_http_request_duration_seconds",
      "Time from a request's head to the end of its answer",
      { labelNames: ["route", "method", "status"] },
    );
    events.on("request", ({ route, method, status, seconds }) =>
      requests.observe({ route, method, status }, seconds),
    );
    const problems = this.#counter(
      "moneta_problems_total",
      "Requests that were refused as a whole, by the code of the problem",
      ["code"],
    );
    events.on("problem", (code) => problems.inc({ code }));
    const refusedConnections = this.#counter(
      "moneta_connections_refused_total",
      "Refused connections, behind proxies requests: one client had too many, or all together",
      ["reason"],
      [{ reason: "client" }, { reason: "full" }],
    );
    events.on("connectionRefused", ({ reason }) => refusedConnections.inc({ reason }));
    const batchStreams = this.#gauge(
      "moneta_batch_streams",
      "Streams of operations that are open: POST /batch with lines",
    );
    events.on("batchStreams", (count) => batchStreams.set(count));
    const archiveReads = this.#counter(
      "moneta_archive_reads_total",
      "Reads from the archive of older blocks, by outcome",
      ["outcome"],
      [{ outcome: "done" }, { outcome: "failed" }],
    );
    events.on("archive", (wrong) =>
      archiveReads.inc({ outcome: wrong === undefined ? "done" : "failed" }),
    );
  }

  #countOperations(events: OperatorEvents): void {
    const operations = this.#counter(
      "moneta_operations_total",
      "Operations that the ledger thread has processed, by outcome",
      ["outcome"],
      OUTCOMES,
    );
    const blockSize = this.#histogram("moneta_block_operations", "Operations in a block", {
      buckets: OPERATIONS,
    });
    const executeTime = this.#histogram(
      "moneta_block_execute_seconds",
      "Time to run the rules and hashes of a block",
    );
    const commitTime = this.#histogram("moneta_block_sync_seconds", "Time to make a block durable");
    events.on("block", ({ outcomes, executeMs, commitMs }) => {
      let done = 0;
      for (const outcome of outcomes) {
        if (typeof outcome === "string") {
          done += 1;
        } else if ("transactionIds" in outcome && outcome.kind === "done") {
          done += outcome.transactionIds.length;
        } else {
          operations.inc({ outcome: outcome.kind });
        }
      }
      operations.inc({ outcome: "done" }, done);
      if (done > 0) {
        blockSize.observe(done);
        executeTime.observe(executeMs / 1000);
        commitTime.observe(commitMs / 1000);
      }
    });
    const checkpointTime = this.#histogram(
      "moneta_log_checkpoint_seconds",
      "Time for which the ledger thread copied the log of changes into ledger.db, between two blocks; another thread copies most of it",
    );
    events.on("checkpoint", (result) => {
      if ("ms" in result) {
        checkpointTime.observe(result.ms / 1000);
      }
    });
    const verified = this.#counter(
      "moneta_signature_verifications_total",
      "Signatures that were verified, each text with each digest counted",
    );
    const compared = this.#counter(
      "moneta_signature_verifications_compared_total",
      "Verdicts of the native verifier that the platform has confirmed",
    );
    events.on("verified", (verdicts) => {
      verified.inc(verdicts.count);
      compared.inc(verdicts.compared);
    });
    const groups = this.#counter(
      "moneta_groups_total",
      "Groups of operations, by outcome; dry runs not counted",
      ["outcome"],
      OUTCOMES,
    );
    events.on("group", (outcome) => groups.inc({ outcome }));
    const dryRunTime = this.#histogram(
      "moneta_dry_run_seconds",
      "Time of a dry run on its thread; the time that it waited before not counted",
    );
    events.on("dryRun", (ms) => dryRunTime.observe(ms / 1000));
  }

  #countLog(events: OperatorEvents): void {
    const turnWait = this.#histogram(
      "moneta_log_turn_wait_seconds",
      "Time that this node waited for its turn to write to a shared log",
    );
    const turnLength = this.#histogram(
      "moneta_log_turn_seconds",
      "Time that this node kept the turn, with its COMMIT, by the outcome of the block",
      { labelNames: ["outcome"] },
    );
    for (const outcome of ["certain", "conflict", "doubt", "barrier"]) {
      turnLength.zero({ outcome });
    }
    const conflicts = this.#counter(
      "moneta_log_conflicts_total",
      "Blocks that were made again because the log went on without them",
    );
    const doubts = this.#counter(
      "moneta_log_doubts_total",
      "Blocks whose COMMIT was left open, by what was found in the log afterwards",
      ["outcome"],
      [{ outcome: "appended" }, { outcome: "absent" }],
    );
    events.on("log", (report) => {
      for (const { waitMs, lengthMs, kind } of report.turns) {
        turnWait.observe(waitMs / 1000);
        turnLength.observe({ outcome: kind }, lengthMs / 1000);
      }
      conflicts.inc(report.conflicts);
      doubts.inc({ outcome: "appended" }, report.doubts.appended);
      doubts.inc({ outcome: "absent" }, report.doubts.absent);
    });
  }

  #countEvents(events: OperatorEvents): void {
    const sent = this.#counter("moneta_events_sent_total", "Events written to streams");
    events.on("eventsSent", (count) => sent.inc(count));
    const dropped = this.#counter(
      "moneta_event_streams_dropped_total",
      "Event streams that the node has ended because their clients did not keep up, by reason",
      ["reason"],
      DROP_REASONS.map((reason) => ({ reason })),
    );
    events.on("streamDropped", ({ reason }) => dropped.inc({ reason }));
    const deliveries = this.#counter(
      "moneta_webhook_deliveries_total",
      "Attempts to deliver a transaction to a webhook, by outcome",
      ["webhook", "outcome"],
    );
    const lag = this.#gauge(
      "moneta_webhook_lag_transactions",
      "Newer transactions than the last one delivered to a webhook, those that its filter omits included",
      ["webhook"],
    );
    events.on("webhook", ({ name: webhook, failure, lag: transactions }) => {
      deliveries.inc({ webhook, outcome: failure === undefined ? "delivered" : "failed" });
      lag.set({ webhook }, transactions);
    });
    // Another node measures the webhook's lag now.
    events.on("webhookLeft", (webhook) => lag.remove({ webhook }));
  }
}
