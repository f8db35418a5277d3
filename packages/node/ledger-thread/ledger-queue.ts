import { EventEmitter } from "node:events";
import {
  type CheckpointResult,
  type KeyVersions,
  type Outcome,
  SYSTEM_TIME,
  type Time,
  type Unit,
  type UnknownVersion,
} from "@moneta/ledger";
import type { Address } from "@moneta/protocol";
import { FairQueue, type Turn } from "../fair-queue.ts";
import type { PassedOnCheckpoint } from "../follower/follower-messages.ts";
import { lengthOf, received } from "./batch-result.ts";
import { LedgerHandle } from "./ledger-handle.ts";
import type {
  Batch,
  BatchResult,
  FromOpenLedger,
  LedgerThreadData,
  LogReport,
  PostedOutcome,
  Ready,
  StorageTrouble,
  ToLedger,
} from "./ledger-messages.ts";

interface Waiting {
  readonly unit: Unit;
  readonly keyVersions: KeyVersions;
  /** The weight in operations; characters. */
  readonly count: number;
  readonly length: number;
  /** With a shared log: by the monotonic clock, ms. */
  readonly deadlineMs: number | undefined;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (failure: Error) => void;
}

interface Sent {
  /** Undefined once answered. */
  readonly waiting: (Waiting | undefined)[];
  left: number;
  /** By the monotonic clock, ms. */
  readonly sentMs: number;
}

export interface LedgerPort {
  readonly ready: Promise<Ready>;
  post(message: ToLedger): void;
  close(): Promise<void>;
}

export interface PortHandlers {
  readonly onMessage: (message: FromOpenLedger) => void;
  readonly onFailure: (error: Error) => void;
}

const STOPPED: Outcome = {
  kind: "refused",
  fault: { code: "9002", reason: "The ledger has stopped: nothing was written", retryAfter: 10 },
};

/** Larger blocks hardly save more, and leave the ledger thread idle. */
const ENOUGH = 64;

/** From here on a batch may be only logged; a lone operation is committed, with one sync. */
const BUSY_FROM = 2;

/** Followers' wait for blocks that were only logged. */
const FLUSH_SOON_MS = 25;

/** So that the ledger thread need not wait for a busy main thread. */
const BATCHES_AHEAD = 2;

/**
 * Sends once as many are ready as are being verified: a lone operation goes at once; under load
 * half is verified while half is written. Source: ARCHITECTURE.md, third idea.
 */
