import { writeHash } from "../sha256.ts";
import { LEAF_BYTES } from "./tree-pages.ts";

const HASH_BYTES = 32;

/** 16 MiB of paths and hashes. */
const ENTRIES_MAX = 1 << 18;

export class EntryBatch {
  #leaves: Buffer = Buffer.allocUnsafe(256 * LEAF_BYTES);
  #isRemoved: Uint8Array = new Uint8Array(256);
  #count = 0;
  #order: Uint32Array = new Uint32Array(0);

  get length(): number {
    return this.#count;
  }

  get isFull(): boolean {
    return this.#count === ENTRIES_MAX;
  }

  /** Without a value hash (32 bytes) the entry is removed. */
  add(key: string, valueHash: Uint8Array | undefined): void {
    const place = this.#next();
    writeHash(key, this.#leaves, place);
    if (valueHash !== undefined) {
      this.#leaves.set(valueHash, place + HASH_BYTES);
    }
    this.#isRemoved[this.#count - 1] = valueHash === undefined ? 1 : 0;
  }

  /** Path and value hash, 64 bytes each. */
  addLeaves(leaves: Buffer): void {
    for (let from = 0; from < leaves.length; from += LEAF_BYTES) {
      const place = this.#next();
      leaves.copy(this.#leaves, place, from, from + LEAF_BYTES);
      this.#isRemoved[this.#count - 1] = 0;
    }
  }

  sort(): void {
    // Six bytes almost always decide the order.
    const firstBytes = new Float64Array(this.#count);
    for (let index = 0; index < this.#count; index += 1) {
      firstBytes[index] = this.#leaves.readUIntBE(index * LEAF_BYTES, 6);
    }
    const order = Uint32Array.from({ length: this.#count }, (_, index) => index).sort(
      (a, b) =>
        (firstBytes[a] as number) - (firstBytes[b] as number) || this.#compare(a, b) || a - b,
    );
    let length = 0;
    for (const [at, index] of order.entries()) {
      const next = order[at + 1];
      if (
        next === undefined ||
        firstBytes[index] !== firstBytes[next] ||
        this.#compare(index, next)
      ) {
        order[length] = index;
        length += 1;
      }
    }
    this.#order = order.subarray(0, length);
    this.#count = length;
  }

  clear(): void {
    this.#count = 0;
  }

  placeOf(entry: number): number {
    return (this.#order[entry] as number) * LEAF_BYTES;
  }

  get leaves(): Buffer {
    return this.#leaves;
  }

  isRemoved(entry: number): boolean {
    return this.#isRemoved[this.#order[entry] as number] === 1;
  }

  #next(): number {
    const place = this.#count * LEAF_BYTES;
    if (place === this.#leaves.length) {
      const larger = Buffer.allocUnsafe(2 * place);
      this.#leaves.copy(larger);
      this.#leaves = larger;
      const flags = new Uint8Array(2 * this.#count);
      flags.set(this.#isRemoved);
      this.#isRemoved = flags;
    }
    this.#count += 1;
    return place;
  }

  #compare(a: number, b: number): number {
    const [from, other] = [a * LEAF_BYTES, b * LEAF_BYTES];
    return this.#leaves.compare(this.#leaves, other, other + HASH_BYTES, from, from + HASH_BYTES);
  }
}
