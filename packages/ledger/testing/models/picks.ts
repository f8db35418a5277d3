import assert from "node:assert/strict";

/** Choices from numbers, of which 0 chooses what is usual. */
export class Picks {
  readonly #numbers: readonly number[];
  #used = 0;

  constructor(numbers: readonly number[]) {
    this.#numbers = numbers;
  }

  below(bound: number): number {
    const number = this.#numbers[this.#used % this.#numbers.length] ?? 0;
    this.#used += 1;
    return number % bound;
  }

  of<V>(list: readonly V[]): V {
    assert(list.length > 0, "there is something to choose from");
    return list[this.below(list.length)] as V;
  }

  rarely(oneIn: number): boolean {
    return this.below(oneIn) === oneIn - 1;
  }

  /** Mostly undefined, else one of what may be odd. */
  odd<V>(all: { readonly [name: string]: V }): V | undefined {
    return this.rarely(5) ? this.of(Object.values(all)) : undefined;
  }

  /** Mostly part of what there is, sometimes all of it, rarely more or nothing. */
  units(most: bigint): string {
    const part = BigInt(1 + this.below(Math.max(1, Math.min(Number(most), 6))));
    switch (this.below(14)) {
      case 12:
        return String(most + 1n);
      case 13:
        return this.rarely(3) ? "0" : String(most + 1000n);
      case 11:
      case 10:
        return String(most || 1n);
      default:
        return String(part);
    }
  }
}