export class LedgerQueue extends EventEmitter<{
  /** Before the writes are answered. */
  result: [BatchResult];
  checkpoint: [CheckpointResult];
  followed: [Ready];
  log: [LogReport];
  /** Before the blocks that it covers can be read. */
  passedOn: [PassedOnCheckpoint];
}> {
  readonly #thread: LedgerPort;
  readonly #time: Time;
  readonly #writeMs: number | undefined;
  readonly #clock: () => number;
  readonly #gatherMs: number;
  readonly #operationsMax: number;
  readonly #bytesMax: number;
  readonly #takeAddressNumbers: QueueOptions["takeAddressNumbers"];
  readonly #onFailure: (error: Error) => void;
  #hasFailed = false;
  #closed: Promise<void> | undefined;
  readonly #waiting: FairQueue<Waiting> = new FairQueue();
  #waitingCount = 0;
  /** By number, oldest first. */
  readonly #underWay: Map<number, Sent> = new Map();
  #underWayCount = 0;
  #batches = 0;
  readonly #looks: Map<number, (height: number | undefined) => void> = new Map();
  #looksSent = 0;
  #verifying = 0;
  #held = 0;
  #bytes = 0;
  #gathering: { cancel(): void } | undefined;
  #isScheduled = false;
  #storageFailure: StorageTrouble | undefined;
  /** By the monotonic clock, ms. */
  #answeredMs = 0;
  #newest: Ready = { height: -1, unknownVersion: undefined };
  /** Answered, but not yet seen by readers. */
  #loggedHeight: number | undefined;
  readonly #awaitingFlush: ((isFlushed: boolean) => void)[] = [];
  #flushingSoon: { cancel(): void } | undefined;
  #passedOn: PassedOnCheckpoint | undefined;
  #onIdle: (() => void) | undefined;

  private constructor(connect: (handlers: PortHandlers) => LedgerPort, options: QueueOptions) {
    super();
    this.#time = options.time ?? SYSTEM_TIME;
    this.#writeMs = options.writeMs;
    this.#clock = options.clock;
    this.#gatherMs = options.gatherMs;
    this.#operationsMax = options.operationsMax;
    this.#bytesMax = options.bytesMax;
    this.#takeAddressNumbers = options.takeAddressNumbers;
    this.#onFailure = options.onFailure;
    this.#thread = connect({
      onMessage: (message) => this.#take(message),
      onFailure: (error) => this.#fail(error),
    });
  }

  /** Resolves once the ledger is open. A thread that fails later ends the process. */
  static start(data: LedgerThreadData, options: QueueOptions): Promise<LedgerQueue> {
    return LedgerQueue.over((handlers) => new LedgerHandle(data, handlers), options);
  }

  static async over(
    connect: (handlers: PortHandlers) => LedgerPort,
    options: QueueOptions,
  ): Promise<LedgerQueue> {
    const queue = new LedgerQueue(connect, options);
    queue.#newest = await queue.#thread.ready;
    return queue;
  }

  /** Seen by readers. */
  get height(): number {
    return this.#newest.height;
  }

  get unknownVersion(): UnknownVersion | undefined {
    return this.#newest.unknownVersion;
  }

  /** Readers may not see it yet. */
  get answeredHeight(): number {
    return this.#loggedHeight ?? this.height;
  }

  get isBehind(): boolean {
    return this.#loggedHeight !== undefined;
  }

  /** Undefined once the disk takes blocks again. */
  get storageFailure(): StorageTrouble | undefined {
    return this.#storageFailure;
  }

  noteInTree(height: number): void {
    this.#thread.post({ kind: "inTree", height });
  }

  /** How long the ledger thread has worked without a result, ms. */
  get underWayMs(): number {
    const [oldest] = this.#underWay.values();
    const since = Math.max(oldest?.sentMs ?? Infinity, this.#answeredMs);
    return Math.max(0, this.#time.nowMs() - since);
  }

  /** Possibly before the ledger was open. */
  get passedOn(): PassedOnCheckpoint | undefined {
    return this.#passedOn;
  }

  /** Waiting, being verified or executed. */
  get length(): number {
    return this.#waitingCount + this.#underWayCount + this.#verifying + this.#held;
  }

  /** In characters. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The next block may wait for it, for `gatherMs`, until `endVerifying`. */
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

  /** Until `release` with the same numbers. No block waits for it. */
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
   * Never splits a unit; a bundle counts as `count` operations. Rejects if the thread ends while it
   * has it: the outcome is unknown. Source: batches §2.12, bundles §8.
   */
  submit(
    unit: Unit,
    turn?: Turn,
    count: number = unit.length,
    keyVersions: KeyVersions = undefined,
  ): Promise<Outcome> {
    if (this.#hasFailed || this.#closed !== undefined) {
      return Promise.resolve(STOPPED);
    }
    return new Promise((resolve, reject) => {
      const length = lengthOf(unit);
      const deadlineMs = this.#writeMs && this.#time.nowMs() + this.#writeMs;
      const waiting = { unit, keyVersions, count, length, deadlineMs, resolve, reject };
      this.#waiting.push(waiting, turn);
      this.#waitingCount += count;
      this.#bytes += length;
      this.#schedule();
    });
  }

  /** A height of a shared log that can be read now, if known in time. Source: cluster §4. */
  look(): Promise<number | undefined> {
    if (this.#hasFailed || this.#closed !== undefined) {
      return Promise.resolve(undefined);
    }
    return new Promise((resolve) => {
      const look = this.#looksSent;
      this.#looksSent += 1;
      this.#looks.set(look, resolve);
      this.#thread.post({ kind: "look", look });
    });
  }

  /** False if the disk does not permit it: a read would lack them. Source: conventions §2.3. */
  flushed(): Promise<boolean> | undefined {
    if (!this.isBehind) {
      return undefined;
    }
    return new Promise((resolve) => {
      this.#awaitingFlush.push(resolve);
      if (this.#awaitingFlush.length === 1) {
        this.#thread.post({ kind: "flush", isRead: true });
      }
    });
  }

  /** Within some milliseconds, for followers of blocks. */
  flushSoon(): void {
    if (this.isBehind) {
      this.#flushingSoon ??= this.#time.after(FLUSH_SOON_MS, () => {
        this.#flushingSoon = undefined;
        if (this.isBehind) {
          this.#thread.post({ kind: "flush", isRead: false });
        }
      });
    }
  }

  #noteFlushed(isFlushed: boolean): void {
    if (isFlushed) {
      this.#loggedHeight = undefined;
    }
    for (const resolve of this.#awaitingFlush.splice(0)) {
      resolve(isFlushed);
    }
  }

  async drain(): Promise<void> {
    if (this.length > 0) {
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve;
      });
    }
  }

  /** After the sent batches. Refuses waiting units. After a failed sync it closes nothing. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#refuseWaiting();
    await this.#thread.close();
    this.#rejectUnderWay(new Error("the ledger has been closed"));
  }

  // After pending events: operations that arrive together go together.
  #schedule(): void {
    if (!this.#isScheduled) {
      this.#isScheduled = true;
      this.#time.soon(() => {
        this.#isScheduled = false;
        this.#sendOrGather();
      });
    }
  }

  #sendOrGather(): void {
    const ready = this.#waitingCount;
    if (this.#writeMs !== undefined) {
      // The other side merges units and knows the deadlines.
      while (this.#waitingCount > 0) {
        this.#send();
      }
      return;
    }
    if (ready === 0 || this.#underWay.size >= BATCHES_AHEAD) {
      return;
    }
    const isIdle = this.#underWay.size === 0;
    if (ready >= ENOUGH || ready >= this.#operationsMax || (isIdle && ready >= this.#verifying)) {
      this.#send();
    } else if (isIdle) {
      this.#gathering ??= this.#time.after(this.#gatherMs, () => this.#send());
    }
  }

  #send(): void {
    this.#gathering?.cancel();
    this.#gathering = undefined;
    const batch = this.#takeForBlock();
    const number = this.#batches;
    this.#batches += 1;
    this.#underWay.set(number, {
      waiting: [...batch],
      left: batch.length,
      sentMs: this.#time.nowMs(),
    });
    const taken = countOf(batch);
    this.#waitingCount -= taken;
    this.#underWayCount += taken;
    this.#thread.post({
      kind: "batch",
      batch: number,
      units: batch.map(({ unit }) => unit),
      ...versionsIn(batch),
      addressNumbers: this.#takeAddressNumbers?.(),
      now: this.#clock(),
      mayLog: taken >= BUSY_FROM || this.#waitingCount + this.#verifying > 0,
      ...(this.#writeMs === undefined
        ? {}
        : {
            deadlines: batch.map(({ deadlineMs }) => deadlineMs as number),
            counts: batch.map(({ count }) => count),
          }),
    });
  }

  /** At least one unit, however large. */
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
        return;
      case "expired":
        this.#answer(message);
        this.#noteIdle();
        return;
      case "followed":
        this.#follow(message);
        return;
      case "looked":
        this.#looks.get(message.look)?.(message.height);
        this.#looks.delete(message.look);
        return;
      case "log":
        this.emit("log", message);
        return;
      case "passedOn":
        this.#passedOn = message.checkpoint;
        this.emit("passedOn", message.checkpoint);
        return;
      case "checkpoint":
        this.emit("checkpoint", message.result);
        return;
      case "storage":
        this.#storageFailure = message.failure;
        if (message.failure !== undefined && this.isBehind) {
          this.#noteFlushed(false);
        }
        return;
      default:
        unreachable(message);
    }
  }

  #follow({ height, unknownVersion }: Ready): void {
    this.#newest = { height, unknownVersion };
    this.#noteFlushed(true);
    this.emit("followed", this.#newest);
  }

  /** `onFailure` first: after a failed sync it ends the process before any response. */
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
    this.#gathering?.cancel();
    for (const { length, resolve } of this.#waiting.takeAll()) {
      this.#bytes -= length;
      resolve(STOPPED);
    }
    this.#waitingCount = 0;
    this.#noteIdle();
  }

  #rejectUnderWay(reason: Error): void {
    const open = [...this.#underWay.values()].flatMap(({ waiting }) => waiting);
    this.#underWay.clear();
    for (const { count, length, reject } of open.filter((one) => one !== undefined)) {
      this.#bytes -= length;
      this.#underWayCount -= count;
      reject(reason);
    }
    for (const resolve of this.#looks.values()) {
      resolve(undefined);
    }
    this.#looks.clear();
    this.#noteFlushed(false);
    this.#noteIdle();
  }

  #finish(result: BatchResult): void {
    this.#newest = { height: result.height, unknownVersion: result.unknownVersion };
    this.#storageFailure = result.failure;
    if (result.loggedHeight === undefined) {
      this.#noteFlushed(true);
    } else {
      this.#loggedHeight = result.loggedHeight;
    }
    this.#answeredMs = this.#time.nowMs();
    this.emit("result", result);
    this.#answer(result);
    this.#schedule();
    this.#noteIdle();
  }

  /** Except those that were answered at their deadline. */
  #answer({ outcomes, parts }: Pick<BatchResult, "outcomes" | "parts">): void {
    let next = 0;
    for (const { batch, from, count } of parts) {
      const sent = this.#underWay.get(batch);
      for (let index = from; index < from + count; index += 1) {
        const outcome = received(outcomes[next] as PostedOutcome);
        next += 1;
        const waiting = sent?.waiting[index];
        if (sent !== undefined && waiting !== undefined) {
          sent.waiting[index] = undefined;
          sent.left -= 1;
          this.#bytes -= waiting.length;
          this.#underWayCount -= waiting.count;
          waiting.resolve(outcome);
        }
      }
      if (sent?.left === 0) {
        this.#underWay.delete(batch);
      }
    }
  }

  // Later: units that were just verified will be submitted.
  #noteIdle(): void {
    if (this.#onIdle !== undefined) {
      this.#time.soon(() => {
        if (this.length === 0) {
          this.#onIdle?.();
        }
      });
    }
  }
}

/** Few addresses ever change their keys. */
function versionsIn(batch: readonly Waiting[]): Pick<Batch, "keyVersions"> {
  const changed = batch.flatMap(({ keyVersions }, index) =>
    keyVersions === undefined ? [] : [[index, keyVersions] as const],
  );
  return changed.length === 0 ? {} : { keyVersions: Object.fromEntries(changed) };
}

function countOf(waiting: readonly Waiting[]): number {
  return waiting.reduce((sum, { count }) => sum + count, 0);
}

function unreachable(message: never): never {
  throw new Error(`the ledger thread says ${JSON.stringify(message)}`);
}

export interface QueueOptions {
  readonly time?: Time;
  /** With a shared log: an operation's wait for its block, ms. */
  readonly writeMs?: number | undefined;
  /** Unix seconds. */
  readonly clock: () => number;
  readonly gatherMs: number;
  readonly operationsMax: number;
  readonly bytesMax: number;
  /** Looked up since the last batch, while requests were checked; undefined if none. */
  readonly takeAddressNumbers?: () => ReadonlyMap<Address, number> | undefined;
  /** The thread ended by a fault, or stopped after a `SyncFailure`. */
  readonly onFailure: (error: Error) => void;
}
