import { createECDH, createHash, ECDH, generateKeyPairSync } from "node:crypto";
import { DIGESTS, type Digest, type SignatureCurve } from "@moneta/ledger/signature-check";
import type { SeededRandom } from "../seeded-random.ts";

export interface EdgeClaim {
  readonly curve: SignatureCurve;
  readonly publicKey: string;
  readonly digest: Digest;
  readonly message: Buffer;
  /** Base64, raw or DER. */
  readonly signature: string;
  /** Whether it is valid; undefined if only a verifier can decide. */
  readonly fits: boolean | undefined;
}

interface CurveForm {
  /** OpenSSL's name. */
  readonly name: string;
  readonly bytes: number;
  readonly p: bigint;
  readonly n: bigint;
  /** What precedes the point in a canonical key. */
  readonly prefix: Buffer;
}

// Source: FIPS 186-4, D.1.2.3 to D.1.2.5.
const CURVES: Readonly<Record<SignatureCurve, CurveForm>> = {
  "P-256": curveForm("prime256v1", {
    bytes: 32,
    p: 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n,
    n: 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n,
  }),
  "P-384": curveForm("secp384r1", {
    bytes: 48,
    p: 2n ** 384n - 2n ** 128n - 2n ** 96n + 2n ** 32n - 1n,
    n: 0xffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973n,
  }),
  "P-521": curveForm("secp521r1", {
    bytes: 66,
    p: 2n ** 521n - 1n,
    n: 0x1fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffa51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409n,
  }),
};

interface Draft {
  readonly point: Buffer;
  readonly digest: Digest;
  readonly message: Buffer;
  readonly r: bigint;
  readonly s: bigint;
  readonly fits: boolean | undefined;
}

/**
 * Makes claims on the edges of ECDSA, repeatable by their seed: r, s, keys and nonces near 0, n and
 * p; u1 and u2 that are equal or opposite; points that meet in the addition; truncated digests.
 */
export class EdgeClaims {
  readonly #random: SeededRandom;

  constructor(random: SeededRandom) {
    this.#random = random;
  }

  /** One claim built on purpose, and further ones that differ from it in one way each. */
  next(curve: SignatureCurve): readonly EdgeClaim[] {
    const form = CURVES[curve];
    const draft = this.#draft(form);
    return [draft, ...this.#variants(form, draft)].map(
      ({ point, digest, message, r, s, fits }) => ({
        curve,
        publicKey: Buffer.concat([form.prefix, point]).toString("base64"),
        digest,
        message,
        signature: this.#encoded(form, r, s).toString("base64"),
        fits,
      }),
    );
  }

