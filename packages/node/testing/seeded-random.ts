import { byLane } from "../../ledger/testing/lane.ts";

/**
 * Random numbers repeatable by their seed (mulberry32). The last lane draws its seed, the
 * others have one; TEST_SEED sets that of a failed run.
 */
export class SeededRandom {
  readonly seed: number;
  #state: number;

  constructor(seed?: number) {
    const given = process.env["TEST_SEED"];
    const drawn = byLane({ quick: 1, long: Math.floor(Math.random() * 2 ** 32) });
    this.seed = seed ?? (given === undefined ? drawn : Number(given));
    this.#state = this.seed;
  }

  /** Both included. */
  integer({ min, max }: { readonly min: number; readonly max: number }): number {
    return min + Math.floor(this.#next() * (max - min + 1));
  }

  pick<T>(all: readonly T[]): T {
    return all[this.integer({ min: 0, max: all.length - 1 })] as T;
  }

  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
}
