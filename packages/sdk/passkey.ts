import { fromBase64, toBase64 } from "@moneta/protocol/client";
import { pemText } from "./keys/pem.ts";
import type { Signer } from "./keys/signing-key.ts";
import { subtle } from "./keys/web-crypto.ts";

// The parts of Web Authentication that are used: the tests compile without the DOM's types.
interface Made {
  readonly rawId: ArrayBuffer;
  readonly response: { getPublicKey(): ArrayBuffer | null };
}
interface Signed {
  readonly response: {
    readonly authenticatorData: ArrayBuffer;
    readonly clientDataJSON: ArrayBuffer;
    readonly signature: ArrayBuffer;
  };
}
interface Credentials {
  create(options: object): Promise<unknown>;
  get(options: object): Promise<unknown>;
}
declare const navigator: { readonly credentials?: Credentials };
declare const location: { readonly hostname: string; readonly origin: string };

/** ECDSA on P-256 with SHA-256. Source: IANA COSE Algorithms. */
const ES256 = -7;

/** A passkey that can be kept, for example in `localStorage`: nothing in it is secret. */
export interface KeptPasskey {
  /** Id of the credential, base64url. */
  readonly id: string;
  /** PEM, `PUBLIC KEY`. */
  readonly publicKeyPem: string;
  /** The domain that it belongs to. */
  readonly rpid: string;
  /** The origins whose pages may ask for its signature; by default this page's. Source: authority §1.2. */
  readonly origins?: readonly string[];
}

/**
 * Signs with a passkey of this browser: each signature asks the person. `moneta.createAddress` takes
 * it, and so do `moneta.actor` and `signTogether`. Source: authority §3.
 */
export class Passkey implements Signer, KeptPasskey {
  readonly id: string;
  readonly publicKeyPem: string;
  readonly rpid: string;
  readonly origins: readonly string[];
  /** What `POST /address` and `addresskeys` need of it besides the public key. */
  readonly keyParameters: {
    readonly kind: "webauthn";
    readonly rpid: string;
    readonly origins: readonly string[];
  };

  /** A passkey that was made before. */
  constructor({ id, publicKeyPem, rpid, origins = [location.origin] }: KeptPasskey) {
    this.id = id;
    this.publicKeyPem = publicKeyPem;
    this.rpid = rpid;
    this.origins = origins;
    this.keyParameters = { kind: "webauthn", rpid, origins };
  }

  /**
   * Makes a passkey for this page's domain, or for a domain above it. `name` is what the browser
   * shows; `origins` are those whose pages may ask for its signature, by default this page's. Throws what `navigator.credentials.create` throws, such as `NotAllowedError` if the person
   * declines and `NotSupportedError` without P-256; TypeError in a browser without passkeys.
   */
  static async create({
    name,
    rpid = location.hostname,
    origins = [location.origin],
  }: Pick<KeptPasskey, "origins"> & {
    readonly name: string;
    readonly rpid?: string;
  }): Promise<Passkey> {
    const challenge = crypto.getRandomValues(new Uint8Array(32));
    const id = crypto.getRandomValues(new Uint8Array(16));
    const made = (await credentials().create({
      publicKey: {
        challenge,
        rp: { id: rpid, name: rpid },
        user: { id, name, displayName: name },
        pubKeyCredParams: [{ type: "public-key", alg: ES256 }],
        authenticatorSelection: { residentKey: "preferred", userVerification: "required" },
        attestation: "none",
      },
    })) as Made | null;
    const spki = made?.response.getPublicKey();
    if (!made || !spki) {
      throw new TypeError("The browser made no passkey on P-256.");
    }
    return new Passkey({
      id: base64url(new Uint8Array(made.rawId)),
      publicKeyPem: pemText("PUBLIC KEY", new Uint8Array(spki)),
      rpid,
      origins,
    });
  }

  /** The assertion for a text, as the ledger takes it: of key 0. Source: authority §2.1. */
  async sign(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
    const challenge = await sha256(bytes);
    const signed = (await credentials().get({
      publicKey: {
        challenge,
        rpId: this.rpid,
        allowCredentials: [{ type: "public-key", id: fromBase64url(this.id) }],
        userVerification: "required",
      },
    })) as Signed | null;
    if (signed === null) {
      throw new TypeError("The browser has not signed with the passkey.");
    }
    const { authenticatorData, clientDataJSON, signature } = signed.response;
    const text = (part: ArrayBuffer): string => base64url(new Uint8Array(part));
    return JSON.stringify([
      {
        key: 0,
        signature: text(signature),
        authenticatordata: text(authenticatorData),
        clientdata: text(clientDataJSON),
      },
    ]);
  }
}

function credentials(): Credentials {
  if (navigator.credentials === undefined) {
    throw new TypeError(
      "This page has no passkeys: they need https, or http://localhost with its port.",
    );
  }
  return navigator.credentials;
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await subtle().digest("SHA-256", bytes));
}

function base64url(bytes: Uint8Array): string {
  return toBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function fromBase64url(text: string): Uint8Array<ArrayBuffer> {
  const standard = text.replaceAll("-", "+").replaceAll("_", "/");
  const bytes = fromBase64(standard + "=".repeat((4 - (text.length % 4)) % 4));
  if (bytes === undefined) {
    throw new TypeError("The id of a passkey is base64url.");
  }
  return bytes;
}
