import { checkpoint, checkpointPast, type Database, type LogState, logState } from "./database.ts";

export interface Checkpointed extends LogState {
  readonly ms: number;
}

/**
 * Pages of the log of changes, 4 KB each, from which a checkpoint is due. It writes each changed
 * page once, however often it changed, so rarer is cheaper; with fewer than 4,062 the index of the
 * log keeps to its first 32 KB, which no full disk can refuse.
 */
const DUE_AT_PAGES = 4000;

/**
 * Pages that the log grows before another attempt, where a reader has kept it from being reused.
 */
const AGAIN_AFTER_PAGES = 1000;

/**
 * Pages, 64 MB of them, from which on a WAL flush waits for readers, and becomes rarer with the
 * length of the WAL. A busy node reads in every event-loop turn, each time on a new snapshot: a
 * flush that never waits may never find the WAL free of readers, and the WAL would grow.
 */
const WAITS_FROM_PAGES = 4 * DUE_AT_PAGES;
/** How long nothing is written meanwhile, at most: some turns. */
const READERS_MS = 100;

/**
 * Decides when the log of changes is copied into the database: between blocks, by the thread that
 * writes them.
 */
export class Checkpoints {
  readonly #database: Database;
  #dueAt = DUE_AT_PAGES;
  /** Pages that the last checkpoint had copied: fewer are copied only of a log that is begun anew. */
  #copied = 0;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Does a checkpoint if the log has grown enough. Throws `StorageFailure`, after which the log
   * still has everything, or `SyncFailure`.
   */
  run(): Checkpointed | undefined {
    const { pages, copied } = logState(this.#database);
    if (copied < this.#copied) {
      this.#dueAt = DUE_AT_PAGES;
    }
    this.#copied = copied;
    if (pages < this.#dueAt) {
      return undefined;
    }
    const waits = pages >= WAITS_FROM_PAGES;
    this.#dueAt = pages + (waits ? pages / 4 : AGAIN_AFTER_PAGES);
    const started = performance.now();
    const state = waits ? checkpointPast(this.#database, READERS_MS) : checkpoint(this.#database);
    this.#copied = state.copied;
    return { ...state, ms: performance.now() - started };
  }
}