  #draft(form: CurveForm): Draft {
    const { n } = form;
    const digest = this.#random.pick(DIGESTS);
    const message = this.#bytes(this.#random.integer({ min: 0, max: 200 }));
    const z = hashed(form, digest, message);
    const common = { digest, message };
    const k = this.#scalar(form);
    const r = times(form, k).x % n;
    const signed = (d: bigint): Draft => ({
      ...common,
      point: times(form, d).point,
      r,
      s: modulo((z + r * d) * inverse(k, n), n),
      fits: true,
    });
    switch (this.#random.integer({ min: 0, max: 9 })) {
      case 0:
      case 1:
      case 2:
        return signed(this.#scalar(form));
      case 3: {
        // An s of our choice, by the key that it takes.
        const s = this.#scalar(form);
        const d = modulo((s * k - z) * inverse(r, n), n);
        return { ...common, point: times(form, d).point, r, s, fits: true };
      }
      case 4:
        return this.#withX(form, common, z, this.#nearEdge(form));
      case 5:
        // u1 = u2.
        return this.#withX(form, common, z, z % n);
      case 6:
        // u1 = -u2.
        return this.#withX(form, common, z, modulo(-z, n));
      case 7: {
        // u1·G = u2·Q: the addition is a doubling.
        const d = modulo(z * inverse(r, n), n);
        return {
          ...common,
          point: times(form, d).point,
          r,
          s: modulo(2n * z * inverse(k, n), n),
          fits: true,
        };
      }
      case 8: {
        // u1·G = -u2·Q: the sum is the point at infinity, which no r fits.
        const d = modulo(-z * inverse(r, n), n);
        return { ...common, point: times(form, d).point, r, s: this.#scalar(form), fits: false };
      }
      default:
        return { ...signed(this.#scalar(form)), message: Buffer.from("another"), fits: false };
    }
  }

  /** A signature whose r is that of a point with this x, or with the next x that has a point. */
  #withX(
    form: CurveForm,
    common: Pick<Draft, "digest" | "message">,
    z: bigint,
    from: bigint,
  ): Draft {
    const { n, p } = form;
    let x = from;
    let lifted = lift(form, x);
    while (lifted === undefined || x % n === 0n) {
      x = (x + 1n) % p;
      lifted = lift(form, x);
    }
    const r = x % n;
    const s = this.#scalar(form);
    // Q = (s·R - z·G) / r. That of -R, which has the same x, serves as well.
    const factor = modulo(s * inverse(r, n), n);
    const first = lift(form, product(form, lifted, factor)) as Point;
    const second = times(form, modulo(-z * inverse(r, n), n));
    const sum = add(form, first, second);
    if (sum === undefined) {
      return this.#draft(form);
    }
    return { ...common, point: encoded(form, sum), r, s, fits: true };
  }

  #variants(form: CurveForm, draft: Draft): Draft[] {
    const { n } = form;
    const { r, s, point } = draft;
    const unknown = { ...draft, fits: undefined };
    const edge = (): bigint => this.#boundary(form);
    const flipped = Buffer.from(draft.message);
    if (flipped.length > 0) {
      const at = this.#random.integer({ min: 0, max: flipped.length - 1 });
      flipped[at] = (flipped[at] as number) ^ (1 << this.#random.integer({ min: 0, max: 7 }));
    }
    const all: Draft[] = [
      { ...draft, s: modulo(-s, n) },
      { ...unknown, r: edge() },
      { ...unknown, s: edge() },
      { ...unknown, r: edge(), s: edge() },
      { ...unknown, r: s, s: r },
      { ...unknown, r: r + n },
      { ...unknown, s: s + n },
      { ...unknown, r: r + 1n },
      { ...unknown, r: modulo(-r, n) },
      { ...unknown, point: negated(form, point) },
      { ...unknown, digest: this.#random.pick(DIGESTS) },
      { ...unknown, message: flipped },
    ];
    // Drafts cost more than their variants, half of which are out of range.
    return Array.from({ length: 19 }, () => this.#random.pick(all));
  }

  /** From 1 to n - 1: any, small, or near n. */
  #scalar({ n, bytes }: CurveForm): bigint {
    const small = BigInt(this.#random.integer({ min: 1, max: 16 }));
    switch (this.#random.integer({ min: 0, max: 5 })) {
      case 0:
        return small;
      case 1:
        return n - small;
      case 2:
        return (n + 1n) / 2n + small - 8n;
      case 3:
        return 1n << BigInt(this.#random.integer({ min: 0, max: 8 * bytes - 8 }));
      default:
        return 1n + (numberOf(this.#bytes(bytes + 8)) % (n - 1n));
    }
  }

  /** A coordinate: small, near n or p, or between the two. */
  #nearEdge({ n, p }: CurveForm): bigint {
    const small = BigInt(this.#random.integer({ min: 1, max: 1000 }));
    const [low, high] = n < p ? [n, p] : [p, n];
    return this.#random.pick([small, n - small, p - small, low + (small % (high - low))]) % p;
  }

  /** A number that fits into the bytes of r, most often on the edge of the valid range. */
  #boundary({ n, p, bytes }: CurveForm): bigint {
    const top = 2n ** BigInt(8 * bytes) - 1n;
    return this.#random.pick([0n, 1n, 2n, n - 2n, n - 1n, n, n + 1n, p - 1n, p, p + 1n, top]) & top;
  }

  #encoded({ bytes, n }: CurveForm, r: bigint, s: bigint): Buffer {
    const top = 2n ** BigInt(8 * bytes);
    const isDer = r >= top || s >= top || this.#random.integer({ min: 0, max: 2 }) === 0;
    if (isDer && r > 0n && s > 0n) {
      const content = Buffer.concat([derInteger(r), derInteger(s)]);
      const length = content.length < 128 ? [content.length] : [0x81, content.length];
      return Buffer.concat([Buffer.from([0x30, ...length]), content]);
    }
    return Buffer.concat([
      bytesOf(r < top ? r : r % n, bytes),
      bytesOf(s < top ? s : s % n, bytes),
    ]);
  }

  #bytes(length: number): Buffer {
    return Buffer.from(Array.from({ length }, () => this.#random.integer({ min: 0, max: 255 })));
  }
}

interface Point {
  readonly x: bigint;
  readonly y: bigint;
}

function curveForm(name: string, numbers: Omit<CurveForm, "name" | "prefix">): CurveForm {
  const { publicKey } = generateKeyPairSync("ec", { namedCurve: name });
  const der = publicKey.export({ format: "der", type: "spki" });
  return { name, ...numbers, prefix: der.subarray(0, -(2 * numbers.bytes + 1)) };
}

/** The leftmost bits of the digest, as the number that is signed. */
function hashed({ bytes }: CurveForm, digest: Digest, message: Buffer): bigint {
  return numberOf(createHash(digest).update(message).digest().subarray(0, bytes));
}

function times(form: CurveForm, d: bigint): Point & { readonly point: Buffer } {
  const ecdh = createECDH(form.name);
  ecdh.setPrivateKey(bytesOf(d, form.bytes));
  const point = ecdh.getPublicKey();
  return { ...decoded(form, point), point };
}

function product(form: CurveForm, point: Point, factor: bigint): bigint {
  const ecdh = createECDH(form.name);
  ecdh.setPrivateKey(bytesOf(factor, form.bytes));
  return numberOf(ecdh.computeSecret(encoded(form, point)));
}

function lift(form: CurveForm, x: bigint): Point | undefined {
  const compressed = Buffer.concat([Buffer.from([2]), bytesOf(x, form.bytes)]);
  try {
    const point = ECDH.convertKey(compressed, form.name, undefined, undefined, "uncompressed");
    return decoded(form, point as Buffer);
  } catch {
    return undefined;
  }
}

/** The sum of two points with different x. */
function add({ p }: CurveForm, first: Point, second: Point): Point | undefined {
  if (first.x === second.x) {
    return undefined;
  }
  const slope = modulo((second.y - first.y) * inverse(modulo(second.x - first.x, p), p), p);
  const x = modulo(slope * slope - first.x - second.x, p);
  return { x, y: modulo(slope * (first.x - x) - first.y, p) };
}

function negated(form: CurveForm, point: Buffer): Buffer {
  const { x, y } = decoded(form, point);
  return encoded(form, { x, y: form.p - y });
}

function decoded({ bytes }: CurveForm, point: Buffer): Point {
  return { x: numberOf(point.subarray(1, 1 + bytes)), y: numberOf(point.subarray(1 + bytes)) };
}

function encoded({ bytes }: CurveForm, { x, y }: Point): Buffer {
  return Buffer.concat([Buffer.from([4]), bytesOf(x, bytes), bytesOf(y, bytes)]);
}

function derInteger(value: bigint): Buffer {
  const hex = value.toString(16);
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, "hex");
  const content = (bytes[0] as number) >= 0x80 ? Buffer.concat([Buffer.alloc(1), bytes]) : bytes;
  return Buffer.concat([Buffer.from([0x02, content.length]), content]);
}

function numberOf(bytes: Buffer): bigint {
  return bytes.length === 0 ? 0n : BigInt(`0x${bytes.toString("hex")}`);
}

function bytesOf(value: bigint, length: number): Buffer {
  return Buffer.from(value.toString(16).padStart(2 * length, "0"), "hex");
}

function modulo(value: bigint, by: bigint): bigint {
  const rest = value % by;
  return rest < 0n ? rest + by : rest;
}

/** By Euclid's algorithm, for a value that is not 0. */
function inverse(value: bigint, by: bigint): bigint {
  let [low, high] = [modulo(value, by), by];
  let [x, y] = [1n, 0n];
  while (low > 1n) {
    const quotient = high / low;
    [low, high] = [high % low, low];
    [x, y] = [y - quotient * x, x];
  }
  return modulo(x, by);
}
