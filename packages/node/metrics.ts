import { invariant, type UnknownVersion } from "@moneta/ledger";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { DiskUsage } from "./data-directory/disk-usage.ts";
import { DROP_REASONS, type DropReason } from "./events/event-streams.ts";
import type { BatchResult, CheckpointResult, LogReport } from "./ledger-thread/ledger-messages.ts";
import type { WebhookNews } from "./webhooks/webhook-sender.ts";
import { WRITE_CAUSES, type WriteCause } from "./write-state.ts";

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Current values, and their limits. */
export interface NodeLook {
  readonly queueLength: number;
  readonly queueMax: number;
  /** Requests whose signatures are being searched for, or wait for that. */
  readonly signatureSearches: number;
  readonly height: number;
  /**
   * Time of the newest block and number of transactions; undefined if the ledger cannot be read
   * now.
   */
  readonly newest: { readonly timestamp: number; readonly size: number } | undefined;
  readonly unknownVersion: UnknownVersion | undefined;
  /** Jumps of the clock by more than five minutes. */
  readonly clockJumps: number;
  /** What holds writes now; undefined if they can be done. */
  readonly writesHeldBy: WriteCause | undefined;
  readonly connections: number;
  readonly connectionsMax: number;
  readonly eventStreams: number;
  readonly eventStreamsMax: number;
  readonly batchStreamsMax: number;
  /** What is known of a shared log; undefined if the log is local. */
  readonly log: (LogReport & { readonly ageSeconds: number }) | undefined;
  /** Transactions in the newest signed checkpoint; 0 without one. */
  readonly signedSize: number;
  /** Whether the newest checkpoint of the cluster is not one of this ledger. */
  readonly isCheckpointRefused: boolean;
}

/** What does not change while a node runs. */
export interface NodeInfo {
  readonly version: string;
  readonly ledger: string;
  readonly deployment: string;
  readonly verifier: string;
}

/** What metrics measure only when they are read. */
export interface MeasuredNode {
  readonly look: () => NodeLook;
  readonly disk: () => Promise<DiskUsage | undefined>;
  readonly info: NodeInfo;
}

/** The node's metrics, in the Prometheus format. */
export class Metrics {
  readonly #registry: Registry = new Registry();
  readonly #requests: Histogram<"route" | "method" | "status">;
  readonly #problems: Counter<"code">;
  readonly #operations: Counter<"outcome">;
  readonly #verifications: Counter;
  readonly #verificationsAgain: Counter;
  readonly #blockSize: Histogram;
  readonly #executeTime: Histogram;
  readonly #commitTime: Histogram;
  readonly #checkpointTime: Histogram;
  readonly #refusedConnections: Counter<"reason">;
  readonly #batchStreams: Gauge;
  readonly #groups: Counter<"outcome">;
  readonly #dryRunTime: Histogram;
  readonly #eventsSent: Counter;
  readonly #streamsDropped: Counter<"reason">;
  readonly #webhookDeliveries: Counter<"webhook" | "outcome">;
  readonly #webhookLag: Gauge<"webhook">;
  readonly #turnWait: Histogram;
  readonly #turnLength: Histogram<"outcome">;
  readonly #conflicts: Counter;
  readonly #doubts: Counter<"outcome">;
  readonly #diskFree: Gauge;
  readonly #diskSize: Gauge;
  readonly #ledgerFiles: Gauge<"file">;
  readonly #info: Gauge<keyof NodeInfo>;
  #node: MeasuredNode | undefined;

