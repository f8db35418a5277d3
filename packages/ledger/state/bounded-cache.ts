/**
 * Holds the last used entries up to `size`, and at most twice that. Two generations: no list to
 * maintain per access.
 */
export class BoundedCache<V> {
  readonly #size: number;
  readonly #sizeOf: (key: string, value: V) => number;
  #young: Map<string, V> = new Map();
  #youngSize = 0;
  #old: Map<string, V> = new Map();

  /** `sizeOf` is 1 by default. A larger entry than `size` is not cached. */
  constructor(size: number, sizeOf: (key: string, value: V) => number = () => 1) {
    this.#size = size;
    this.#sizeOf = sizeOf;
  }

  get(key: string): V | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) {
      return young;
    }
    const old = this.#old.get(key);
    if (old !== undefined) {
      this.set(key, old);
    }
    return old;
  }

  set(key: string, value: V): void {
    const size = this.#sizeOf(key, value);
    if (size > this.#size) {
      this.delete(key);
      return;
    }
    this.#youngSize -= this.#youngSizeOf(key);
    if (this.#youngSize + size > this.#size) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#youngSize = 0;
    }
    this.#young.set(key, value);
    this.#youngSize += size;
  }

  delete(key: string): void {
    this.#youngSize -= this.#youngSizeOf(key);
    this.#young.delete(key);
    this.#old.delete(key);
  }

  clear(): void {
    this.#young = new Map();
    this.#youngSize = 0;
    this.#old = new Map();
  }

  #youngSizeOf(key: string): number {
    const entry = this.#young.get(key);
    return entry === undefined ? 0 : this.#sizeOf(key, entry);
  }
}
