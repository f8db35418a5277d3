import { createPublicKey, type KeyObject, verify } from "node:crypto";
// Signature threads need nothing else, and every start waits for each of them.
import {
  type EncodedSignature,
  parseSignature,
  signatureValues,
} from "@moneta/protocol/signature-encoding";
import { invariant } from "../invariant.ts";
import { BoundedCache } from "../state/bounded-cache.ts";

export const DIGESTS = ["sha256", "sha384", "sha512"] as const;
export type Digest = (typeof DIGESTS)[number];

export type SignatureCurve = "P-256" | "P-384" | "P-521";

interface KeyForm {
  readonly curve: SignatureCurve;
  readonly digest: Digest;
  /** The bytes before the point, hex. */
  readonly prefix: string;
}

/** Forms of canonical keys, by their length in bytes. Source: accounts §2. */
const FORMS: { readonly [bytes: number]: KeyForm } = {
  91: {
    curve: "P-256",
    digest: "sha256",
    prefix: "3059301306072a8648ce3d020106082a8648ce3d030107034200",
  },
  120: {
    curve: "P-384",
    digest: "sha384",
    prefix: "3076301006072a8648ce3d020106052b81040022036200",
  },
  158: {
    curve: "P-521",
    digest: "sha512",
    prefix: "30819b301006072a8648ce3d020106052b8104002303818600",
  },
};

/**
 * `misfits` if it is none of them or the key is malformed,
 * `malformed` if it is not a signature.
 */
export type SignatureVerdict = number | "misfits" | "malformed";

const KEYS_MAX = 5000;

export interface Trial {
  /** The digest that the signer is likely to use. */
  readonly likely?: Digest | undefined;
  /** Tries one digest only: 0 the likely one, 1 and 2 the others. */
  readonly rank?: number | undefined;
  /**
   * Encoding of the texts; only the digest of the curve's own size is tried.
   * Source: authority §2.2.
   */
  readonly exact?: "utf8" | "latin1" | undefined;
}

/** Verifies signatures, and caches the last used keys. */
export class SignatureChecker {
  readonly #keys: BoundedCache<VerifyingKey> = new BoundedCache(KEYS_MAX);

  /** `publicKey` is a canonical body. */
  check(publicKey: string, texts: readonly string[], signature: string): SignatureVerdict {
    return this.keyOf(publicKey)?.check(texts, signature) ?? "misfits";
  }

  keyOf(publicKey: string): VerifyingKey | undefined {
    const known = this.#keys.get(publicKey);
    if (known !== undefined) {
      return known;
    }
    if (formOf(publicKey) === undefined) {
      return undefined;
    }
    const made = new VerifyingKey(publicKey);
    this.#keys.set(publicKey, made);
    return made;
  }
}

export interface Attempt {
  readonly digest: Digest;
  readonly data: Uint8Array;
  readonly signature: EncodedSignature;
}

export interface Checked {
  readonly verdict: SignatureVerdict;
  readonly digest: Digest | undefined;
}

export class VerifyingKey {
  readonly curve: SignatureCurve;
  /** Uncompressed: 04, x, y. */
  readonly point: Uint8Array;
  readonly ownDigest: Digest;
  readonly #der: Buffer;
  /** Made at the first use. Null if the point is not on its curve. */
  #key: KeyObject | null | undefined;
  #lastDigest: Digest;
  #verifications = 0;

  /** From the canonical base64 of a key that has been read by `parsePublicKey`. */
  constructor(body: string) {
    const form = formOf(body);
    invariant(form !== undefined, "a key that has been accepted is canonical");
    this.#der = form.der;
    this.curve = form.curve;
    this.point = form.der.subarray(form.prefix.length / 2);
    this.ownDigest = form.digest;
    this.#lastDigest = form.digest;
  }

  get lastDigest(): Digest {
    return this.#lastDigest;
  }

  get verifications(): number {
    return this.#verifications;
  }

  /**
   * Whether the signature fits one of the texts. Takes 0.06 ms (P-256) to 4 ms (P-521, nothing
   * fits) a text. Source: conventions §4.2, §4.3.
   */
  check(texts: readonly string[], signature: string, trial: Trial = {}): SignatureVerdict {
    const attempts = this.attempts(texts, signature, trial);
    let step = attempts.next();
    while (step.done !== true) {
      step = attempts.next(this.fits(step.value));
    }
    this.#lastDigest = step.value.digest ?? this.#lastDigest;
    return step.value.verdict;
  }

  /**
   * The attempts for a verdict, in their fixed order; the caller passes in whether the last was
   * valid. Source: conventions §4.2, §4.3.
   */
  *attempts(
    texts: readonly string[],
    signature: string,
    { likely = this.ownDigest, rank, exact }: Trial = {},
  ): Generator<Attempt, Checked, boolean> {
    const encoded = parseSignature(signature);
    if (encoded === undefined) {
      return { verdict: "malformed", digest: undefined };
    }
    const digests =
      exact === undefined
        ? [likely, ...DIGESTS.filter((digest) => digest !== likely)]
        : [this.ownDigest];
    const all = texts.map((text) => Buffer.from(text, exact));
    for (const digest of rank === undefined ? digests : digests.slice(rank, rank + 1)) {
      for (const [text, data] of all.entries()) {
        if (yield { digest, data, signature: encoded }) {
          return { verdict: text, digest };
        }
      }
    }
    return { verdict: "misfits", digest: undefined };
  }

  /** The r and s that the signature may mean, each as long as a coordinate of this curve. */
  valuesOf({ signature }: Attempt): readonly { readonly r: Uint8Array; readonly s: Uint8Array }[] {
    return signatureValues(signature, (this.point.length - 1) / 2);
  }

  fits({ digest, data, signature: { der, raw } }: Attempt): boolean {
    if (this.#key === undefined) {
      this.#key = keyObject(this.#der);
    }
    this.#verifications += 1;
    if (this.#key === null) {
      return false;
    }
    return (
      (der !== undefined && verify(digest, data, this.#key, der)) ||
      (raw !== undefined &&
        verify(digest, data, { key: this.#key, dsaEncoding: "ieee-p1363" }, raw))
    );
  }
}

/** Undefined for a malformed key. */
function formOf(body: string): (KeyForm & { readonly der: Buffer }) | undefined {
  const der = Buffer.from(body, "base64");
  const form = FORMS[der.length];
  const isKey =
    form !== undefined &&
    der.toString("hex", 0, form.prefix.length / 2 + 1) === `${form.prefix}04` &&
    der.toString("base64") === body;
  return isKey ? { ...form, der } : undefined;
}

/** Null if the point is not on its curve. */
function keyObject(der: Buffer): KeyObject | null {
  try {
    return createPublicKey({ key: der, format: "der", type: "spki" });
  } catch {
    return null;
  }
}
