import type { LedgerReader } from "@moneta/ledger";
import type { FastifyBaseLogger } from "fastify";
import type { Metrics } from "../metrics.ts";
import type { Webhook } from "../webhooks/webhook.ts";
import { webhookMonitor } from "../webhooks/webhook-monitor.ts";
import { startWebhooks } from "../webhooks/webhook-start.ts";
import { EventStreams } from "./event-streams.ts";
import { EventsWorker } from "./events-handle.ts";

/** Source: chain §11.2. */
const HEIGHT_AFTER_MS = 15_000;
const WEBHOOK_RETRY_MS = 1000;
/** Under load the thread is told of several blocks at once; a lone block is told of at once. */
const BLOCKS_APART_MS = 20;

/** All that tells of new transactions without being asked. */
export interface Events {
  readonly streams: EventStreams;
  /** Begins to tell webhooks. */
  start(): void;
  /** There are new blocks: costs next to nothing, and nothing at all while nobody is to be told. */
  noteBlocks(): void;
  /** Ends the thread; streams have been ended before. */
  close(): Promise<void>;
}

/** Streams and webhooks of a node. Throws `SettingProblem`. */
export function makeEvents(options: {
  /** The ledger. */
  readonly file: string;
  readonly reader: LedgerReader;
  readonly webhooks: readonly Webhook[];
  /** Where it is kept how far each webhook has been told. */
  readonly webhooksFolder: string;
  readonly metrics: Metrics;
  readonly log: () => FastifyBaseLogger;
  /** The thread has ended by a fault. */
  readonly onFailure: (error: Error) => void;
  readonly heightAfterMs?: number;
  readonly webhookRetryMs?: number;
}): Events {
  const { file, reader, metrics, log, onFailure } = options;
  const lost: string[] = [];
  const webhooks = startWebhooks(options.webhooks, options.webhooksFolder, {
    reader,
    onLost: (name) => lost.push(name),
  });
  const noteWebhook = webhookMonitor(metrics, log);
  const worker = new EventsWorker(
    {
      file,
      heightAfterMs: options.heightAfterMs ?? HEIGHT_AFTER_MS,
      webhooks,
      webhookRetryMs: options.webhookRetryMs ?? WEBHOOK_RETRY_MS,
    },
    {
      onMessage(message) {
        switch (message.kind) {
          case "webhook":
            return noteWebhook(message.news);
          case "failure":
            return log().error({ failure: message.message }, "events: it is tried again");
          default:
            return streams.take(message);
        }
      },
      onFailure,
    },
  );
  const streams = new EventStreams({
    worker,
    onSent: (count) => metrics.noteEvents(count),
    onDrop(drop) {
      metrics.noteStreamDropped(drop.reason);
      log().info(drop, "an event stream was dropped");
    },
  });

  let areBlocksNoted = false;
  let lastNotedMs = Number.NEGATIVE_INFINITY;
  return {
    streams,
    start() {
      for (const webhook of lost) {
        log().warn(
          { webhook },
          "a webhook goes on with what comes next: this ledger does not have the last transaction that it was told of",
        );
      }
      if (webhooks.length > 0) {
        worker.post({ kind: "blocks" }); // which starts the thread
      }
    },
    noteBlocks() {
      if ((streams.count > 0 || webhooks.length > 0) && !areBlocksNoted) {
        areBlocksNoted = true;
        const waitMs = lastNotedMs + BLOCKS_APART_MS - performance.now();
        const note = (): void => {
          areBlocksNoted = false;
          lastNotedMs = performance.now();
          worker.post({ kind: "blocks" });
        };
        if (waitMs > 0) {
          setTimeout(note, waitMs).unref();
        } else {
          setImmediate(note); // behind the answers to those who wrote the block
        }
      }
    },
    close: () => worker.close(),
  };
}
