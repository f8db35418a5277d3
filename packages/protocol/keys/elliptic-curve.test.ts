import assert from "node:assert/strict";
import { createECDH, ECDH } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { type CurveName, uncompressPoint } from "./elliptic-curve.ts";

const CURVES: readonly {
  readonly name: CurveName;
  readonly nodeName: string;
  readonly length: number;
  readonly p: bigint;
}[] = [
  {
    name: "P-256",
    nodeName: "prime256v1",
    length: 32,
    p: 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn,
  },
  {
    name: "P-384",
    nodeName: "secp384r1",
    length: 48,
    p: 2n ** 384n - 2n ** 128n - 2n ** 96n + 2n ** 32n - 1n,
  },
  { name: "P-521", nodeName: "secp521r1", length: 66, p: 2n ** 521n - 1n },
];

/** The point of a key with a random or given private scalar, in both forms. */
function pointOf(
  nodeName: string,
  scalar?: Uint8Array,
): { readonly full: Uint8Array; readonly short: Uint8Array } {
  const ecdh = createECDH(nodeName);
  if (scalar === undefined) {
    ecdh.generateKeys();
  } else {
    ecdh.setPrivateKey(scalar);
  }
  const full = ecdh.getPublicKey();
  const short = ECDH.convertKey(full, nodeName, undefined, undefined, "compressed") as Buffer;
  return { full: Uint8Array.from(full), short: Uint8Array.from(short) };
}

/** What OpenSSL makes of a point: its uncompressed form, or undefined. */
function convertedByNode(nodeName: string, point: Uint8Array): Uint8Array | undefined {
  try {
    const full = ECDH.convertKey(point, nodeName, undefined, undefined, "uncompressed") as Buffer;
    return Uint8Array.from(full);
  } catch {
    return undefined;
  }
}

function bytesOf(value: bigint, length: number): Uint8Array {
  return Uint8Array.fromHex(value.toString(16).padStart(2 * length, "0"));
}

for (const { name, nodeName, length, p } of CURVES) {
  test(`${name}: the uncompressed form of a random key is the same from both forms`, () => {
    for (let i = 0; i < 20; i += 1) {
      const { full, short } = pointOf(nodeName);
      assert.deepEqual(uncompressPoint(name, full), full);
      assert.deepEqual(uncompressPoint(name, short), full);
    }
  });

  test(`${name}: small scalars, and so coordinates with leading zeros among them`, () => {
    for (let scalar = 1; scalar <= 40; scalar += 1) {
      const { full, short } = pointOf(nodeName, Uint8Array.of(scalar));
      assert.deepEqual(uncompressPoint(name, short), full);
    }
  });

  test(`${name}: agrees with OpenSSL on any x, whether a point has it or none`, () =>
    fc.assert(
      fc.property(
        fc.constantFrom(2, 3),
        fc.bigInt({ min: 0n, max: 2n ** BigInt(8 * length) - 1n }),
        (form, x) => {
          // On P-521 hardly any of 66 bytes are below p.
          const within = name === "P-521" ? x >> 7n : x;
          const point = Uint8Array.of(form, ...bytesOf(within, length));
          assert.deepEqual(uncompressPoint(name, point), convertedByNode(nodeName, point));
        },
      ),
      { numRuns: 50 },
    ));

  test(`${name}: a point with one changed bit is off the curve`, () => {
    const { full } = pointOf(nodeName);
    fc.assert(
      fc.property(fc.integer({ min: 8, max: 8 * full.length - 1 }), (bit) => {
        const changed = full.slice();
        changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7));
        assert.equal(uncompressPoint(name, changed), undefined);
      }),
    );
  });

  test(`${name}: random coordinates are off the curve`, () =>
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 2 * length, maxLength: 2 * length }), (bytes) =>
        assert.equal(uncompressPoint(name, Uint8Array.of(4, ...bytes)), undefined),
      ),
    ));

  test(`${name}: a coordinate must be below p`, () => {
    // On all three curves there is a small x with a point, and x + p means the same x.
    const isTaken = (x: bigint): boolean =>
      uncompressPoint(name, Uint8Array.of(2, ...bytesOf(x, length))) !== undefined;
    const small = Array.from({ length: 20 }, (_, x) => BigInt(x)).filter(isTaken);
    assert(small.length > 0);
    for (const x of small) {
      const point = uncompressPoint(name, Uint8Array.of(2, ...bytesOf(x, length))) as Uint8Array;
      const y = point.subarray(1 + length);
      assert(!isTaken(x + p));
      const shifted = Uint8Array.of(4, ...bytesOf(x + p, length), ...y);
      assert.equal(uncompressPoint(name, shifted), undefined);
    }
    assert(!isTaken(p));
  });

  test(`${name}: other forms and lengths are refused`, () => {
    const { full, short } = pointOf(nodeName);
    const hybrid = full.slice();
    hybrid[0] = 6 + ((full.at(-1) as number) & 1);
    const compressedAsFull = short.slice();
    compressedAsFull[0] = 4;
    for (const point of [
      Uint8Array.of(),
      Uint8Array.of(0),
      Uint8Array.of(4),
      Uint8Array.of(2),
      new Uint8Array(full.length),
      hybrid,
      compressedAsFull,
      full.subarray(0, -1),
      Uint8Array.of(...full, 0),
      short.subarray(0, -1),
      Uint8Array.of(...short, 0),
    ]) {
      assert.equal(uncompressPoint(name, point), undefined, point.toHex());
    }
  });
}
