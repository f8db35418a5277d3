/** A curve, by the length of r, s and the coordinates of its points, in bytes. */
export const VALUE_BYTES = { "P-256": 32, "P-384": 48, "P-521": 66 } as const;
export type Curve = keyof typeof VALUE_BYTES;

export interface BatchClaim {
  readonly curve: Curve;
  /** 04, x, y. */
  readonly point: Uint8Array;
  readonly digest: keyof typeof DIGEST_NUMBERS;
  readonly message: Uint8Array;
  readonly r: Uint8Array;
  readonly s: Uint8Array;
}

/** `noKey`: there is no such curve, or no such point on it. */
export const Verdict = { misfits: 0, fits: 1, noKey: 2 } as const;

const CURVE_NUMBERS = { "P-256": 1, "P-384": 2, "P-521": 3 } as const;
const DIGEST_NUMBERS = { sha256: 1, sha384: 2, sha512: 3 } as const;
const HEAD_BYTES = 18;
const UNKNOWN = 0;

/**
 * For each: curve (1 byte), digest (1), lengths of point, r, s and message (4 each, little-endian),
 * then these parts. `src/claim.rs` checks every length.
 */
export function claimBatch(claims: readonly BatchClaim[]): Uint8Array {
  const parts = claims.map(({ point, r, s, message }) => [point, r, s, message]);
  const length = parts.flat().reduce((sum, part) => sum + part.length, claims.length * HEAD_BYTES);
  const batch = new Uint8Array(length);
  const view = new DataView(batch.buffer);
  let end = 0;
  for (const [index, { curve, digest }] of claims.entries()) {
    view.setUint8(end, CURVE_NUMBERS[curve] ?? UNKNOWN);
    view.setUint8(end + 1, DIGEST_NUMBERS[digest] ?? UNKNOWN);
    end += 2;
    for (const part of parts[index] ?? []) {
      view.setUint32(end, part.length, true);
      end += 4;
    }
    for (const part of parts[index] ?? []) {
      batch.set(part, end);
      end += part.length;
    }
  }
  return batch;
}
