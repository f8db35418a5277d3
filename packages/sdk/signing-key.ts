import { type Curve, pemText, readPrivateKeyPem } from "./pem.ts";

/** Signs bytes with ECDSA; the signature is DER or r‖s, with SHA-256, SHA-384 or SHA-512. A key in an HSM or KMS is one. Source: conventions §4.2, §4.3. */
export type Sign = (bytes: Uint8Array<ArrayBuffer>) => Uint8Array | Promise<Uint8Array>;

/** What has a private key and signs with it. */
export interface Signer {
  /** PEM, `PUBLIC KEY`. */
  readonly publicKeyPem: string;
  readonly sign: Sign;
}

/** The digest of the curve's own size, which the ledger tries first. Source: conventions §4.2. */
const DIGESTS: { readonly [C in Curve]: string } = {
  "P-256": "SHA-256",
  "P-384": "SHA-384",
  "P-521": "SHA-512",
};

/** A private key and its public one, as WebCrypto makes them. */
export interface KeyPair {
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
}

/** A key as RFC 7517 writes it. */
interface JsonKey {
  readonly kty: string;
  readonly crv: string;
  readonly x: string;
  readonly y: string;
  readonly d: string;
}

interface GivenKey {
  /** Whether the private key may leave WebCrypto again; without it, not even this program can read it. */
  readonly extractable?: boolean;
}

/** An ECDSA key kept by WebCrypto. */
export class SigningKey implements Signer {
  readonly publicKeyPem: string;
  readonly curve: Curve;
  /** What browsers can keep in IndexedDB, the private key without showing it. */
  readonly keyPair: KeyPair;

  private constructor(keyPair: KeyPair, curve: Curve, publicKeyPem: string) {
    this.keyPair = keyPair;
    this.curve = curve;
    this.publicKeyPem = publicKeyPem;
  }

  /** A new key, by default on P-256 and not extractable. */
  static async generate({
    curve = "P-256",
    extractable = false,
  }: GivenKey & { readonly curve?: Curve } = {}): Promise<SigningKey> {
    const algorithm = { name: "ECDSA", namedCurve: curve };
    return await SigningKey.fromKeyPair(
      await subtle().generateKey(algorithm, extractable, ["sign", "verify"]),
    );
  }

  /** A key of a PEM file, PKCS#8 or SEC1. Throws TypeError with a sentence that says what is wrong, and nothing of the key. */
  static async fromPem(pem: string, { extractable = false }: GivenKey = {}): Promise<SigningKey> {
    const { curve, der } = readPrivateKeyPem(pem);
    const algorithm = { name: "ECDSA", namedCurve: curve };
    let whole: JsonKey;
    try {
      const key = await subtle().importKey("pkcs8", der, algorithm, true, ["sign"]);
      whole = (await subtle().exportKey("jwk", key)) as JsonKey;
    } catch (cause) {
      throw new TypeError("The private key is damaged: it is no key on its curve.", { cause });
    }
    const { kty, crv, x, y, d } = whole;
    return await SigningKey.fromKeyPair({
      privateKey: await subtle().importKey("jwk", { kty, crv, x, y, d }, algorithm, extractable, [
        "sign",
      ]),
      publicKey: await subtle().importKey("jwk", { kty, crv, x, y }, algorithm, true, ["verify"]),
    });
  }

  /** A key that WebCrypto has already, such as one kept in IndexedDB. */
  static async fromKeyPair(keyPair: KeyPair): Promise<SigningKey> {
    const { namedCurve } = keyPair.privateKey.algorithm as unknown as {
      readonly namedCurve: Curve;
    };
    const spki = await subtle().exportKey("spki", keyPair.publicKey);
    return new SigningKey(keyPair, namedCurve, pemText("PUBLIC KEY", new Uint8Array(spki)));
  }

  /** The signature of the bytes, r‖s. */
  async sign(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
    const algorithm = { name: "ECDSA", hash: DIGESTS[this.curve] };
    return new Uint8Array(await subtle().sign(algorithm, this.keyPair.privateKey, bytes));
  }

  /** The private key as PEM, `PRIVATE KEY`, to be kept in a safe place. Throws if it is not extractable. */
  async privateKeyPem(): Promise<string> {
    if (!this.keyPair.privateKey.extractable) {
      throw new TypeError(
        "This key is not extractable: generate or import it with { extractable: true } to be able to save it.",
      );
    }
    const pkcs8 = await subtle().exportKey("pkcs8", this.keyPair.privateKey);
    return pemText("PRIVATE KEY", new Uint8Array(pkcs8));
  }
}

/** Browsers have it on pages from https and localhost only. */
function subtle(): SubtleCrypto {
  const { subtle } = globalThis.crypto ?? {};
  if (subtle === undefined) {
    throw new TypeError(
      "There is no WebCrypto here: browsers have it on pages loaded over https or from localhost only.",
    );
  }
  return subtle;
}
