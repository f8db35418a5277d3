import { createPublicKey, type KeyObject, verify } from "node:crypto";
// Not all of the protocol: threads that check signatures know nothing else, and every start waits for each of them.
import { parseSignature } from "@moneta/protocol/signature-encoding";
import { BoundedCache } from "../state/bounded-cache.ts";

/** Digests that signers use, each with any curve. Source: conventions §4.2. */
const DIGESTS = ["sha256", "sha384", "sha512"] as const;
type Digest = (typeof DIGESTS)[number];

const CURVE_DIGESTS: { readonly [curve: string]: Digest } = {
  prime256v1: "sha256",
  secp384r1: "sha384",
  secp521r1: "sha512",
};

/** Which of the texts it is a signature of, by its index; or `misfits` if of none of them, `malformed` if it is no signature at all. */
export type SignatureVerdict = number | "misfits" | "malformed";

/** Keys kept ready to verify with; each holds some kilobytes outside of JavaScript's heap. */
const KEYS_MAX = 5000;

/** Checks signatures, and keeps the keys that it was last asked about. */
export class SignatureChecker {
  readonly #keys: BoundedCache<VerifyingKey> = new BoundedCache(KEYS_MAX);

  /** What a signature is to the texts that may have been signed; `publicKey` is the canonical body of the signer's key. */
  check(publicKey: string, texts: readonly string[], signature: string): SignatureVerdict {
    return this.#keyOf(publicKey).check(texts, signature);
  }

  #keyOf(publicKey: string): VerifyingKey {
    const known = this.#keys.get(publicKey);
    if (known !== undefined) {
      return known;
    }
    const made = new VerifyingKey(publicKey);
    this.#keys.set(publicKey, made);
    return made;
  }
}

/** A public key, made ready to verify with, and the digest that its owner is likely to use. */
export class VerifyingKey {
  readonly #key: KeyObject;
  #digests: readonly Digest[];

  /** From the canonical base64 of a key that has been read by `parsePublicKey`. */
  constructor(body: string) {
    this.#key = createPublicKey({ key: Buffer.from(body, "base64"), format: "der", type: "spki" });
    const own = CURVE_DIGESTS[this.#key.asymmetricKeyDetails?.namedCurve ?? ""] ?? "sha256";
    this.#digests = startingWith(own);
  }

  /**
   * Whether a signature, as it was sent, is one of the UTF-8 of one of the texts by this key, with any of the digests: first the one that fitted last, at the
   * start the one of the curve's own size. Takes 0.06 ms (P-256) to 4 ms (P-521, nothing fits) of the calling thread for each text. Source: conventions
   * §4.2, §4.3.
   */
  check(texts: readonly string[], signature: string): SignatureVerdict {
    const encoded = parseSignature(signature);
    if (encoded === undefined) {
      return "malformed";
    }
    const { der, raw } = encoded;
    const all = texts.map((text) => Buffer.from(text));
    for (const digest of this.#digests) {
      for (const [text, data] of all.entries()) {
        const fits =
          (der !== undefined && verify(digest, data, this.#key, der)) ||
          (raw !== undefined &&
            verify(digest, data, { key: this.#key, dsaEncoding: "ieee-p1363" }, raw));
        if (fits) {
          if (digest !== this.#digests[0]) {
            this.#digests = startingWith(digest);
          }
          return text;
        }
      }
    }
    return "misfits";
  }
}

function startingWith(first: Digest): readonly Digest[] {
  return [first, ...DIGESTS.filter((digest) => digest !== first)];
}
