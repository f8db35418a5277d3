import { checkpoint, checkpointPast, type Database, type LogState, logState } from "./database.ts";

interface Checkpointed extends LogState {
  readonly ms: number;
}

export type CheckpointResult = Checkpointed | { readonly failure: string };

/**
 * Pages (4 KB). Below 4,062 the index of the log keeps to its first 32 KB, which no full disk can
 * refuse. Some hundred pages more come while another thread copies.
 */
const DUE_AT_PAGES = 3600;

/** Pages that the log grows before another attempt. */
const AGAIN_AFTER_PAGES = 1000;

/** Pages (56 MB). A busy node always has readers: a flush that never waits would let the WAL grow. */
const WAITS_FROM_PAGES = 4 * DUE_AT_PAGES;
const READERS_MS = 100;

/** Copies the log of changes on another thread, as far as readers permit. Never rejects. */
export type CopyLog = () => Promise<void>;

/** Decides between blocks when the log of changes is copied into the database. */
export class Checkpoints {
  readonly #database: Database;
  #dueAt = DUE_AT_PAGES;
  /** Pages copied by the last checkpoint: fewer are copied only of a log that is begun anew. */
  #copied = 0;
  #copy: CopyLog | undefined;
  /** Most pages of the log. After the copy, only those written meanwhile remain. */
  #most: "uncopied" | "being copied" | "copied" = "uncopied";

  constructor(database: Database) {
    this.#database = database;
  }

  /** From now on most pages are copied by another thread, while blocks go on. */
  copyBy(copy: CopyLog): void {
    this.#copy = copy;
  }

  /** Throws `StorageFailure`, after which the log still has everything, or `SyncFailure`. */
  run(): Checkpointed | undefined {
    if (this.#most === "being copied") {
      return undefined;
    }
    const { pages, copied } = logState(this.#database);
    if (copied < this.#copied) {
      this.#dueAt = DUE_AT_PAGES;
      this.#most = "uncopied";
    }
    this.#copied = copied;
    if (pages < this.#dueAt) {
      return undefined;
    }
    if (this.#copy !== undefined && this.#most === "uncopied") {
      void this.#copyMost(this.#copy);
      return undefined;
    }
    this.#most = "uncopied";
    const waits = pages >= WAITS_FROM_PAGES;
    this.#dueAt = pages + (waits ? pages / 4 : AGAIN_AFTER_PAGES);
    const started = performance.now();
    const state = waits ? checkpointPast(this.#database, READERS_MS) : checkpoint(this.#database);
    this.#copied = state.copied;
    return { ...state, ms: performance.now() - started };
  }

  async #copyMost(copy: CopyLog): Promise<void> {
    this.#most = "being copied";
    await copy();
    this.#most = "copied";
  }
}
