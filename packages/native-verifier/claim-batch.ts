/** A curve, by the length of r, s and the coordinates of its points, in bytes. */
export const VALUE_BYTES = { "P-256": 32, "P-384": 48, "P-521": 66 } as const;
export type Curve = keyof typeof VALUE_BYTES;

/** A signature that the addon is to verify. */
export interface BatchClaim {
  readonly curve: Curve;
  /** Uncompressed: 04, x, y. */
  readonly point: Uint8Array;
  readonly digest: keyof typeof DIGEST_NUMBERS;
  readonly message: Uint8Array;
  /** As long as `VALUE_BYTES` says. */
  readonly r: Uint8Array;
  readonly s: Uint8Array;
}

/** What the addon answers for each claim. */
export const Verdict = { misfits: 0, fits: 1, noKey: 2 } as const;

const CURVE_NUMBERS = { "P-256": 1, "P-384": 2, "P-521": 3 } as const;
const DIGEST_NUMBERS = { sha256: 1, sha384: 2, sha512: 3 } as const;
const HEAD_BYTES = 6;

/**
 * Claims in one buffer. For each: curve (1 byte), digest (1), length of the message (4,
 * little-endian), point, r, s, message. `src/claim.rs` reads it and checks every length.
 */
export function claimBatch(claims: readonly BatchClaim[]): Uint8Array {
  const length = claims.reduce(
    (sum, { point, r, s, message }) =>
      sum + HEAD_BYTES + point.length + r.length + s.length + message.length,
    0,
  );
  const batch = new Uint8Array(length);
  const view = new DataView(batch.buffer);
  let end = 0;
  for (const { curve, digest, point, r, s, message } of claims) {
    view.setUint8(end, CURVE_NUMBERS[curve]);
    view.setUint8(end + 1, DIGEST_NUMBERS[digest]);
    view.setUint32(end + 2, message.length, true);
    end += HEAD_BYTES;
    for (const part of [point, r, s, message]) {
      batch.set(part, end);
      end += part.length;
    }
  }
  return batch;
}
