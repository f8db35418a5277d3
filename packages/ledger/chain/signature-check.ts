import { createPublicKey, type KeyObject, verify } from "node:crypto";
import type { EncodedSignature } from "@moneta/protocol";

/** Digests that signers use, each with any curve. Source: conventions §4.2. */
const DIGESTS = ["sha256", "sha384", "sha512"] as const;
export type Digest = (typeof DIGESTS)[number];

const CURVE_DIGESTS: { readonly [curve: string]: Digest } = {
  prime256v1: "sha256",
  secp384r1: "sha384",
  secp521r1: "sha512",
};

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
   * Whether the signature is one of the text's UTF-8 by this key, with any of the digests: first the one that fitted last, at the start the one
   * of the curve's own size. Runs on the thread pool. Source: conventions §4.2, §4.3.
   */
  async verifies(text: string, signature: EncodedSignature): Promise<boolean> {
    const data = Buffer.from(text);
    for (const digest of this.#digests) {
      if (
        (signature.der !== undefined && (await this.#check(digest, data, "der", signature.der))) ||
        (signature.raw !== undefined &&
          (await this.#check(digest, data, "ieee-p1363", signature.raw)))
      ) {
        if (digest !== this.#digests[0]) {
          this.#digests = startingWith(digest);
        }
        return true;
      }
    }
    return false;
  }

  #check(
    digest: Digest,
    data: Buffer,
    dsaEncoding: "der" | "ieee-p1363",
    signature: Uint8Array,
  ): Promise<boolean> {
    return new Promise((resolve, reject) => {
      verify(digest, data, { key: this.#key, dsaEncoding }, signature, (error, fits) => {
        if (error === null) {
          resolve(fits);
        } else {
          reject(error);
        }
      });
    });
  }
}

function startingWith(first: Digest): readonly Digest[] {
  return [first, ...DIGESTS.filter((digest) => digest !== first)];
}
