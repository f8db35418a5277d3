import { EventEmitter } from "node:events";
import type { Outcome, UnknownVersion } from "@moneta/ledger";
import { FairQueue } from "../fair-queue.ts";
import { LedgerHandle } from "./ledger-handle.ts";
import type {
  BatchResult,
  CheckpointResult,
  FromOpenLedger,
  LedgerThreadData,
  Ready,
} from "./ledger-messages.ts";

interface Waiting {
  readonly operation: string;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (failure: Error) => void;
}

const STOPPED: Outcome = {
  kind: "refused",
  fault: { code: "9002", reason: "The ledger has stopped: nothing was written", retryAfter: 10 },
};

/**
 * Enough operations to send a block at once: larger blocks hardly save more, and leave the ledger
 * thread idle.
 */
const ENOUGH = 64;

/** Batches sent ahead, so that the ledger thread need not wait for a busy main thread. */
const BATCHES_AHEAD = 2;

/**
 * Sends operations to the ledger thread in batches, one for each block. It sends once at least as
 * many are ready as are being verified: a lone operation goes at once, and under load one half is
 * verified while the other is written. Waiting for all left cores idle. Source: ARCHITECTURE.md,
 * third idea.
 */
export class LedgerQueue extends EventEmitter<{
  /** The result of a batch, emitted before its writes are answered. */
  result: [BatchResult];
  checkpoint: [CheckpointResult];
}> {
  readonly #thread: LedgerHandle;
  readonly #clock: () => number;
  readonly #gatherMs: number;
  readonly #operationsMax: number;
  readonly #bytesMax: number;
  readonly #onFailure: (error: Error) => void;
  #hasFailed = false;
  #closed: Promise<void> | undefined;
  readonly #waiting: FairQueue<Waiting> = new FairQueue();
  /** Batches sent and not yet answered, oldest first. */
  readonly #underWay: (readonly Waiting[])[] = [];
  #underWayCount = 0;
  #verifying = 0;
  #held = 0;
  #bytes = 0;
  #gathering: NodeJS.Timeout | undefined;
  #isScheduled = false;
  #newest: Ready = { height: -1, unknownVersion: undefined };
  #onIdle: (() => void) | undefined;

  private constructor(data: LedgerThreadData, options: QueueOptions) {
    super();
    this.#clock = options.clock;
    this.#gatherMs = options.gatherMs;
    this.#operationsMax = options.operationsMax;
    this.#bytesMax = options.bytesMax;
    this.#onFailure = options.onFailure;
    this.#thread = new LedgerHandle(data, {
      onMessage: (message) => this.#take(message),
      onFailure: (error) => this.#fail(error),
    });
  }

  /**
   * Starts the thread; resolves once the ledger is open. A thread that fails later fails the
   * process.
   */
  static async start(data: LedgerThreadData, options: QueueOptions): Promise<LedgerQueue> {
    const queue = new LedgerQueue(data, options);
    queue.#newest = await queue.#thread.ready;
    return queue;
  }

  /** Number of the newest block. */
  get height(): number {
    return this.#newest.height;
  }

  /** A version of the rules that is announced or in force, and that this software does not know. */
  get unknownVersion(): UnknownVersion | undefined {
    return this.#newest.unknownVersion;
  }

  /** Operations that wait, are being verified or executed. */
  get length(): number {
    return this.#waiting.length + this.#underWayCount + this.#verifying + this.#held;
  }

  /** Their memory, in characters. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Notes that an operation of so many characters is being verified. The next block may wait for
   * it, for `gatherMs`. `endVerifying` gets the same number.
   */
  beginVerifying(length: number): void {
    this.#verifying += 1;
    this.#bytes += length;
  }

  endVerifying(length: number): void {
    this.#verifying -= 1;
    this.#bytes -= length;
    this.#schedule();
    this.#noteIdle();
  }

  /**
   * Counts a request as so many operations, until `release` with the same numbers. No block waits
   * for it.
   */
  hold(cost: number, length: number): void {
    this.#held += cost;
    this.#bytes += length;
  }

  release(cost: number, length: number): void {
    this.#held -= cost;
    this.#bytes -= length;
    this.#noteIdle();
  }

  /**
   * Executes a verified operation, in canonical form. Refuses once the ledger thread has ended.
   * Rejects if that ends while it has the operation, because then the outcome is unknown. Operations
   * of one `request` take turns with others, and keep their order.
   */
  submit(operation: string, request?: object): Promise<Outcome> {
    if (this.#hasFailed || this.#closed !== undefined) {
      return Promise.resolve(STOPPED);
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ operation, resolve, reject }, request);
      this.#bytes += operation.length;
      this.#schedule();
    });
  }

  /** Waits for all operations being verified or submitted. */
  async drain(): Promise<void> {
    if (this.length > 0) {
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve;
      });
    }
  }

  /**
   * Closes the ledger and ends the thread after the batches sent. Refuses what waits. After a
   * failed sync it closes nothing.
   */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#refuseWaiting();
    await this.#thread.close();
    this.#rejectUnderWay(new Error("the ledger has been closed"));
  }

  // After the events at hand, so that operations that arrive together go together.
  #schedule(): void {
    if (!this.#isScheduled) {
      this.#isScheduled = true;
      setImmediate(() => {
        this.#isScheduled = false;
        this.#sendOrGather();
      });
    }
  }

  #sendOrGather(): void {
    const ready = this.#waiting.length;
    if (ready === 0 || this.#underWay.length >= BATCHES_AHEAD) {
      return;
    }
    const isIdle = this.#underWay.length === 0;
    if (ready >= ENOUGH || ready >= this.#operationsMax || (isIdle && ready >= this.#verifying)) {
      this.#send();
    } else if (isIdle) {
      this.#gathering ??= setTimeout(() => this.#send(), this.#gatherMs);
    }
  }

  #send(): void {
    clearTimeout(this.#gathering);
    this.#gathering = undefined;
    const batch = this.#takeForBlock();
    this.#underWay.push(batch);
    this.#underWayCount += batch.length;
    const operations = batch.map(({ operation }) => operation);
    this.#thread.post({ kind: "batch", operations, now: this.#clock() });
  }

  /** Takes as many waiting operations as fit into one block; at least one, however large. */
  #takeForBlock(): readonly Waiting[] {
    let count = 0;
    let bytes = 0;
    return this.#waiting.takeWhile(({ operation }) => {
      bytes += operation.length;
      if (count > 0 && (bytes > this.#bytesMax || count >= this.#operationsMax)) {
        return false;
      }
      count += 1;
      return true;
    });
  }

  #take(message: FromOpenLedger): void {
    if (message.kind === "result") {
      this.#finish(message);
    } else {
      this.emit("checkpoint", message.result);
    }
  }

  /** `onFailure` first: after a failed sync it ends the process before anything is answered. */
  #fail(error: Error): void {
    if (this.#hasFailed) {
      return;
    }
    this.#hasFailed = true;
    this.#onFailure(error);
    this.#refuseWaiting();
    this.#rejectUnderWay(error);
  }

  #refuseWaiting(): void {
    clearTimeout(this.#gathering);
    for (const { operation, resolve } of this.#waiting.takeAll()) {
      this.#bytes -= operation.length;
      resolve(STOPPED);
    }
    this.#noteIdle();
  }

  #rejectUnderWay(reason: Error): void {
    for (const { operation, reject } of this.#underWay.splice(0).flat()) {
      this.#bytes -= operation.length;
      this.#underWayCount -= 1;
      reject(reason);
    }
    this.#noteIdle();
  }

  #finish(result: BatchResult): void {
    const finished = this.#underWay.shift() ?? [];
    this.#underWayCount -= finished.length;
    this.#newest = { height: result.height, unknownVersion: result.unknownVersion };
    this.emit("result", result);
    for (const [index, { operation, resolve }] of finished.entries()) {
      this.#bytes -= operation.length;
      const outcome = result.outcomes[index] as string | Outcome;
      resolve(typeof outcome === "string" ? { kind: "done", transactionId: outcome } : outcome);
    }
    this.#schedule();
    this.#noteIdle();
  }

  // Later, because what was just verified is about to be submitted.
  #noteIdle(): void {
    if (this.#onIdle !== undefined) {
      setImmediate(() => {
        if (this.length === 0) {
          this.#onIdle?.();
        }
      });
    }
  }
}

export interface QueueOptions {
  /** Unix seconds. */
  readonly clock: () => number;
  readonly gatherMs: number;
  /** Maximum of operations in a block, and of their characters. */
  readonly operationsMax: number;
  readonly bytesMax: number;
  /** Called when the ledger thread ended by a fault, or stands still after a `SyncFailure`. */
  readonly onFailure: (error: Error) => void;
}
