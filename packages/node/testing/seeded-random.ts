/**
 * Random numbers repeatable by their seed (mulberry32). MONETA_TEST_SEED sets the seed of a failed
 * run.
 */
export class SeededRandom {
  readonly seed: number;
  #state: number;

  constructor(seed?: number) {
    const given = process.env["MONETA_TEST_SEED"];
    this.seed = seed ?? (given === undefined ? Math.floor(Math.random() * 2 ** 32) : Number(given));
    this.#state = this.seed;
  }

  /** An integer from `min` to `max`, both included. */
  integer({ min, max }: { readonly min: number; readonly max: number }): number {
    return min + Math.floor(this.#next() * (max - min + 1));
  }

  /** One of them. */
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
