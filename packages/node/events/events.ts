import type { MessagePort } from "node:worker_threads";
import type { LedgerReader } from "@moneta/ledger";
import type { HeldLease } from "../cluster/housekeeping.ts";
import type { OperatorEvents } from "../operator/operator-events.ts";
import type { Webhook } from "../webhooks/webhook.ts";
import {
  startSharedWebhooks,
  startWebhooks,
  type WebhookStart,
} from "../webhooks/webhook-start.ts";
import { EventStreams } from "./event-streams.ts";
import { EventsHandle } from "./events-handle.ts";
import type { FromEvents } from "./events-messages.ts";

/** Source: chain §11.2. */
const HEIGHT_AFTER_MS = 15_000;
const WEBHOOK_RETRY_MS = 1000;
/** Under load one message covers several blocks. */
const BLOCKS_APART_MS = 20;

export class Events {
  readonly streams: EventStreams;
  readonly #options: EventsOptions;
  readonly #webhooks: readonly WebhookStart[];
  /** Webhooks whose last transaction this ledger lacks. */
  readonly #lost: string[] = [];
  readonly #thread: EventsHandle;
  #areBlocksNoted = false;
  #lastNotedMs = Number.NEGATIVE_INFINITY;

  /** Throws `SettingProblem`. */
  constructor(options: EventsOptions) {
    const { file, reader, operatorEvents, onFailure } = options;
    this.#options = options;
    this.#webhooks =
      options.rows === undefined
        ? startWebhooks(options.webhooks, options.webhooksFolder, {
            reader,
            onLost: (name) => this.#lost.push(name),
          })
        : startSharedWebhooks(options.webhooks, options.webhooksFolder);
    this.#thread = new EventsHandle(
      {
        file,
        heightAfterMs: options.heightAfterMs ?? HEIGHT_AFTER_MS,
        webhooks: this.#webhooks,
        webhookRetryMs: options.webhookRetryMs ?? WEBHOOK_RETRY_MS,
        rows: options.rows,
      },
      { onMessage: (message) => this.#take(message), onFailure },
    );
    this.streams = new EventStreams({
      thread: this.#thread,
      onSent: (count) => operatorEvents.emit("eventsSent", count),
      onDrop: (drop) => operatorEvents.emit("streamDropped", drop),
    });
  }

  start(): void {
    for (const webhook of this.#lost) {
      this.#options.operatorEvents.emit("webhookLost", webhook);
    }
    if (this.#webhooks.length > 0) {
      this.#thread.post({ kind: "blocks" }); // which starts the thread
    }
  }

  get hasFollowers(): boolean {
    return this.streams.count > 0 || this.#webhooks.length > 0;
  }

  /** Costs nothing without streams and webhooks. */
  noteBlocks(): void {
    if (this.#areBlocksNoted || !this.hasFollowers) {
      return;
    }
    this.#areBlocksNoted = true;
    const note = (): void => {
      this.#areBlocksNoted = false;
      this.#lastNotedMs = performance.now();
      this.#thread.post({ kind: "blocks" });
    };
    const waitMs = this.#lastNotedMs + BLOCKS_APART_MS - performance.now();
    if (waitMs > 0) {
      setTimeout(note, waitMs).unref();
    } else {
      setImmediate(note); // after the responses to the writers of the block
    }
  }

  noteLeases(leases: readonly HeldLease[]): void {
    if (this.#webhooks.length > 0) {
      this.#thread.post({ kind: "leases", leases });
    }
  }

  /** Streams must have ended before. Can be repeated. */
  close(): Promise<void> {
    return this.#thread.close();
  }

  #take(message: FromEvents): void {
    switch (message.kind) {
      case "webhook":
        this.#options.operatorEvents.emit("webhook", message.news);
        break;
      case "webhookLeft":
        this.#options.operatorEvents.emit("webhookLeft", message.name);
        break;
      case "webhookLost":
        this.#options.operatorEvents.emit("webhookLost", message.name);
        break;
      case "failure":
        this.#options.operatorEvents.emit("failed", { work: "events", error: message.message });
        break;
      default:
        this.streams.take(message);
        break;
    }
  }
}

export interface EventsOptions {
  readonly file: string;
  readonly reader: LedgerReader;
  readonly webhooks: readonly Webhook[];
  readonly webhooksFolder: string;
  readonly operatorEvents: OperatorEvents;
  readonly onFailure: (error: Error) => void;
  readonly rows: MessagePort | undefined;
  readonly heightAfterMs?: number | undefined;
  readonly webhookRetryMs?: number | undefined;
}
