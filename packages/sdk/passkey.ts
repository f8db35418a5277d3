import { fromBase64, toBase64 } from "@moneta/protocol/client";
import type { AddressKey } from "./api.ts";
import { pemText } from "./keys/pem.ts";
import type { Signer } from "./keys/signing-key.ts";
import { subtle } from "./keys/web-crypto.ts";

interface Made {
  readonly rawId: ArrayBuffer;
  readonly response: { getPublicKey(): ArrayBuffer | null };
}
interface Signed {
  readonly rawId: ArrayBuffer;
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

/** A passkey's public data, which can be stored. */
export interface KeptPasskey {
  /** Id of the credential, base64url. */
  readonly id: string;
  readonly publicKeyPem: string;
  /** The domain of the passkey. */
  readonly rpid: string;
  /**
   * The origins whose pages may ask for its signature; by default this page's.
   * Source: authority §1.2.
   */
  readonly origins?: readonly string[];
}

type KnownKey = Pick<AddressKey, "publickey" | "kind" | "rpid" | "origins">;

/**
 * Signs with a passkey of this browser, which prompts the person for each signature.
 * Source: authority §3.
 */
export class Passkey implements Signer, KeptPasskey {
  readonly id: string;
  readonly publicKeyPem: string;
  readonly rpid: string;
  readonly origins: readonly string[];
  /** Parameters of `POST /address` and `addresskeys` besides the public key. */
  readonly keyParameters: {
    readonly kind: "webauthn";
    readonly rpid: string;
    readonly origins: readonly string[];
  };

  constructor({ id, publicKeyPem, rpid, origins = [location.origin] }: KeptPasskey) {
    this.id = id;
    this.publicKeyPem = publicKeyPem;
    this.rpid = rpid;
    this.origins = origins;
    this.keyParameters = { kind: "webauthn", rpid, origins };
  }

  /**
   * Makes a passkey for this page's domain, or for a domain above it. The browser shows `name`;
   * `origins` are those whose pages may ask for its signature, by default this page's. Throws the
   * errors of `navigator.credentials.create`, such as `NotAllowedError` if the person declines and
   * `NotSupportedError` without P-256; TypeError in a browser without passkeys.
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

  /**
   * A passkey of this device that is among the keys of an address (`keyset.keys` of `addressRead`),
   * for a browser that has not stored it: the person chooses it, and it signs once. Throws the
   * errors of `navigator.credentials.get`; TypeError if the chosen one is not among the keys.
   */
  static async find(keys: readonly KnownKey[]): Promise<Passkey> {
    const domains = keys.flatMap(({ kind, rpid = "" }) => (kind === "webauthn" ? [rpid] : []));
    const isHere = (rpid: string): boolean => `.${location.hostname}`.endsWith(`.${rpid}`);
    const rpid = domains.find(isHere) ?? domains[0];
    if (rpid === undefined) {
      throw new TypeError("No passkey signs for this address.");
    }
    const challenge = crypto.getRandomValues(new Uint8Array(32));
    const { rawId, response } = await assertion({ challenge, rpId: rpid });
    for (const key of keys.filter((one) => one.rpid === rpid)) {
      const spki = fromBase64(key.publickey) as Uint8Array<ArrayBuffer>;
      if (await isOf(spki, response)) {
        const { origins = [location.origin] } = key;
        const publicKeyPem = pemText("PUBLIC KEY", spki);
        return new Passkey({ id: base64url(new Uint8Array(rawId)), publicKeyPem, rpid, origins });
      }
    }
    throw new TypeError("This passkey does not sign for this address.");
  }

  /** The assertion for a text, in the ledger's form, as key 0. Source: authority §2.1. */
  async sign(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
    const signed = await assertion({
      challenge: await sha256(bytes),
      rpId: this.rpid,
      allowCredentials: [{ type: "public-key", id: fromBase64url(this.id) }],
    });
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

async function assertion(wanted: object): Promise<Signed> {
  const signed = (await credentials().get({
    publicKey: { ...wanted, userVerification: "required" },
  })) as Signed | null;
  if (signed === null) {
    throw new TypeError("The browser has not signed with the passkey.");
  }
  return signed;
}

/** Source: W3C Web Authentication Level 2 §7.2. */
async function isOf(
  spki: Uint8Array<ArrayBuffer>,
  { authenticatorData, clientDataJSON, signature }: Signed["response"],
): Promise<boolean> {
  const curve = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  const key = await subtle().importKey("spki", spki, curve, false, ["verify"]);
  const signed = new Uint8Array(authenticatorData.byteLength + 32);
  signed.set(new Uint8Array(authenticatorData));
  signed.set(await sha256(new Uint8Array(clientDataJSON)), authenticatorData.byteLength);
  return await subtle().verify(curve, key, rawSignature(new Uint8Array(signature)), signed);
}

/** For WebCrypto; authenticators make DER on P-256. */
function rawSignature(der: Uint8Array): Uint8Array<ArrayBuffer> {
  const raw = new Uint8Array(64);
  let at = 2;
  for (const end of [32, 64]) {
    const next = at + 2 + (der[at + 1] ?? 0);
    const digits = der.subarray(Math.max(at + 2, next - 32), next);
    raw.set(digits, end - digits.length);
    at = next;
  }
  return raw;
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
