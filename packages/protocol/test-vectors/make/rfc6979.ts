import { createECDH, createHash, createHmac } from "node:crypto";

// Deterministic ECDSA (RFC 6979), so that vectors always have the same bytes. Real signers draw k.

export interface Curve {
  readonly name: "P-256" | "P-384" | "P-521";
  /** The name in OpenSSL. */
  readonly namedCurve: "prime256v1" | "secp384r1" | "secp521r1";
  readonly order: bigint;
  readonly bytes: number;
}

export const CURVES: { readonly [name in Curve["name"]]: Curve } = {
  "P-256": {
    name: "P-256",
    namedCurve: "prime256v1",
    order: 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n,
    bytes: 32,
  },
  "P-384": {
    name: "P-384",
    namedCurve: "secp384r1",
    order:
      0xffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973n,
    bytes: 48,
  },
  "P-521": {
    name: "P-521",
    namedCurve: "secp521r1",
    order:
      (1n << 521n) -
      (6n << 256n) +
      0x51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409n,
    bytes: 66,
  },
};

/** The signature of RFC 6979, section 3.2, by a private scalar; `digest` as Node calls it. */
export function signDeterministically(
  { namedCurve, order, bytes }: Curve,
  scalar: bigint,
  { digest, text }: { readonly digest: string; readonly text: string | Uint8Array },
): { readonly r: bigint; readonly s: bigint } {
  const hash = createHash(digest).update(text).digest();
  const bits = order.toString(2).length;
  const toInteger = (data: Uint8Array): bigint => {
    const excess = 8 * data.length - bits;
    const value = BigInt(`0x${data.toHex()}`);
    return excess > 0 ? value >> BigInt(excess) : value;
  };
  const z = toInteger(hash);
  const mac = (key: Uint8Array, ...data: readonly Uint8Array[]): Uint8Array =>
    data.reduce((hmac, part) => hmac.update(part), createHmac(digest, key)).digest();

  const seed = [octets(scalar, bytes), octets(z % order, bytes)];
  let v: Uint8Array = new Uint8Array(hash.length).fill(1);
  let key: Uint8Array = new Uint8Array(hash.length);
  for (const round of [0, 1]) {
    key = mac(key, v, Uint8Array.of(round), ...seed);
    v = mac(key, v);
  }
  for (;;) {
    let drawn: Uint8Array = new Uint8Array();
    while (8 * drawn.length < bits) {
      v = mac(key, v);
      drawn = Uint8Array.of(...drawn, ...v);
    }
    const k = toInteger(drawn);
    if (k > 0n && k < order) {
      const ecdh = createECDH(namedCurve);
      ecdh.setPrivateKey(octets(k, bytes));
      const x = ecdh.getPublicKey().subarray(1, 1 + bytes);
      const r = BigInt(`0x${x.toHex()}`) % order;
      const s = (inverse(k, order) * (z + r * scalar)) % order;
      if (r !== 0n && s !== 0n) {
        return { r, s };
      }
    }
    key = mac(key, v, Uint8Array.of(0));
    v = mac(key, v);
  }
}

/** A number as so many bytes, big-endian. */
export function octets(value: bigint, bytes: number): Uint8Array {
  return Uint8Array.fromHex(value.toString(16).padStart(2 * bytes, "0"));
}

/** By Fermat, because the order is a prime. */
function inverse(value: bigint, order: bigint): bigint {
  let result = 1n;
  let base = value % order;
  for (let exponent = order - 2n; exponent > 0n; exponent >>= 1n) {
    result = exponent % 2n === 1n ? (result * base) % order : result;
    base = (base * base) % order;
  }
  return result;
}
