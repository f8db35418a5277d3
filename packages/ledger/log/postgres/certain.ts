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
 * How long a barrier may take. Each that is given up leaves a session at the engine, so they become
 * rare.
 */
const PATIENCE_MS = { first: 10_000, most: 600_000 } as const;

/**
 * The block up to which the log is certain: on every disk that the engine requires. It becomes so
 * by a commit of this node, its author's notice, or a later barrier. Source: cluster §3.
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
    readonly session: EngineSession;
    readonly time: Time;
    readonly timelines: Timelines;
  }) {
    this.#session = options.session;
    this.#time = options.time;
    this.#timelines = options.timelines;
  }

  get newest(): BlockPlace | undefined {
    return this.#newest;
  }

  note(place: BlockPlace): void {
    if (this.#newest === undefined || place.height > this.#newest.height) {
      this.#newest = place;
      for (const wake of this.#wakes) {
        wake();
      }
    }
  }

  /** The log is another one. */
  forget(): void {
    this.#newest = undefined;
  }

  /** Makes a block certain that was read before the call. Rejects with `LogUnavailable`. */
  async confirm(place: BlockPlace): Promise<void> {
    // A barrier that began before the block was read proves nothing about it.
    await this.#barrier?.catch(() => undefined);
    const until = this.#barrierMs + BARRIER_EVERY_MS;
    // Most often the author's notice comes first.
    while (!this.#covers(place) && this.#time.nowMs() < until) {
      await this.#noted(until - this.#time.nowMs());
    }
    if (!this.#covers(place)) {
      this.#barrier ??= this.#write();
      await this.#barrier;
      this.note(place);
    }
  }

  /** Everything read before the call is certain when it resolves. */
  async barrier(): Promise<void> {
    await this.#barrier?.catch(() => undefined);
    this.#barrier ??= this.#write();
    await this.#barrier;
  }

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
