import { EventEmitter } from "node:events";
import {
  type GroupOutcome,
  type Outcome,
  type OutcomeOf,
  refusedUnit,
  type Unit,
  type UnknownVersion,
} from "@moneta/ledger";
import type { Fault } from "@moneta/protocol";
import { FairQueue } from "../fair-queue.ts";
import type { PassedOnCheckpoint } from "../follower/follower-messages.ts";
import { LedgerHandle } from "./ledger-handle.ts";
import type {
  BatchResult,
  CheckpointResult,
  Followed,
  FromOpenLedger,
  LedgerThreadData,
  LogReport,
  Ready,
} from "./ledger-messages.ts";

/** An operation or a group. */
interface Waiting {
  readonly unit: Unit;
  /** How many operations it has, and their characters. */
  readonly count: number;
  readonly length: number;
  readonly resolve: (outcome: Outcome | GroupOutcome) => void;
  readonly reject: (failure: Error) => void;
}

const STOPPED: Fault = {
  code: "9002",
  reason: "The ledger has stopped: nothing was written",
  retryAfter: 10,
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
  /** Blocks that others have made can be read. */
  followed: [Followed];
  log: [LogReport];
  /** A checkpoint that another node has signed, before the blocks that it covers can be read. */
  passedOn: [PassedOnCheckpoint];
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
  #waitingCount = 0;
  /** Batches sent and not yet answered, oldest first. */
  readonly #underWay: (readonly Waiting[])[] = [];
  #underWayCount = 0;
  #verifying = 0;
  #held = 0;
  #bytes = 0;
  #gathering: NodeJS.Timeout | undefined;
  #isScheduled = false;
  #newest: Ready = { height: -1, unknownVersion: undefined };
  #passedOn: PassedOnCheckpoint | undefined;
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

  /** The last one that was passed on, perhaps before the ledger was open. */
  get passedOn(): PassedOnCheckpoint | undefined {
    return this.#passedOn;
  }

  /** Operations that wait, are being verified or executed. */
  get length(): number {
    return this.#waitingCount + this.#underWayCount + this.#verifying + this.#held;
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
    return this.#submit(operation, request);
  }

  /**
   * The same of the operations of a group, which are never split: a block takes all of them or
   * none. Source: batches §2.12.
   */
  submitGroup(operations: readonly string[], request?: object): Promise<GroupOutcome> {
    return this.#submit(operations, request);
  }

  #submit<U extends Unit>(unit: U, request: object | undefined): Promise<OutcomeOf<U>> {
    if (this.#hasFailed || this.#closed !== undefined) {
      return Promise.resolve(refusedUnit(unit, STOPPED));
    }
    return new Promise((resolve, reject) => {
      const count = typeof unit === "string" ? 1 : unit.length;
      const length =
        typeof unit === "string" ? unit.length : unit.reduce((sum, text) => sum + text.length, 0);
      this.#waiting.push(
        { unit, count, length, resolve: resolve as Waiting["resolve"], reject },
        request,
      );
      this.#waitingCount += count;
      this.#bytes += length;
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
    const ready = this.#waitingCount;
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
    const taken = countOf(batch);
    this.#waitingCount -= taken;
    this.#underWayCount += taken;
    this.#thread.post({
      kind: "batch",
      units: batch.map(({ unit }) => unit),
      now: this.#clock(),
    });
  }

  /**
   * Takes as many waiting operations as fit into one block; at least one operation or group,
   * however large.
   */
  #takeForBlock(): readonly Waiting[] {
    let taken = 0;
    let bytes = 0;
    return this.#waiting.takeWhile(({ count, length }) => {
      bytes += length;
      if (taken > 0 && (bytes > this.#bytesMax || taken + count > this.#operationsMax)) {
        return false;
      }
      taken += count;
      return true;
    });
  }

  #take(message: FromOpenLedger): void {
    switch (message.kind) {
      case "result":
        this.#finish(message);
        break;
      case "followed":
        this.#newest = { height: message.height, unknownVersion: message.unknownVersion };
        this.emit("followed", message);
        break;
      case "log":
        this.emit("log", message);
        break;
      case "passedOn":
        this.#passedOn = message.checkpoint;
        this.emit("passedOn", message.checkpoint);
        break;
      case "checkpoint":
        this.emit("checkpoint", message.result);
        break;
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
    for (const { unit, length, resolve } of this.#waiting.takeAll()) {
      this.#bytes -= length;
      resolve(refusedUnit(unit, STOPPED));
    }
    this.#waitingCount = 0;
    this.#noteIdle();
  }

  #rejectUnderWay(reason: Error): void {
    for (const { count, length, reject } of this.#underWay.splice(0).flat()) {
      this.#bytes -= length;
      this.#underWayCount -= count;
      reject(reason);
    }
    this.#noteIdle();
  }

  #finish(result: BatchResult): void {
    const finished = this.#underWay.shift() ?? [];
    this.#underWayCount -= countOf(finished);
    this.#newest = { height: result.height, unknownVersion: result.unknownVersion };
    this.emit("result", result);
    for (const [index, { length, resolve }] of finished.entries()) {
      this.#bytes -= length;
      const outcome = result.outcomes[index] as string | Outcome | GroupOutcome;
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

function countOf(waiting: readonly Waiting[]): number {
  return waiting.reduce((sum, { count }) => sum + count, 0);
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
