/**
 * A cache that holds at least the `size` entries used last and at most twice as many. Entries live in two generations; when the young one
 * is full it becomes the old one, and what nobody has asked for since is dropped with it: no list to keep per access.
 */
export class BoundedCache<V> {
  readonly #size: number;
  #young: Map<string, V> = new Map();
  #old: Map<string, V> = new Map();

  constructor(size: number) {
    this.#size = size;
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
    if (this.#young.size >= this.#size) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
  }

  delete(key: string): void {
    this.#young.delete(key);
    this.#old.delete(key);
  }

  clear(): void {
    this.#young = new Map();
    this.#old = new Map();
  }
}