  constructor() {
    const registers = [this.#registry];
    const look = (): NodeLook => {
      invariant(this.#node !== undefined, "metrics are read after `measure`");
      return this.#node.look();
    };
    /** A gauge that is measured at each reading, unless `value` is undefined. */
    const gauge = (
      name: string,
      help: string,
      value: (look: NodeLook) => number | undefined,
    ): Gauge =>
      new Gauge({
        name,
        help,
        registers,
        collect(): void {
          const measured = value(look());
          if (measured !== undefined) {
            this.set(measured);
          }
        },
      });
    this.#requests = new Histogram({
      name: "moneta_http_request_duration_seconds",
      help: "Time from a request's head to the end of its answer",
      labelNames: ["route", "method", "status"],
      buckets: SECONDS,
      registers,
    });
    this.#problems = new Counter({
      name: "moneta_problems_total",
      help: "Requests that were refused as a whole, by the code of the problem",
      labelNames: ["code"],
      registers,
    });
    this.#operations = new Counter({
      name: "moneta_operations_total",
      help: "Operations that the ledger thread has dealt with, by what became of them",
      labelNames: ["outcome"],
      registers,
    });
    this.#verifications = new Counter({
      name: "moneta_signature_verifications_total",
      help: "Signatures that were verified, each text with each digest counted",
      registers,
    });
    this.#verificationsAgain = new Counter({
      name: "moneta_signature_verifications_compared_total",
      help: "Verdicts of the native verifier that the platform has confirmed",
      registers,
    });
    gauge(
      "moneta_signature_searches",
      "Requests whose signatures say which token or draft they mean, and for which that is being searched or waits",
      (look) => look.signatureSearches,
    );
    this.#blockSize = new Histogram({
      name: "moneta_block_operations",
      help: "Operations in a block",
      buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000],
      registers,
    });
    this.#executeTime = new Histogram({
      name: "moneta_block_execute_seconds",
      help: "Time to run the rules and hashes of a block",
      buckets: SECONDS,
      registers,
    });
    this.#commitTime = new Histogram({
      name: "moneta_block_sync_seconds",
      help: "Time to make a block durable",
      buckets: SECONDS,
      registers,
    });
    this.#checkpointTime = new Histogram({
      name: "moneta_log_checkpoint_seconds",
      help: "Time that copying the log of changes into ledger.db held the ledger thread, between two blocks",
      buckets: SECONDS,
      registers,
    });
    gauge("moneta_height", "Number of the newest block", (look) => look.height);
    gauge(
      "moneta_unknown_protocol_version",
      "Version of the rules that is announced or in force and that this software does not know; 0 if it knows all",
      (look) => look.unknownVersion?.version ?? 0,
    );
    gauge(
      "moneta_unknown_protocol_height",
      "Number of the first block that this software cannot make because it does not know its rules; 0 if there is none",
      (look) => look.unknownVersion?.height ?? 0,
    );
    gauge(
      "moneta_clock_jumps",
      "Jumps of the clock by more than five minutes since the start",
      (look) => look.clockJumps,
    );
    new Gauge({
      name: "moneta_writes_held",
      help: "1 while nothing can be written, by cause",
      labelNames: ["cause"],
      registers,
      collect(): void {
        const { writesHeldBy } = look();
        for (const cause of WRITE_CAUSES) {
          this.set({ cause }, cause === writesHeldBy ? 1 : 0);
        }
      },
    });
    gauge(
      "moneta_queue_length",
      "Operations that are being verified, wait or are being executed",
      (look) => look.queueLength,
    );
    gauge("moneta_connections", "Open connections of clients", (look) => look.connections);
    gauge(
      "moneta_connections_limit",
      "Connections that may be open; more are accepted for /ready and /health alone",
      (look) => look.connectionsMax,
    );
    this.#refusedConnections = new Counter({
      name: "moneta_connections_refused_total",
      help: "Connections, behind proxies requests, that were refused, by reason: a client had too many, or all together",
      labelNames: ["reason"],
      registers,
    });
    this.#batchStreams = new Gauge({
      name: "moneta_batch_streams",
      help: "Streams of operations that are open: POST /batch with lines",
      registers,
    });
    gauge(
      "moneta_batch_streams_limit",
      "Streams of operations that may be open; more are answered 503",
      (look) => look.batchStreamsMax,
    );
    this.#groups = new Counter({
      name: "moneta_groups_total",
      help: "Groups of operations that were asked for, by what became of them; dry runs not counted",
      labelNames: ["outcome"],
      registers,
    });
    this.#dryRunTime = new Histogram({
      name: "moneta_dry_run_seconds",
      help: "Time that a dry run took on its thread; the time that it waited before not counted",
      buckets: SECONDS,
      registers,
    });
    gauge("moneta_event_streams", "Event streams that are open", (look) => look.eventStreams);
    this.#eventsSent = new Counter({
      name: "moneta_events_sent_total",
      help: "Events written to streams",
      registers,
    });
    this.#streamsDropped = new Counter({
      name: "moneta_event_streams_dropped_total",
      help: "Event streams that the node has ended because their clients did not keep up, by reason",
      labelNames: ["reason"],
      registers,
    });
    this.#webhookDeliveries = new Counter({
      name: "moneta_webhook_deliveries_total",
      help: "Attempts to deliver a transaction to a webhook, by what became of them",
      labelNames: ["webhook", "outcome"],
      registers,
    });
    this.#webhookLag = new Gauge({
      name: "moneta_webhook_lag_transactions",
      help: "Transactions that a webhook has not been told of, those that are not meant for it included",
      labelNames: ["webhook"],
      registers,
    });
    gauge(
      "moneta_queue_limit",
      "Operations that may be under way; more are answered 503",
      (look) => look.queueMax,
    );
    gauge(
      "moneta_event_streams_limit",
      "Event streams that may be open; more are answered 503",
      (look) => look.eventStreamsMax,
    );
    gauge(
      "moneta_newest_block_timestamp_seconds",
      "Time of the newest block, Unix seconds",
      ({ newest }) => newest?.timestamp,
    );
    gauge("moneta_transactions", "Transactions in the ledger", ({ newest }) => newest?.size);
    gauge(
      "moneta_checkpoint_transactions",
      "Transactions in the newest checkpoint that has been signed; one is signed when somebody asks for it",
      (look) => look.signedSize,
    );
    gauge(
      "moneta_checkpoint_refused",
      "1 while the newest checkpoint in the log is not one of this ledger: it is not passed on",
      (look) => (look.isCheckpointRefused ? 1 : 0),
    );
    this.#turnWait = new Histogram({
      name: "moneta_log_turn_wait_seconds",
      help: "Time that this node waited for its turn to write to a shared log",
      buckets: SECONDS,
      registers,
    });
    this.#turnLength = new Histogram({
      name: "moneta_log_turn_seconds",
      help: "Time that this node kept the turn, with its COMMIT, by what became of the block",
      labelNames: ["outcome"],
      buckets: SECONDS,
      registers,
    });
    this.#conflicts = new Counter({
      name: "moneta_log_conflicts_total",
      help: "Blocks that were made again because the log went on without them",
      registers,
    });
    this.#doubts = new Counter({
      name: "moneta_log_doubts_total",
      help: "Blocks whose COMMIT was left open, by what was found in the log afterwards",
      labelNames: ["outcome"],
      registers,
    });
    gauge(
      "moneta_log_in_doubt",
      "1 while it is not known whether a block of this node is in the log",
      ({ log }) => (log?.isInDoubt ? 1 : 0),
    );
    gauge("moneta_log_lag_blocks", "Blocks of a shared log that this node lacks", (look) =>
      Math.max(0, (look.log?.logHeight ?? 0) - look.height),
    );
    gauge(
      "moneta_log_age_seconds",
      "How long ago this node had an answer of its shared log",
      ({ log }) => log?.ageSeconds ?? 0,
    );
    gauge(
      "moneta_log_diverged",
      "1 while the log lacks blocks that this node has shown: it serves nothing",
      ({ log }) => (log?.diverged === undefined ? 0 : 1),
    );
    gauge(
      "moneta_log_refused",
      "1 after a block of the log that this node's software does not come to",
      ({ log }) => (log?.refused === undefined ? 0 : 1),
    );
    gauge(
      "moneta_log_timeline",
      "The highest timeline that the log was certain on; it rises with each fail-over",
      ({ log }) => log?.timeline ?? 0,
    );
    gauge(
      "moneta_log_clock_offset_seconds",
      "The log's clock minus this node's",
      ({ log }) => (log?.clockOffsetMs ?? 0) / 1000,
    );
    this.#diskFree = new Gauge({
      name: "moneta_disk_free_bytes",
      help: "Room for the ledger on the file system that the data directory is on",
      registers,
    });
    this.#diskSize = new Gauge({
      name: "moneta_disk_size_bytes",
      help: "Size of the file system that the data directory is on",
      registers,
    });
    this.#ledgerFiles = new Gauge({
      name: "moneta_ledger_file_bytes",
      help: "Size of the ledger's files; ledger.db-wal is its log of changes",
      labelNames: ["file"],
      registers,
    });
    this.#info = new Gauge({
      name: "moneta_info",
      help: "Always 1; its labels say which software serves which ledger",
      labelNames: ["version", "ledger", "deployment", "verifier"],
      registers,
    });
    // From the start on: Prometheus sees no increase of a series that first appears with 1.
    for (const outcome of ["done", "repeat", "refused"] as const) {
      this.#operations.inc({ outcome }, 0);
      this.#groups.inc({ outcome }, 0);
    }
    for (const reason of ["client", "full"] as const) {
      this.#refusedConnections.inc({ reason }, 0);
    }
    for (const reason of DROP_REASONS) {
      this.#streamsDropped.inc({ reason }, 0);
    }
    for (const outcome of ["certain", "conflict", "doubt", "barrier"] as const) {
      this.#turnLength.zero({ outcome });
    }
    for (const outcome of ["appended", "absent"] as const) {
      this.#doubts.inc({ outcome }, 0);
    }
    collectDefaultMetrics({ register: this.#registry });
  }

  /** Sets what is measured at each reading. Called before the first. */
  measure(node: MeasuredNode): void {
    this.#node = node;
    this.#info.set({ ...node.info }, 1);
  }

  /**
   * Notes an answered request. `route` is the pattern of its path, to bound the number of series.
   */
  noteRequest(request: {
    readonly route: string;
    readonly method: string;
    readonly status: number;
    readonly seconds: number;
  }): void {
    const { route, method, status, seconds } = request;
    this.#requests.observe({ route, method, status }, seconds);
  }

  /** Notes a request that was refused. */
  noteProblem(code: string): void {
    this.#problems.inc({ code });
  }

  /** Notes the outcomes of a batch. */
  noteBatch({ outcomes, executeMs, commitMs }: BatchResult): void {
    let done = 0;
    for (const outcome of outcomes) {
      if (typeof outcome === "string") {
        done += 1;
      } else if ("transactionIds" in outcome && outcome.kind === "done") {
        done += outcome.transactionIds.length;
      } else {
        this.#operations.inc({ outcome: outcome.kind });
      }
    }
    this.#operations.inc({ outcome: "done" }, done);
    if (done > 0) {
      this.#blockSize.observe(done);
      this.#executeTime.observe(executeMs / 1000);
      this.#commitTime.observe(commitMs / 1000);
    }
  }

  noteRefusedConnection(reason: "client" | "full"): void {
    this.#refusedConnections.inc({ reason });
  }

  /** Notes how many streams of operations are open. */
  noteBatchStreams(count: number): void {
    this.#batchStreams.set(count);
  }

  /** Counts the outcome of a group as a whole. */
  noteGroup(outcome: "done" | "repeat" | "refused"): void {
    this.#groups.inc({ outcome });
  }

  noteDryRun(ms: number): void {
    this.#dryRunTime.observe(ms / 1000);
  }

  noteCheckpoint(result: CheckpointResult): void {
    if ("ms" in result) {
      this.#checkpointTime.observe(result.ms / 1000);
    }
  }

  /** Notes what has happened with a shared log since the last report. */
  noteLog({ turns, conflicts, doubts }: LogReport): void {
    for (const { waitMs, lengthMs, kind } of turns) {
      this.#turnWait.observe(waitMs / 1000);
      this.#turnLength.observe({ outcome: kind }, lengthMs / 1000);
    }
    this.#conflicts.inc(conflicts);
    this.#doubts.inc({ outcome: "appended" }, doubts.appended);
    this.#doubts.inc({ outcome: "absent" }, doubts.absent);
  }

  noteVerifications(count: number, again: number): void {
    this.#verifications.inc(count);
    this.#verificationsAgain.inc(again);
  }

  noteEvents(count: number): void {
    this.#eventsSent.inc(count);
  }

  noteStreamDropped(reason: DropReason): void {
    this.#streamsDropped.inc({ reason });
  }

  noteWebhook({ name: webhook, failure, lag }: WebhookNews): void {
    const outcome = failure === undefined ? "delivered" : "failed";
    this.#webhookDeliveries.inc({ webhook, outcome });
    this.#webhookLag.set({ webhook }, lag);
  }

  /** Another node tells a webhook, and knows its lag. */
  forgetWebhook(webhook: string): void {
    this.#webhookLag.remove({ webhook });
  }

  /** The text for Prometheus. */
  async text(): Promise<string> {
    const disk = await this.#node?.disk();
    if (disk !== undefined) {
      this.#diskFree.set(disk.freeBytes);
      this.#diskSize.set(disk.sizeBytes);
      for (const [file, bytes] of Object.entries(disk.ledgerFiles)) {
        this.#ledgerFiles.set({ file }, bytes);
      }
    }
    return await this.#registry.metrics();
  }

  get contentType(): string {
    return this.#registry.contentType;
  }
}
