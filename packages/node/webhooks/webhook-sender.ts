import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";
import { storageFailure } from "@moneta/ledger";
import { candidates } from "../events/candidates.ts";
import { type ItemNames, RecordMatcher } from "../events/event-filter.ts";
import type { ReadSnapshot } from "../events/read-snapshot.ts";
import { transactionText } from "../transaction-text.ts";
import type { Webhook } from "./webhook.ts";
import type { WebhookProgress } from "./webhook-progress.ts";
import { deliver, type Message } from "./webhook-request.ts";

/** A webhook that a sender delivers to. */
export interface NamedWebhook extends Webhook {
  /** Its name in logs and metrics, without the path, which may be secret. */
  readonly name: string;
}

/** The result of a delivery. */
export interface WebhookNews {
  readonly name: string;
  /** Why it failed, undefined if it did not. */
  readonly failure: string | undefined;
  /** Transactions not handled. */
  readonly lag: number;
}

/** The longest wait between attempts; each is twice the one before. */
const LONGEST_RETRY_MS = 60_000;
/**
 * The least time between two writes of the position: each is a sync of the ledger's disk, or a
 * query of a cluster's database, and there may be 100 webhooks and a block every 20 ms.
 */
const WRITE_AFTER_MS = 200;
/** How long a pending delivery may take at the end. */
const LINGER_MS = 1000;
const READ_AGAIN_MS = 1000;
/** The most that is found at a time. */
const CHARACTERS_TOGETHER = 64 * 1024;

interface Found {
  readonly message: Message;
  readonly next: number;
}

/**
 * Delivers transactions to one receiver in ledger order, each until it succeeds, before the next.
 * Source: docs/events.md.
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
  /** Aborts a pending delivery. */
  readonly #abort: AbortController = new AbortController();
  #blocks: PromiseWithResolvers<void> = Promise.withResolvers();
  #position = 0;
  #writtenPosition = 0;
  #writtenMs = 0;
  /** Whether the last write failed. */
  #isRefused = false;
  #size = 0;

  constructor(
    webhook: NamedWebhook,
    options: {
      readonly progress: WebhookProgress;
      readonly readSnapshot: ReadSnapshot;
      readonly namesOf: ItemNames;
      /** The first wait after a failure, ms. */
      readonly retryMs: number;
      readonly onNews: (news: WebhookNews) => void;
      /** Called when the ledger could not be read, which is repeated. */
      readonly onFailure: (message: string) => void;
      /** Called when another node is to deliver. */
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

  /** Notes that there are new blocks, or that another node is to deliver. */
  noteBlocks(): void {
    this.#blocks.resolve();
  }

  /** Delivers while it is this node that does, until `end`. Resolves once the position is kept. */
  async run(): Promise<void> {
    while (!this.#isEnding) {
      await this.#attempt(() => this.#begin());
    }
    await this.#attempt(() => this.#write());
  }

  async #begin(): Promise<void> {
    const position = await this.#progress.begin();
    if (position !== undefined) {
      this.#position = position;
      this.#writtenPosition = position;
      await this.#deliverAll();
    }
  }

  async #deliverAll(): Promise<void> {
    while (this.#mayDeliver) {
      await this.#attempt(() => this.#tellPiece());
    }
    if (!this.#progress.isMine) {
      this.#onLeft(this.#webhook.name);
    }
  }

  /** If the ledger cannot be read, reports that, and lets the caller repeat it after a moment. */
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

  /** Delivers from a piece of the ledger, or waits for more. */
  async #tellPiece(): Promise<void> {
    // Before reading, so that no later block is missed.
    this.#blocks = Promise.withResolvers();
    const { found, end, size } = this.#find();
    this.#size = size;
    for (const { message, next } of found) {
      if (!(await this.#deliver(message))) {
        return;
      }
      this.#position = next;
      await this.#writeSometimes();
    }
    this.#position = end;
    if (end < size) {
      await nextTurn(); // others read the ledger on this thread, too
    } else {
      await this.#writeSometimes();
      if (this.#mayDeliver) {
        // What could not be written is written again with the next block.
        const isDue = this.#position !== this.#writtenPosition && !this.#isRefused;
        await Promise.race([this.#blocks.promise, ...(isDue ? [this.#wait(WRITE_AFTER_MS)] : [])]);
      }
    }
  }

  /** Begins no further delivery, and lets the pending one finish for a moment. */
  end(): void {
    this.#ending.abort();
    this.#progress.end();
    this.#blocks.resolve();
    setTimeout(() => this.#abort.abort(), LINGER_MS).unref();
  }

  get #mayDeliver(): boolean {
    return !this.#isEnding && this.#progress.isMine;
  }

  get #isEnding(): boolean {
    return this.#ending.signal.aborted;
  }

  /** The messages of the next piece of the ledger, the end of the piece, and the ledger's. */
  #find(): { readonly found: readonly Found[]; readonly end: number; readonly size: number } {
    return this.#readSnapshot((reader) => {
      const { size } = reader;
      const found: Found[] = [];
      let characters = 0;
      const span = { from: this.#position, to: size };
      const { transactions, end } = candidates(reader, this.#matcher, span);
      for (const { number, id, block, record } of transactions) {
        if (this.#matcher.matchesText(record, this.#namesOf)) {
          const timestamp = new Date(block.header.timestamp * 1000).toISOString();
          const data = transactionText(id, block, record);
          const body = `{"type":"transaction","timestamp":"${timestamp}","data":${data}}`;
          found.push({ message: { id, body }, next: number + 1 });
          characters += body.length;
        }
        if (characters >= CHARACTERS_TOGETHER) {
          return { found, end: number + 1, size };
        }
      }
      return { found, end: end(), size };
    });
  }

  /** Returns whether it succeeded; false only at the end, or when another node is to deliver. */
  async #deliver(message: Message): Promise<boolean> {
    for (let attempt = 0; this.#mayDeliver; attempt += 1) {
      const failure = await deliver(message, this.#webhook, this.#abort.signal);
      this.#tell(failure);
      if (failure === undefined) {
        return true;
      }
      const longest = Math.min(LONGEST_RETRY_MS, this.#retryMs * 2 ** Math.min(attempt, 20));
      // Jitter, so that not all retry at once when a receiver recovers.
      const waitMs = longest * (0.5 + Math.random() / 2);
      await this.#wait(waitMs);
    }
    return false;
  }

  /** Waits so long, or until `end`. */
  async #wait(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.#ending.signal }).catch(() => undefined);
  }

  #tell(failure: string | undefined): void {
    if (failure !== undefined) {
      this.#size = this.#readSnapshot(({ size }) => size);
    }
    this.#onNews({
      name: this.#webhook.name,
      failure,
      lag: Math.max(0, this.#size - this.#position - (failure === undefined ? 1 : 0)),
    });
  }

  async #writeSometimes(): Promise<void> {
    if (performance.now() - this.#writtenMs >= WRITE_AFTER_MS) {
      await this.#write();
    }
  }

  async #write(): Promise<void> {
    const position = this.#position;
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
