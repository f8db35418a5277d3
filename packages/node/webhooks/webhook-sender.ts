import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";
import { storageFailure } from "@moneta/ledger";
import { recordParts } from "@moneta/protocol";
import { candidates } from "../events/candidates.ts";
import { type ItemNames, RecordMatcher } from "../events/event-filter.ts";
import type { ReadSnapshot } from "../events/read-snapshot.ts";
import { transactionText } from "../transaction-text.ts";
import { backOffMs, type Delivery, DeliveryWindow, LONGEST_RETRY_MS } from "./delivery-window.ts";
import type { Webhook } from "./webhook.ts";
import type { WebhookProgress } from "./webhook-progress.ts";
import { deliver } from "./webhook-request.ts";

export interface NamedWebhook extends Webhook {
  /** In logs and metrics, without the path, which may be secret. */
  readonly name: string;
}

export interface WebhookNews {
  readonly name: string;
  readonly failure: string | undefined;
  /** Transactions not handled. */
  readonly lag: number;
}

/** To one receiver. After as many failures in a row, one. */
const REQUESTS_MAX = 10;
const RETRY_AFTER_MS = { min: 1000, max: 3_600_000 } as const;
/** A write is a sync or a query; there may be 100 webhooks and a block every 20 ms. */
const WRITE_AFTER_MS = 200;
const LINGER_MS = 1000;
const READ_AGAIN_MS = 1000;
const CHARACTERS_TOGETHER = 64 * 1024;

/**
 * Each until it succeeds: after a crash deliveries repeat, none is lost. Source: docs/events.md.
 */
export class WebhookSender {
  readonly #webhook: NamedWebhook;
  readonly #progress: WebhookProgress;
  readonly #matcher: RecordMatcher;
  readonly #namesOf: ItemNames;
  readonly #readSnapshot: ReadSnapshot;
  readonly #retryMs: number;
  readonly #onNews: (news: WebhookNews) => void;
  readonly #onFailure: (message: string) => void;
  readonly #onLeft: (name: string) => void;
  readonly #ending: AbortController = new AbortController();
  readonly #abort: AbortController = new AbortController();
  #changed: PromiseWithResolvers<void> = Promise.withResolvers();
  #window: DeliveryWindow = new DeliveryWindow(0);
  readonly #underWay: Set<Promise<void>> = new Set();
  #failuresInARow = 0;
  /** As `performance.now`. */
  #pausedUntilMs = 0;
  #writtenPosition = 0;
  #writtenMs = 0;
  /** The last write failed. */
  #isRefused = false;
  #size = 0;

  constructor(
    webhook: NamedWebhook,
    options: {
      readonly progress: WebhookProgress;
      readonly readSnapshot: ReadSnapshot;
      readonly namesOf: ItemNames;
      readonly retryMs: number;
      readonly onNews: (news: WebhookNews) => void;
      /** The ledger could not be read; that is retried. */
      readonly onFailure: (message: string) => void;
      readonly onLeft: (name: string) => void;
    },
  ) {
    this.#webhook = webhook;
    this.#matcher = new RecordMatcher(webhook.filter);
    this.#progress = options.progress;
    this.#readSnapshot = options.readSnapshot;
    this.#namesOf = options.namesOf;
    this.#retryMs = options.retryMs;
    this.#onNews = options.onNews;
    this.#onFailure = options.onFailure;
    this.#onLeft = options.onLeft;
  }

  /** Or another node is to deliver. */
  noteBlocks(): void {
    this.#changed.resolve();
  }

  /** While this node is responsible, until `end`. Resolves once the position is stored. */
  async run(): Promise<void> {
    while (!this.#isEnding) {
      await this.#attempt(() => this.#begin());
    }
    await this.#attempt(() => this.#write());
  }

