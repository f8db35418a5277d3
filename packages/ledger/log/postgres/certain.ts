import { SyncFailure } from "../../sync-failure.ts";
import type { Time } from "../../time.ts";
import type { BlockPlace } from "../block-log.ts";
import { LogUnavailable } from "../block-log.ts";
import { barrierText, isCertain, timelineOf } from "./barrier.ts";
import { ConnectionLost, type Timelines } from "./engine.ts";
import type { EngineSession } from "./engine-session.ts";

/** At most one barrier of a reader's own in this time. Source: cluster §3. */
const BARRIER_EVERY_MS = 1000;
/**
 * How long a barrier may take, first and at most. Each that is given up leaves a session at the
 * engine until the standby is back, so they become rare.
 */
const PATIENCE_MS = { first: 10_000, most: 600_000 } as const;

/**
 * The block up to which the log is certain: visible, and known to be on every disk that the engine
 * requires. A block becomes certain by a commit of this node, by its author's notice, or by a
 * barrier that began after it was read. Source: cluster §3.
 */
export class Certain {
  readonly #session: EngineSession;
  readonly #time: Time;
  readonly #timelines: Timelines;
  #newest: BlockPlace | undefined;
  #barrier: Promise<void> | undefined;
  #barrierMs = -Infinity;
  readonly #wakes: Set<() => void> = new Set();
  #patienceMs: number = PATIENCE_MS.first;

  constructor(options: {
    /** For barriers: the one that reads. */
    readonly session: EngineSession;
    readonly time: Time;
    readonly timelines: Timelines;
  }) {
    this.#session = options.session;
    this.#time = options.time;
    this.#timelines = options.timelines;
  }

  /** The newest block that is known to be certain; undefined if none is. */
  get newest(): BlockPlace | undefined {
    return this.#newest;
  }

  /** Notes a block that is certain, and with it all before it. */
  note(place: BlockPlace): void {
    if (this.#newest === undefined || place.height > this.#newest.height) {
      this.#newest = place;
      for (const wake of this.#wakes) {
        wake();
      }
    }
  }

  /** Forgets everything: the log was found to be another one. */
  forget(): void {
    this.#newest = undefined;
  }

  /**
   * Makes a block certain that was read before the call, unless it is meanwhile known to be. Rejects
   * with `LogUnavailable`.
   */
  async confirm(place: BlockPlace): Promise<void> {
    // A barrier that began before the block was read proves nothing about it.
    await this.#barrier?.catch(() => undefined);
    const until = this.#barrierMs + BARRIER_EVERY_MS;
    // Most often the author's notice comes first.
    while (!this.#covers(place) && this.#time.nowMs() < until) {
      await this.#noted(until - this.#time.nowMs());
    }
    if (!this.#covers(place)) {
      // Calls that wait for the same moment share it: all have read before it begins.
      this.#barrier ??= this.#write();
      await this.#barrier;
      this.note(place);
    }
  }

  /** Writes a barrier: everything read before the call is certain when it resolves. */
  async barrier(): Promise<void> {
    await this.#barrier?.catch(() => undefined);
    this.#barrier ??= this.#write();
    await this.#barrier;
  }

  /** Waits until another block is certain, or so long. */
  async #noted(waitMs: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        timer.cancel();
        this.#wakes.delete(wake);
        resolve();
      };
      const timer = this.#time.after(waitMs, wake);
      this.#wakes.add(wake);
    });
  }

  #covers({ height }: BlockPlace): boolean {
    return this.#newest !== undefined && this.#newest.height >= height;
  }

  async #write(): Promise<void> {
    this.#barrierMs = this.#time.nowMs();
    try {
      const results = await this.#session.query(barrierText(), this.#patienceMs);
      const timeline = timelineOf(results.at(-3)?.rows[0]?.["timeline"]);
      if (!isCertain(results) || timeline < this.#timelines.highest) {
        this.#session.drop();
        throw new LogUnavailable("the engine has written no barrier, or has a lower timeline");
      }
      this.#timelines.remember(timeline);
      this.#patienceMs = PATIENCE_MS.first;
    } catch (thrown) {
      if (thrown instanceof ConnectionLost) {
        this.#patienceMs = Math.min(2 * this.#patienceMs, PATIENCE_MS.most);
      }
      throw thrown instanceof LogUnavailable || thrown instanceof SyncFailure
        ? thrown
        : new LogUnavailable((thrown as Error).message, { cause: thrown });
    } finally {
      this.#barrier = undefined;
    }
  }
}
