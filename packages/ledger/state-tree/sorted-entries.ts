import { closeSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { StorageFailure } from "../database.ts";
import { writeHash } from "../sha256.ts";
import { LEAF_BYTES } from "./tree-pages.ts";

const HASH_BYTES = 32;
/** By the first byte of the path: 2.5 MB for 10^7 entries, 25 MB for 10^8. */
const PARTS = 256;
/** Of a part in memory: 4 MiB for all parts. */
const PIECE_BYTES = 256 * LEAF_BYTES;

/**
 * Collects all entries of a state in a scratch file, in parts that are then sorted in little
 * memory.
 */
export class SortedEntries implements Disposable {
  readonly #path: string;
  readonly #descriptor: number;
  readonly #pieces: Buffer[] = Array.from({ length: PARTS }, () => Buffer.allocUnsafe(PIECE_BYTES));
  readonly #filled: Int32Array = new Int32Array(PARTS);
  readonly #places: number[][] = Array.from({ length: PARTS }, () => []);
  readonly #leaf: Buffer = Buffer.allocUnsafe(LEAF_BYTES);
  #end = 0;

  /** Throws `StorageFailure`. */
  constructor(path: string) {
    this.#path = path;
    this.#descriptor = this.#tried(() => openSync(path, "w+", 0o600));
  }

  /** Throws `StorageFailure`. */
  add(key: string, valueHash: Uint8Array): void {
    writeHash(key, this.#leaf, 0);
    this.#leaf.set(valueHash, HASH_BYTES);
    const part = this.#leaf[0] as number;
    const piece = this.#pieces[part] as Buffer;
    const filled = this.#filled[part] as number;
    this.#leaf.copy(piece, filled);
    this.#filled[part] = filled + LEAF_BYTES;
    if (filled + LEAF_BYTES === PIECE_BYTES) {
      this.#tried(() => writeWhole(this.#descriptor, piece, this.#end));
      this.#places[part]?.push(this.#end);
      this.#end += PIECE_BYTES;
      this.#filled[part] = 0;
    }
  }

  /** In path order: path and value hash, 64 bytes. */
  *parts(): Iterable<Buffer> {
    for (const [part, places] of this.#places.entries()) {
      const filled = this.#filled[part] as number;
      const leaves = Buffer.allocUnsafe(places.length * PIECE_BYTES + filled);
      for (const [index, place] of places.entries()) {
        this.#tried(() =>
          readSync(this.#descriptor, leaves, index * PIECE_BYTES, PIECE_BYTES, place),
        );
      }
      (this.#pieces[part] as Buffer).copy(leaves, places.length * PIECE_BYTES, 0, filled);
      yield leaves;
    }
  }

  [Symbol.dispose](): void {
    closeSync(this.#descriptor);
    rmSync(this.#path, { force: true });
  }

  #tried<T>(action: () => T): T {
    try {
      return action();
    } catch (cause) {
      throw new StorageFailure(
        `${this.#path} cannot be written or read: ${(cause as Error).message}`,
        { cause },
      );
    }
  }
}

function writeWhole(descriptor: number, bytes: Buffer, position: number): void {
  for (let done = 0; done < bytes.length; ) {
    done += writeSync(descriptor, bytes, done, bytes.length - done, position + done);
  }
}
