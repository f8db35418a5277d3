export type CurveName = "P-256" | "P-384" | "P-521";

/** y² = x³ - 3x + b modulo p. The values are public, so time may depend on them. */
type Curve = {
  readonly p: bigint;
  readonly b: bigint;
  readonly length: number;
};

// Source: FIPS 186-4, D.1.2.3 to D.1.2.5.
const CURVES: Readonly<Record<CurveName, Curve>> = {
  "P-256": {
    p: 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n,
    b: 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn,
    length: 32,
  },
  "P-384": {
    p: 2n ** 384n - 2n ** 128n - 2n ** 96n + 2n ** 32n - 1n,
    b: 0xb3312fa7e23ee7e4988e056be3f82d19181d9c6efe8141120314088f5013875ac656398d8a2ed19d2a85c8edd3ec2aefn,
    length: 48,
  },
  "P-521": {
    p: 2n ** 521n - 1n,
    b: 0x51953eb9618e1c9a1f929a21a0b68540eea2da725b99b315f3b8b489918ef109e156193951ec7e937b1652c0bd3bb1bf073573df883d2c34f1ef451fd46b503f00n,
    length: 66,
  },
};

const COMPRESSED_EVEN = 2;
const COMPRESSED_ODD = 3;
const UNCOMPRESSED = 4;

/**
 * Undefined unless it is an affine point of the curve, coordinates below p. Source: SEC 1, section
 * 2.3.4; accounts §2, step 8.
 */
export function uncompressPoint(name: CurveName, point: Uint8Array): Uint8Array | undefined {
  const curve = CURVES[name];
  const form = point[0];
  const x = point.subarray(1, 1 + curve.length);
  if (form === UNCOMPRESSED && point.length === 1 + 2 * curve.length) {
    const y = point.subarray(1 + curve.length);
    return isOnCurve(curve, numberOf(x), numberOf(y)) ? point.slice() : undefined;
  }
  const isCompressed = form === COMPRESSED_EVEN || form === COMPRESSED_ODD;
  if (isCompressed && point.length === 1 + curve.length) {
    const y = findY(curve, numberOf(x), form === COMPRESSED_ODD);
    return y === undefined
      ? undefined
      : Uint8Array.of(UNCOMPRESSED, ...x, ...bytesOf(y, curve.length));
  }
  return undefined;
}

function isOnCurve(curve: Curve, x: bigint, y: bigint): boolean {
  return x < curve.p && y < curve.p && (y * y) % curve.p === ySquared(curve, x);
}

function findY(curve: Curve, x: bigint, isOdd: boolean): bigint | undefined {
  if (x >= curve.p) {
    return undefined;
  }
  const square = ySquared(curve, x);
  // All three primes are 3 modulo 4, so this power of a square is one of its roots.
  const root = power(square, (curve.p + 1n) / 4n, curve.p);
  if ((root * root) % curve.p !== square) {
    return undefined;
  }
  return (root % 2n === 1n) === isOdd ? root : curve.p - root;
}

function ySquared({ p, b }: Curve, x: bigint): bigint {
  // The p keeps the first factor from being negative; `%` would give a negative remainder.
  return ((((x * x) % p) + p - 3n) * x + b) % p;
}

function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n;
  for (const digit of exponent.toString(2)) {
    result = (result * result) % modulus;
    if (digit === "1") {
      result = (result * base) % modulus;
    }
  }
  return result;
}

function numberOf(bytes: Uint8Array): bigint {
  return BigInt(`0x${bytes.toHex()}`);
}

function bytesOf(value: bigint, length: number): Uint8Array {
  return Uint8Array.fromHex(value.toString(16).padStart(2 * length, "0"));
}
