import { createPublicKey, type KeyObject, verify } from "node:crypto";
// Not all of the protocol: threads that check signatures know nothing else, and every start waits
// for each of them.
import { type EncodedSignature, parseSignature } from "@moneta/protocol/signature-encoding";
import { BoundedCache } from "../state/bounded-cache.ts";

/** Digests that signers use, each with any curve. Source: conventions §4.2. */
export const DIGESTS = ["sha256", "sha384", "sha512"] as const;
export type Digest = (typeof DIGESTS)[number];

const CURVE_DIGESTS: { readonly [curve: string]: Digest } = {
  prime256v1: "sha256",
  secp384r1: "sha384",
  secp521r1: "sha512",
};

/**
 * Which of the texts it is a signature of, by its index; or `misfits` if of none of them,
 * `malformed` if it is no signature at all.
 */
export type SignatureVerdict = number | "misfits" | "malformed";

/** Keys kept ready to verify with; each holds some kilobytes outside of JavaScript's heap. */
const KEYS_MAX = 5000;

/** How texts are tried. */
export interface Trial {
  /**
   * The digest that the signer is likely to use; that of the curve's own size if absent. It is
   * tried for all texts before any other.
   */
  readonly likely?: Digest | undefined;
  /** Tries one digest only: 0 the likely one, 1 and 2 the others. */
  readonly rank?: number | undefined;
}

/** Checks signatures, and keeps the keys that it was last asked about. */
export class SignatureChecker {
  readonly #keys: BoundedCache<VerifyingKey> = new BoundedCache(KEYS_MAX);

  /**
   * What a signature is to the texts that may have been signed; `publicKey` is the canonical body
   * of the signer's key.
   */
  check(publicKey: string, texts: readonly string[], signature: string): SignatureVerdict {
    return this.keyOf(publicKey).check(texts, signature);
  }

  /** The key with this canonical body. */
  keyOf(publicKey: string): VerifyingKey {
    const known = this.#keys.get(publicKey);
    if (known !== undefined) {
      return known;
    }
    const made = new VerifyingKey(publicKey);
    this.#keys.set(publicKey, made);
    return made;
  }
}

/** A public key, made ready to verify with. */
export class VerifyingKey {
  /** The digest of the curve's own size. */
  readonly ownDigest: Digest;
  readonly #key: KeyObject;
  #lastDigest: Digest;
  #verifications = 0;

  /** From the canonical base64 of a key that has been read by `parsePublicKey`. */
  constructor(body: string) {
    this.#key = createPublicKey({ key: Buffer.from(body, "base64"), format: "der", type: "spki" });
    this.ownDigest = CURVE_DIGESTS[this.#key.asymmetricKeyDetails?.namedCurve ?? ""] ?? "sha256";
    this.#lastDigest = this.ownDigest;
  }

  /** The digest of the last signature that fitted. */
  get lastDigest(): Digest {
    return this.#lastDigest;
  }

  /** How many signatures of texts have been verified, each with one digest. */
  get verifications(): number {
    return this.#verifications;
  }

  /**
   * Whether a signature, as it was sent, is one of the UTF-8 of one of the texts by this key, with
   * any of the digests. Takes 0.06 ms (P-256) to 4 ms (P-521, nothing fits) of the calling thread
   * for each text. Source: conventions §4.2, §4.3.
   */
  check(
    texts: readonly string[],
    signature: string,
    { likely = this.ownDigest, rank }: Trial = {},
  ): SignatureVerdict {
    const encoded = parseSignature(signature);
    if (encoded === undefined) {
      return "malformed";
    }
    const digests = [likely, ...DIGESTS.filter((digest) => digest !== likely)];
    const all = texts.map((text) => Buffer.from(text));
    for (const digest of rank === undefined ? digests : digests.slice(rank, rank + 1)) {
      for (const [text, data] of all.entries()) {
        if (this.#fits(digest, data, encoded)) {
          this.#lastDigest = digest;
          return text;
        }
      }
    }
    return "misfits";
  }

  #fits(digest: Digest, data: Uint8Array, { der, raw }: EncodedSignature): boolean {
    this.#verifications += 1;
    return (
      (der !== undefined && verify(digest, data, this.#key, der)) ||
      (raw !== undefined &&
        verify(digest, data, { key: this.#key, dsaEncoding: "ieee-p1363" }, raw))
    );
  }
}
