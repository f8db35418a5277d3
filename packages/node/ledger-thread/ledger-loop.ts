import { type Ledger, type SharedLog, StorageFailure, type Time } from "@moneta/ledger";
import type { LedgerClock } from "../ledger-clock.ts";
import { notStored, posted } from "./batch-result.ts";
import type {
  Batch,
  BatchPart,
  BatchResult,
  FromOpenLedger,
  StorageTrouble,
  ToLedger,
} from "./ledger-messages.ts";
import { SharedLoop } from "./shared-loop.ts";
import { PROBE_BYTES_MIN, PROBE_EVERY_MS, probeBytes, probed, troubleOf } from "./storage-probe.ts";

const SYNC_MS = 5000;

/** How long a block may be only in the block log. */
const FLUSH_MS = 250;

/** After a read waited for a logged block: waiting would cost more than logging saves. */
const COMMITTED_MS = 100;

export interface LoopOptions {
  readonly ledger: Ledger;
  readonly shared: SharedLog | undefined;
  readonly time: Time;
  /** For a shared log: when an unconfirmed COMMIT is reported, ms. */
  readonly syncMs?: number | undefined;
  /** For a shared log: prevents timestamps on which the clocks do not agree. */
  readonly clock?: LedgerClock | undefined;
  readonly operationsMax: number;
  readonly bytesMax: number;
  readonly say: (message: FromOpenLedger) => void;
  /** An error in the work ends the thread. */
  readonly attempt: <T>(work: () => T | Promise<T>) => Promise<T>;
  readonly close: () => Promise<void> | void;
}

/** The ledger thread's work; the simulator runs the same code. Source: ARCHITECTURE.md. */
export class LedgerLoop {
  readonly #options: LoopOptions;
  readonly #shared: SharedLoop | undefined;
  #last: Promise<void> = Promise.resolve();
  /** After a block could not be stored. */
  #probing: { cancel(): void } | undefined;
  /** While a block is logged alone. */
  #flushing: { cancel(): void } | undefined;
  /** No flush is tried until a probe succeeds, because it would cost as much. */
  #unflushed: StorageTrouble | undefined;
  /** Until when blocks are committed, by the monotonic clock, ms. */
  #committedUntilMs = -Infinity;

  constructor(options: LoopOptions) {
    this.#options = options;
    const { shared: log } = options;
    this.#shared =
      log &&
      new SharedLoop({
        ...options,
        log,
        syncMs: options.syncMs ?? SYNC_MS,
        checkpoint: () => this.#checkpoint(),
      });
  }

  start(): void {
    this.#shared?.start();
  }

  take(message: ToLedger): void {
    if (message.kind === "inTree") {
      this.#options.ledger.noteInTree(message.height);
      return;
    }
    if (this.#shared !== undefined && message.kind !== "end" && message.kind !== "flush") {
      this.#shared.take(message);
      return;
    }
    this.#then(async () => {
      if (message.kind === "batch") {
        this.#execute(message);
      } else if (message.kind === "flush") {
        if (message.isRead) {
          this.#committedUntilMs = this.#options.time.nowMs() + COMMITTED_MS;
        }
        this.#flush();
      } else if (message.kind === "end") {
        this.#probing?.cancel();
        this.#flushing?.cancel();
        await this.#shared?.end();
        this.#end();
        await this.#options.close();
      }
    });
  }

  /** Any failure except the machine's ends the thread and the process. */
  #then(work: () => Promise<void>): void {
    this.#last = this.#last.then(() => this.#options.attempt(work));
  }

  /** Until the disk takes `bytes`; meanwhile no write is accepted that would show it. */
  #probeLater(bytes: number): void {
    this.#probing?.cancel();
    this.#probing = this.#options.time.after(PROBE_EVERY_MS, () =>
      this.#then(async () => {
        this.#probing = undefined;
        const failure = probed(this.#options.ledger, bytes);
        this.#options.say({ kind: "storage", failure });
        if (failure === undefined) {
          this.#unflushed = undefined;
          this.#sayFlushed();
        } else {
          this.#probeLater(bytes);
        }
      }),
    );
  }

  /** In several blocks if one would change too much. */
  #execute(batch: Batch): void {
    let from = 0;
    do {
      const result = this.#resultOf(batch, from);
      this.#options.say({ kind: "result", ...result });
      if (result.loggedHeight !== undefined) {
        this.#flushLater();
      } else {
        this.#flushing?.cancel();
        this.#flushing = undefined;
        this.#unflushed = undefined;
      }
      this.#checkpoint();
      from += result.outcomes.length;
    } while (from < batch.units.length);
  }

  #flushLater(): void {
    this.#flushing ??= this.#options.time.after(FLUSH_MS, () => {
      this.#then(async () => this.#flush());
    });
  }

  #flush(): void {
    this.#flushing?.cancel();
    this.#flushing = undefined;
    if (this.#unflushed !== undefined) {
      this.#options.say({ kind: "storage", failure: this.#unflushed });
      return;
    }
    try {
      this.#options.ledger.flush();
    } catch (thrown) {
      if (!(thrown instanceof StorageFailure)) {
        throw thrown;
      }
      this.#unflushed = troubleOf(thrown);
      this.#options.say({ kind: "storage", failure: this.#unflushed });
      this.#probeLater(PROBE_BYTES_MIN);
      return;
    }
    this.#sayFlushed();
    this.#checkpoint();
  }

  #sayFlushed(): void {
    const { head, unknownVersion } = this.#options.ledger;
    this.#options.say({ kind: "followed", height: head.height, unknownVersion });
  }

  /** On a full disk the redo log keeps its blocks for the next start. */
  #end(): void {
    try {
      this.#options.ledger.end();
    } catch (thrown) {
      if (!(thrown instanceof StorageFailure)) {
        throw thrown;
      }
    }
  }

  /** After the result of a block, which need not wait for it. */
  #checkpoint(): void {
    const result = this.#options.ledger.checkpoint();
    if (result !== undefined) {
      this.#options.say({ kind: "checkpoint", result });
    }
  }

  /** As many units from `from` on as fit into a block. */
  #resultOf(
    { batch, units: all, keyVersions = {}, now, mayLog = false }: Batch,
    from: number,
  ): BatchResult {
    const { ledger, time } = this.#options;
    const isLogged = mayLog && time.nowMs() >= this.#committedUntilMs;
    const units = all.slice(from);
    const partOf = (count: number): readonly BatchPart[] => [{ batch, from, count }];
    try {
      const { outcomes, ...execution } = ledger.execute(units, now, {
        mayLog: isLogged,
        keysOf: (unit) => keyVersions[from + unit],
      });
      return {
        ...execution,
        outcomes: outcomes.map(posted),
        parts: partOf(outcomes.length),
        unknownVersion: ledger.unknownVersion,
        failure: undefined,
      };
    } catch (thrown) {
      if (!(thrown instanceof StorageFailure)) {
        throw thrown;
      }
      this.#probeLater(probeBytes(units));
      const result = notStored(units, partOf(units.length), ledger, thrown);
      return { ...result, loggedHeight: ledger.loggedHeight };
    }
  }
}
