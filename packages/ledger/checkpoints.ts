import { checkpoint, type Database, type LogState, logState } from "./database.ts";

/** What a checkpoint has come to. */
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
 * Decides when the log of changes is copied into the database: between blocks, by the thread that
 * writes them.
 */
export class Checkpoints {
  readonly #database: Database;
  #dueAt = DUE_AT_PAGES;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Does a checkpoint if the log has grown enough. Throws `StorageFailure`, after which the log
   * still has everything, or `SyncFailure`.
   */
  run(): Checkpointed | undefined {
    const { pages } = logState(this.#database);
    if (pages < DUE_AT_PAGES) {
      this.#dueAt = DUE_AT_PAGES;
    }
    if (pages < this.#dueAt) {
      return undefined;
    }
    this.#dueAt = pages + AGAIN_AFTER_PAGES;
    const started = performance.now();
    const state = checkpoint(this.#database);
    return { ...state, ms: performance.now() - started };
  }
}