  async #begin(): Promise<void> {
    const position = await this.#progress.begin();
    if (position !== undefined) {
      this.#window = new DeliveryWindow(position);
      this.#writtenPosition = position;
      await this.#deliverAll();
    }
  }

  async #deliverAll(): Promise<void> {
    while (this.#mayDeliver) {
      await this.#attempt(() => this.#step());
    }
    await Promise.all(this.#underWay);
    if (!this.#progress.isMine) {
      this.#onLeft(this.#webhook.name);
    }
  }

  /** Reports a failed read of the ledger, and retries after a moment. */
  async #attempt(what: () => Promise<void>): Promise<void> {
    try {
      await what();
    } catch (thrown) {
      const failure = storageFailure(thrown);
      if (failure === undefined) {
        throw thrown;
      }
      this.#onFailure(failure.message);
      await this.#wait(READ_AGAIN_MS);
    }
  }

  async #step(): Promise<void> {
    // Before reading, so that no later block is missed.
    this.#changed = Promise.withResolvers();
    const window = this.#window;
    if (window.hasRoom) {
      this.#find();
    }
    const dueMs = this.#send();
    await this.#writeSometimes();
    if (window.hasRoom && window.end < this.#size) {
      await nextTurn();
    } else if (this.#mayDeliver) {
      // A failed write is repeated with the next block.
      const isUnwritten = window.position !== this.#writtenPosition && !this.#isRefused;
      const writeMs = isUnwritten ? WRITE_AFTER_MS : Number.POSITIVE_INFINITY;
      const waitMs = Math.min(dueMs - performance.now(), writeMs, LONGEST_RETRY_MS);
      const timer = setTimeout(this.#changed.resolve, Math.max(0, waitMs));
      await this.#changed.promise;
      clearTimeout(timer);
    }
  }

  /** Returns when the next delivery is due. */
  #send(): number {
    for (;;) {
      const allowed = this.#failuresInARow < REQUESTS_MAX ? REQUESTS_MAX : 1;
      const nowMs = performance.now();
      if (!this.#mayDeliver || this.#underWay.size >= allowed) {
        return Number.POSITIVE_INFINITY;
      }
      if (nowMs < this.#pausedUntilMs) {
        return this.#pausedUntilMs;
      }
      const delivery = this.#window.next(nowMs);
      if (typeof delivery === "number") {
        return delivery;
      }
      delivery.isUnderWay = true;
      const underWay = this.#deliver(delivery).finally(() => {
        this.#underWay.delete(underWay);
        this.#changed.resolve();
      });
      this.#underWay.add(underWay);
    }
  }

  /** Pending deliveries may finish for a moment. */
  end(): void {
    this.#ending.abort();
    this.#progress.end();
    this.#changed.resolve();
    setTimeout(() => this.#abort.abort(), LINGER_MS).unref();
  }

  get #mayDeliver(): boolean {
    return !this.#isEnding && this.#progress.isMine;
  }

  get #isEnding(): boolean {
    return this.#ending.signal.aborted;
  }

  #find(): void {
    this.#readSnapshot((reader) => {
      const { size } = reader;
      const found: Pick<Delivery, "number" | "message" | "addresses">[] = [];
      let characters = 0;
      let last: number | undefined;
      const span = { from: this.#window.end, to: size };
      const { transactions, end } = candidates(reader, this.#matcher, span);
      for (const { number, id, block, record } of transactions) {
        if (this.#matcher.matchesText(record, this.#namesOf)) {
          const timestamp = new Date(block.header.timestamp * 1000).toISOString();
          const data = transactionText(id, block, record);
          const body = `{"type":"transaction","timestamp":"${timestamp}","sequence":${number},"data":${data}}`;
          const addresses = this.#webhook.isInOrder ? addressesOf(record) : [];
          found.push({ number, message: { id, body }, addresses });
          characters += body.length;
        }
        if (characters >= CHARACTERS_TOGETHER) {
          last = number;
          break;
        }
      }
      this.#window.add(found, last === undefined ? end() : last + 1);
      this.#size = size;
    });
  }

  /** Once. Never rejects. */
  async #deliver(delivery: Delivery): Promise<void> {
    const outcome = await deliver(delivery.message, this.#webhook, this.#abort.signal);
    delivery.isUnderWay = false;
    if (outcome.failure === undefined) {
      this.#window.remove(delivery);
      if (this.#failuresInARow >= REQUESTS_MAX) {
        this.#window.retryAll();
      }
      this.#failuresInARow = 0;
    } else {
      this.#noteFailure(delivery, outcome.retryAfterMs);
    }
    this.#tell(outcome.failure);
  }

  #noteFailure(delivery: Delivery, retryAfterMs: number | undefined): void {
    const nowMs = performance.now();
    this.#window.retry(delivery, nowMs, this.#retryMs);
    this.#failuresInARow += 1;
    if (retryAfterMs !== undefined) {
      const { min, max } = RETRY_AFTER_MS;
      delivery.dueMs = nowMs + Math.min(Math.max(retryAfterMs, min), max);
      this.#pausedUntilMs = Math.max(this.#pausedUntilMs, delivery.dueMs);
    } else if (this.#failuresInARow >= REQUESTS_MAX) {
      // The others of the window need not find out one by one.
      const pauseMs = backOffMs(this.#failuresInARow - REQUESTS_MAX, this.#retryMs);
      this.#pausedUntilMs = Math.max(this.#pausedUntilMs, nowMs + pauseMs);
    }
  }

  async #wait(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.#ending.signal }).catch(() => undefined);
  }

  #tell(failure: string | undefined): void {
    const { name } = this.#webhook;
    try {
      this.#size = this.#readSnapshot(({ size }) => size);
    } catch (thrown) {
      if (storageFailure(thrown) === undefined) {
        throw thrown;
      }
      // The next step reports it.
    }
    this.#onNews({ name, failure, lag: Math.max(0, this.#size - this.#window.position) });
  }

  async #writeSometimes(): Promise<void> {
    if (performance.now() - this.#writtenMs >= WRITE_AFTER_MS) {
      await this.#write();
    }
  }

  async #write(): Promise<void> {
    const { position } = this.#window;
    if (position !== this.#writtenPosition) {
      const after = this.#readSnapshot((reader) => reader.transactionIdOf(position - 1)) ?? "";
      this.#writtenMs = performance.now();
      this.#isRefused = !(await this.#progress.keep(after));
      if (!this.#isRefused) {
        this.#writtenPosition = position;
      }
    }
  }
}

function addressesOf(record: string): readonly string[] {
  return [...new Set(recordParts(record).map(({ address }) => address))];
}
