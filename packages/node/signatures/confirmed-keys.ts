/** A power of two: 4 MiB, more signers than write to most nodes in a day. */
const KEYS_MAX = 1 << 20;

/**
 * Of all threads, and larger than their caches of keys: otherwise many signers would be verified
 * twice.
 */
export class ConfirmedKeys {
  readonly #marks: Int32Array;

  /** By default over memory of its own. */
  constructor(shared: SharedArrayBuffer = ConfirmedKeys.memory()) {
    this.#marks = new Int32Array(shared);
  }

  static memory(): SharedArrayBuffer {
    return new SharedArrayBuffer(KEYS_MAX * Int32Array.BYTES_PER_ELEMENT);
  }

  /** By the point of the key, uncompressed. */
  has(point: Uint8Array): boolean {
    const { place, mark } = placeOf(point);
    return Atomics.load(this.#marks, place) === mark;
  }

  add(point: Uint8Array): void {
    const { place, mark } = placeOf(point);
    Atomics.store(this.#marks, place, mark);
  }
}

/** An attacker who grinds 52 bits of a confirmed key avoids only one comparison. */
function placeOf(point: Uint8Array): { readonly place: number; readonly mark: number } {
  const { buffer, byteOffset, byteLength } = point;
  const end = new DataView(buffer, byteOffset + byteLength - 8, 8);
  // 0 is an empty place.
  return { place: end.getUint32(4) & (KEYS_MAX - 1), mark: end.getInt32(0) || 1 };
}
