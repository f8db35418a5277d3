import { TIMESTAMP_MAX } from "@moneta/protocol";
import { UNTIL_MENDED_SECONDS } from "./retry-after.ts";
import type { WriteHold } from "./write-state.ts";

const HOUR = 3600;
const DAY = 86_400;

/** A jump of the clock against the monotonic one, Unix seconds. */
export interface ClockJump {
  readonly shown: number;
  readonly expected: number;
  /** Whether writes are refused until it is back. */
  readonly holds: boolean;
}

/**
 * The time of new blocks. Ledger time never runs backwards, so one block of a wrong clock would be
 * final. So in production a jump of more than a day holds writes, until the clock is back or a
 * restart accepts it.
 */
export class LedgerClock {
  readonly #wall: () => number;
  readonly #monotonicMs: () => number;
  readonly #holds: boolean;
  readonly #onJump: (jump: ClockJump) => void;
  readonly #onReturn: () => void;
  /** The last trusted time, and the monotonic clock then. */
  #believed: { readonly wall: number; readonly monotonicMs: number };
  #held: ClockJump | undefined;
  #jumps = 0;

  constructor(options: {
    /** Unix seconds. */
    readonly wall: () => number;
    readonly monotonicMs: () => number;
    /** Whether a jump of more than a day holds writes. */
    readonly holds: boolean;
    readonly onJump: (jump: ClockJump) => void;
    /** The clock is back. */
    readonly onReturn: () => void;
  }) {
    this.#wall = options.wall;
    this.#monotonicMs = options.monotonicMs;
    this.#holds = options.holds;
    this.#onJump = options.onJump;
    this.#onReturn = options.onReturn;
    this.#believed = { wall: this.#wall(), monotonicMs: this.#monotonicMs() };
  }

  /** Jumps of more than an hour since the start. */
  get jumps(): number {
    return this.#jumps;
  }

  /** Compares the clock at the start with an earlier time of it, Unix seconds. */
  compare(earlier: number): void {
    this.#believed = { wall: earlier, monotonicMs: this.#monotonicMs() };
    this.#look();
  }

  /** Takes what the clock shows now for right, because another one is meant from now on. */
  setWall(): void {
    this.#held = undefined;
    this.#believed = { wall: this.#wall(), monotonicMs: this.#monotonicMs() };
  }

  /** Unix seconds, at most 2^31 - 1. While writes are held, the time without the jump. */
  now(): number {
    const { wall, held } = this.#look();
    return Math.min(held?.expected ?? wall, TIMESTAMP_MAX);
  }

  /** Why writes are held, undefined if they are not. */
  hold(): WriteHold | undefined {
    const { wall, held } = this.#look();
    if (held !== undefined) {
      const reason = `the clock of this node shows ${timeText(held.shown)} where ${timeText(held.expected)} is expected; it has to be set right, or its operator restarts the node with --accept-time yes`;
      return { reason, retryAfter: UNTIL_MENDED_SECONDS };
    }
    if (wall <= TIMESTAMP_MAX) {
      return undefined;
    }
    const reason = `the clock of this node shows ${timeText(wall)}; blocks end at ${timeText(TIMESTAMP_MAX)}`;
    return { reason, retryAfter: UNTIL_MENDED_SECONDS };
  }

  #look(): { readonly wall: number; readonly held: ClockJump | undefined } {
    const wall = this.#wall();
    const monotonicMs = this.#monotonicMs();
    const passed = Math.floor((monotonicMs - this.#believed.monotonicMs) / 1000);
    const expected = this.#believed.wall + passed;
    const distance = Math.abs(wall - expected);
    if (this.#holds && distance > DAY) {
      const isNew = this.#held === undefined;
      this.#held = { shown: wall, expected, holds: true };
      if (isNew) {
        this.#note(this.#held);
      }
      return { wall, held: this.#held };
    }
    if (this.#held !== undefined) {
      this.#held = undefined;
      this.#onReturn();
    } else if (distance > HOUR) {
      this.#note({ shown: wall, expected, holds: false });
    }
    // Trusted again at each look, so that slewing the clock makes no jump.
    this.#believed = { wall, monotonicMs };
    return { wall, held: undefined };
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
