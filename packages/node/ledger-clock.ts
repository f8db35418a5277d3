import { TIMESTAMP_MAX } from "@moneta/protocol";
import type { WriteHold } from "./write-state.ts";
import { UNTIL_MENDED_SECONDS } from "./write-state.ts";

/** Source: cluster §5. */
const WARN_SECONDS = 300;

/** Unix seconds. */
export interface ClockJump {
  readonly shown: number;
  readonly expected: number;
  /** Until the clock is right again. */
  readonly holds: boolean;
}

/** Unix seconds. */
interface Look {
  /** The clock of block timestamps: a shared log's engine's, else the node's. */
  readonly shown: number;
  readonly node: number;
  readonly held: ClockJump | undefined;
}

/**
 * One block of a wrong clock would be final. Production holds writes until clocks agree or a
 * restart accepts the time. Source: cluster §5.
 */
export class LedgerClock {
  readonly #wall: () => number;
  readonly #monotonicMs: () => number;
  #block: () => number;
  readonly #tolerance: number;
  readonly #onJump: (jump: ClockJump) => void;
  readonly #onReturn: () => void;
  #believed: {
    readonly time: number;
    readonly monotonicMs: number;
    /** From before the start: the node was off for any time. */
    readonly isStored?: true;
  };
  #held: ClockJump | undefined;
  #jumps = 0;

  constructor(options: {
    /** Unix seconds. */
    readonly wall: () => number;
    readonly monotonicMs: () => number;
    /** Of the newest block, Unix seconds; 0 if the operator chose it. */
    readonly block?: () => number;
    /** Seconds of difference at which writes are held; Infinity: never. */
    readonly tolerance: number;
    readonly onJump?: (jump: ClockJump) => void;
    readonly onReturn?: () => void;
  }) {
    this.#wall = options.wall;
    this.#monotonicMs = options.monotonicMs;
    this.#block = options.block ?? (() => 0);
    this.#tolerance = options.tolerance;
    this.#onJump = options.onJump ?? (() => undefined);
    this.#onReturn = options.onReturn ?? (() => undefined);
    this.#believed = { time: this.#wall(), monotonicMs: this.#monotonicMs() };
  }

  /** Of more than five minutes, since the start. */
  get jumps(): number {
    return this.#jumps;
  }

  /** At the start, with its earlier time, Unix seconds. */
  compare(earlier: number): void {
    this.#believed = { time: earlier, monotonicMs: this.#monotonicMs(), isStored: true };
  }

  watchBlocks(block: () => number): void {
    this.#block = block;
  }

  /** Another clock is used from now on. */
  setWall(): void {
    this.#held = undefined;
    this.#believed = { time: this.#wall(), monotonicMs: this.#monotonicMs() };
  }

  /** Unix seconds, at most 2^31 - 1. While writes are held, the time without the jump. */
  now(): number {
    const { shown, held } = this.#look();
    return Math.min(held?.expected ?? shown, TIMESTAMP_MAX);
  }

  /** Unix seconds: a shared log's clock; the newest block's time if later than the stored. */
  hold(engine?: number, block = 0): WriteHold | undefined {
    const { shown, node, held } = this.#look(engine, block);
    const retryAfter = UNTIL_MENDED_SECONDS;
    if (held !== undefined) {
      const others = engine === undefined ? "" : `, the log's engine ${timeText(engine)}`;
      const newest = Math.max(block, this.#block());
      const blocks = newest === 0 ? "" : ` and the newest block is of ${timeText(newest)}`;
      const reason = `the clock of this node shows ${timeText(node)}${others}, where ${timeText(held.expected)} is expected${blocks}; set the wrong one right, or the operator restarts the node with --accept-time yes`;
      return { reason, retryAfter };
    }
    if (shown <= TIMESTAMP_MAX) {
      return undefined;
    }
    const whose = engine === undefined ? "this node" : "the log's engine";
    const reason = `the clock of ${whose} shows ${timeText(shown)}; blocks end at ${timeText(TIMESTAMP_MAX)}`;
    return { reason, retryAfter };
  }

  #look(engine?: number, newest = 0): Look {
    const node = this.#wall();
    const shown = engine ?? node;
    const monotonicMs = this.#monotonicMs();
    const passed = Math.floor((monotonicMs - this.#believed.monotonicMs) / 1000);
    const expected = this.#believed.time + passed;
    const isNear = (time: number): boolean => Math.abs(shown - time) <= this.#tolerance;
    if (!isNear(node) || !isNear(expected)) {
      // Other nodes may have made blocks while this one was suspended.
      const block = engine === undefined ? 0 : Math.max(newest, this.#block());
      if (!isNear(node) || block === 0 || !isNear(block)) {
        const isNew = this.#held === undefined;
        this.#held = { shown, expected, holds: true };
        if (isNew) {
          this.#note(this.#held);
        }
        return { shown, node, held: this.#held };
      }
    }
    if (this.#held !== undefined) {
      this.#held = undefined;
      this.#onReturn();
    } else if (
      expected - shown > WARN_SECONDS ||
      (shown - expected > WARN_SECONDS && this.#believed.isStored === undefined)
    ) {
      this.#note({ shown, expected, holds: false });
    }
    // At each look: slewing the clock is no jump.
    this.#believed = { time: shown, monotonicMs };
    return { shown, node, held: undefined };
  }

  #note(jump: ClockJump): void {
    this.#jumps += 1;
    this.#onJump(jump);
  }
}

function timeText(seconds: number): string {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? `${seconds} s` : date.toISOString().replace(".000Z", "Z");
}
