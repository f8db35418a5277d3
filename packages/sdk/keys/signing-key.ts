import { toBase64 } from "@moneta/protocol/client";
import { type Curve, pemText, readPrivateKeyPem } from "./pem.ts";
import { subtle } from "./web-crypto.ts";

/**
 * Signs bytes with ECDSA and SHA-256, SHA-384 or SHA-512, as DER or r‖s; for example in an HSM or
 * KMS. A returned text is sent unchanged, such as the signatures of several keys.
 * Source: conventions §4.2, §4.3; authority §2.1.
 */
export type Sign = (
  bytes: Uint8Array<ArrayBuffer>,
) => Uint8Array | string | Promise<Uint8Array | string>;

/** Source: authority §2.1. */
export interface PlacedSignature {
  readonly key: number;
  /** Of a passkey with the rest of its assertion. */
  readonly signature: string;
}

/** A signing function, or a key, whose public key determines its place in the address. */
export type AnySigner = Sign | (Pick<Signer, "sign"> & Partial<Pick<Signer, "publicKeyPem">>);

export function keyBody(text: string): string {
  return text.replaceAll(/-----[^-]+-----|\s/g, "");
}

export function placeOfKey(
  keys: readonly { readonly publickey: string }[],
  publicKeyPem: string,
): number {
  const body = keyBody(publicKeyPem);
  return keys.findIndex(({ publickey }) => publickey === body);
}

/** The signatures in a text as sent; a single one is that of key 0. */
export function placedSignatures(text: string): readonly PlacedSignature[] {
  return text.startsWith("[") ? JSON.parse(text) : [{ key: 0, signature: text }];
}

export async function signatureText(signer: AnySigner, text: string): Promise<string> {
  const bytes = new TextEncoder().encode(text);
  const signed = await (typeof signer === "function" ? signer(bytes) : signer.sign(bytes));
  return typeof signed === "string" ? signed : toBase64(signed);
}

/** Signs with several keys, each with its place in the address, from 0. Source: authority §2.1. */
export function signTogether(
  signers: readonly (readonly [place: number, signer: AnySigner])[],
): Sign {
  return async (bytes) => {
    const text = new TextDecoder().decode(bytes);
    const signatures: PlacedSignature[] = [];
    // One after the other, because a browser shows one passkey prompt at a time.
    for (const [key, signer] of signers) {
      const [signed] = placedSignatures(await signatureText(signer, text));
      signatures.push({ ...(signed as PlacedSignature), key });
    }
    return JSON.stringify(signatures);
  };
}

export interface Signer {
  /** PEM, `PUBLIC KEY`. */
  readonly publicKeyPem: string;
  /** Source: authority §1.2. */
  readonly keyParameters?: object;
  readonly sign: Sign;
}

/** The digest of the curve's size, which the ledger tries first. Source: conventions §4.2. */
const DIGESTS: { readonly [C in Curve]: string } = {
  "P-256": "SHA-256",
  "P-384": "SHA-384",
  "P-521": "SHA-512",
};

export interface KeyPair {
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
}

interface JsonKey {
  readonly kty: string;
  readonly crv: string;
  readonly x: string;
  readonly y: string;
  readonly d: string;
}

interface GivenKey {
  /** False by default. */
  readonly extractable?: boolean;
}

/** An ECDSA key in WebCrypto. */
export class SigningKey implements Signer {
  readonly publicKeyPem: string;
  readonly curve: Curve;
  /** Can be stored in IndexedDB without exposing the private key. */
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

  /**
   * Reads a PEM file, PKCS#8 or SEC1. Throws TypeError without any part of the key in the message.
   */
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

  /** An existing key of WebCrypto, for example from IndexedDB. */
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

  /**
   * The private key as PEM, `PRIVATE KEY`; keep it in a safe place. Throws if it is not
   * extractable.
   */
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
