import { type SharedLog, StorageFailure } from "@moneta/ledger";
import { notStored, resultOf } from "./batch-result.ts";
import type { Batch, BatchResult, StorageTrouble, ToLedger } from "./ledger-messages.ts";
import { type LoopOptions, SharedLoop } from "./shared-loop.ts";
import { StorageProbe } from "./storage-probe.ts";

/** How long a block may be only in the block log. */
const FLUSH_MS = 250;

/** After a read waited for a logged block: waiting would cost more than logging saves. */
const COMMITTED_MS = 100;

interface LedgerLoopOptions extends LoopOptions {
  readonly shared: SharedLog | undefined;
  readonly close: () => Promise<void> | void;
}

/** The ledger thread's work; the simulator runs the same code. Source: ARCHITECTURE.md. */
export class LedgerLoop {
  readonly #options: LedgerLoopOptions;
  readonly #storage: StorageProbe;
  readonly #shared: SharedLoop | undefined;
  /** While a block is logged alone. */
  #flushing: { cancel(): void } | undefined;
  /** No flush is tried until a probe succeeds, because it would cost as much. */
  #unflushed: StorageTrouble | undefined;
  /** Until when blocks are committed, by the monotonic clock, ms. */
  #committedUntilMs = -Infinity;

  constructor(options: LedgerLoopOptions) {
    this.#options = options;
    const { ledger, shared: log, time } = options;
    const storage = new StorageProbe({
      ...{ ledger, time },
      run: (work) => this.#run(() => this.#shared?.alone(work) ?? work()),
      onProbed: () => this.#noteProbed(),
    });
    this.#storage = storage;
    this.#shared =
      log &&
      new SharedLoop({
        ...{ ...options, log, storage },
        answer: (result) => this.#answer(result),
        noteFollowed: () => this.#noteFollowed(),
      });
  }

  start(): void {
    this.#shared?.start();
  }

  take(message: ToLedger): void {
    switch (message.kind) {
      case "inTree":
        this.#options.ledger.noteInTree(message.height);
        return;
      case "batch":
        if (message.addressNumbers !== undefined) {
          this.#options.ledger.noteAddressNumbers(message.addressNumbers);
        }
        if (this.#shared === undefined) {
          this.#run(() => this.#execute(message));
        } else {
          this.#shared.take(message);
        }
        return;
      case "look":
        this.#shared?.look(message.look);
        return;
      case "flush":
        if (message.isRead) {
          this.#committedUntilMs = this.#options.time.nowMs() + COMMITTED_MS;
        }
        this.#run(() => this.#flush());
        return;
      default:
        this.#run(() => this.#end());
    }
  }

  /** Any failure except the machine's ends the thread and the process. */
  #run(work: () => void | Promise<void>): void {
    void this.#options.attempt(work);
  }

  /** In several blocks if one would change too much. */
  #execute({ batch, units: all, keyVersions = {}, now, mayLog = false }: Batch): void {
    const { ledger, time } = this.#options;
    for (let from = 0; from < all.length; ) {
      const units = all.slice(from);
      let result: BatchResult;
      try {
        const execution = ledger.execute(units, now, {
          mayLog: mayLog && time.nowMs() >= this.#committedUntilMs,
          keysOf: (unit) => keyVersions[from + unit],
        });
        result = resultOf(execution, [{ batch, from, count: execution.outcomes.length }], ledger);
      } catch (thrown) {
        const failure = this.#storage.note(thrown, units);
        result = notStored([{ batch, from, count: units.length }], ledger, failure);
      }
      from += result.outcomes.length;
      this.#answer(result);
    }
  }

  #answer(result: BatchResult): void {
    this.#options.say({ kind: "result", ...result });
    if (result.loggedHeight === undefined) {
      this.#flushing?.cancel();
      this.#flushing = undefined;
      this.#unflushed = undefined;
    } else {
      this.#flushing ??= this.#options.time.after(FLUSH_MS, () => this.#run(() => this.#flush()));
    }
    this.#checkpoint();
  }

  #flush(): void {
    this.#flushing?.cancel();
    this.#flushing = undefined;
    if (this.#unflushed === undefined) {
      try {
        this.#options.ledger.flush();
      } catch (thrown) {
        this.#unflushed = this.#storage.note(thrown);
      }
    }
    if (this.#unflushed === undefined) {
      this.#noteFollowed();
    } else {
      this.#options.say({ kind: "storage", failure: this.#unflushed });
    }
  }

  #noteProbed(): void {
    const { failure } = this.#storage;
    this.#options.say({ kind: "storage", failure });
    if (failure === undefined) {
      this.#unflushed = undefined;
      this.#noteFollowed();
    }
    this.#shared?.report();
  }

  /** Readers see more blocks. */
  #noteFollowed(): void {
    const { stored, unknownVersion } = this.#options.ledger;
    this.#options.say({ kind: "followed", height: stored.height, unknownVersion });
    this.#checkpoint();
  }

  /** After the news of a block, which need not wait for it. */
  #checkpoint(): void {
    const result = this.#options.ledger.checkpoint();
    if (result !== undefined) {
      this.#options.say({ kind: "checkpoint", result });
    }
  }

  async #end(): Promise<void> {
    await this.#shared?.end();
    this.#storage.end();
    this.#flushing?.cancel();
    try {
      this.#options.ledger.end();
    } catch (thrown) {
      // On a full disk the redo log keeps its blocks for the next start.
      if (!(thrown instanceof StorageFailure)) {
        throw thrown;
      }
    }
    await this.#options.close();
  }
}
