import { fromBase64, toBase64, toHex } from "../text/byte-texts.ts";
import {
  type JsonNode,
  type JsonObjectShape,
  type JsonShape,
  JsonTextError,
  parseJsonText,
} from "../text/json-text.ts";
import type { AddressKey } from "./key-set.ts";
import { parseSignature } from "./signature-encoding.ts";

/** Source: authority §3.1. */
const AUTHENTICATOR_DATA_MIN = 37;
const AUTHENTICATOR_DATA_MAX = 1024;
const CLIENT_DATA_MAX = 4096;
const RPID_HASH_BYTES = 32;

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const BACKUP_ELIGIBLE = 0x08;
const BACKED_UP = 0x10;

/** 32 bytes; a text stands for its UTF-8. */
export type Sha256Bytes = (data: string | Uint8Array) => Uint8Array;

export interface Assertion {
  readonly authenticatordata: string;
  readonly clientdata: string;
  readonly signature: string;
}

const CLIENT_DATA: JsonObjectShape = {
  kind: "object",
  members: new Map<string, JsonShape>([
    ["type", "shallow"],
    ["challenge", "shallow"],
    ["origin", "shallow"],
    ["crossOrigin", "shallow"],
    ["topOrigin", "shallow"],
    ["tokenBinding", { kind: "object", members: new Map([["status", "shallow"]]) }],
  ]),
};

/**
 * The bytes that a passkey signs, or the step that fails. The caller verifies the signature.
 * Source: authority §3.1; W3C Web Authentication Level 2 §7.2.
 */
export function assertedBytes(
  { authenticatordata, clientdata, signature }: Assertion,
  {
    key,
    challenge,
    sha256,
  }: {
    readonly key: AddressKey;
    readonly challenge: string;
    readonly sha256: Sha256Bytes;
  },
): Uint8Array | string {
  const authenticator = fromBase64url(authenticatordata, AUTHENTICATOR_DATA_MAX);
  if (authenticator === undefined || authenticator.length < AUTHENTICATOR_DATA_MIN) {
    return `step 1: authenticatordata must be base64url without padding of ${AUTHENTICATOR_DATA_MIN} to ${AUTHENTICATOR_DATA_MAX} bytes`;
  }
  const client = fromBase64url(clientdata, CLIENT_DATA_MAX);
  if (client === undefined) {
    return `step 1: clientdata must be base64url without padding of at most ${CLIENT_DATA_MAX} bytes`;
  }
  const { rpid = "", origins = [], verified = true } = key;
  const wrong =
    wrongClientData(client, { challenge, origins }) ??
    wrongAuthenticatorData(authenticator, { rpid, verified }, sha256) ??
    (parseSignature(signature)?.der === undefined
      ? "step 13: the signature must be DER, as authenticators make it"
      : undefined);
  if (wrong !== undefined) {
    return wrong;
  }
  const bytes = new Uint8Array(authenticator.length + RPID_HASH_BYTES);
  bytes.set(authenticator);
  bytes.set(sha256(client), authenticator.length);
  return bytes;
}

/** The challenge of an assertion for a text. Source: authority §3.1. */
export function challengeOf(signedText: string, sha256: Sha256Bytes): string {
  return toBase64url(sha256(signedText));
}

function wrongClientData(
  bytes: Uint8Array,
  { challenge, origins }: { readonly challenge: string; readonly origins: readonly string[] },
): string | undefined {
  const text = strictUtf8(bytes);
  if (text === undefined) {
    return "step 2: clientdata is not UTF-8";
  }
  const parsed = parseJsonText(text, { shape: CLIENT_DATA });
  if (parsed instanceof JsonTextError || !isObject(parsed)) {
    const reason = parsed instanceof JsonTextError ? parsed.reason : "it is no object";
    return `step 2: clientdata is not a JSON object: ${reason}`;
  }
  const { members } = parsed;
  const binding = members.get("tokenBinding");
  if (members.get("type") !== "webauthn.get") {
    return "step 3: the type in clientdata must be webauthn.get";
  }
  if (members.get("challenge") !== challenge) {
    return "step 4: the challenge in clientdata is not that of this signed string";
  }
  if (!origins.some((origin) => origin === members.get("origin"))) {
    return `step 5: the origin in clientdata must be ${origins.join(" or ")}`;
  }
  if ((members.get("crossOrigin") ?? false) !== false || members.has("topOrigin")) {
    return "step 6: the assertion was made in a frame of another origin";
  }
  if (
    binding !== undefined &&
    (!isObject(binding) || binding.members.get("status") === "present")
  ) {
    return "step 7: the assertion is bound to a TLS connection";
  }
  return undefined;
}

function wrongAuthenticatorData(
  bytes: Uint8Array,
  { rpid, verified }: { readonly rpid: string; readonly verified: boolean },
  sha256: Sha256Bytes,
): string | undefined {
  const wanted = sha256(rpid);
  if (!wanted.every((byte, index) => byte === bytes[index])) {
    return `step 8: authenticatordata is not of the domain ${rpid}`;
  }
  const flags = bytes[RPID_HASH_BYTES] as number;
  if ((flags & USER_PRESENT) === 0) {
    return "step 9: the authenticator did not find a person present";
  }
  if (verified && (flags & USER_VERIFIED) === 0) {
    return "step 10: the authenticator did not verify the person, which this key requires";
  }
  return (flags & BACKED_UP) !== 0 && (flags & BACKUP_ELIGIBLE) === 0
    ? "step 11: the passkey claims to be backed up but may not be"
    : undefined;
}

function isObject(node: JsonNode): node is Extract<JsonNode, { readonly kind: "object" }> {
  return typeof node === "object" && node?.kind === "object";
}

/** Keeps a byte order mark. */
function strictUtf8(bytes: Uint8Array): string | undefined {
  try {
    return decodeURIComponent(toHex(bytes).replaceAll(/../g, "%$&"));
  } catch {
    return undefined;
  }
}

function fromBase64url(text: string, max: number): Uint8Array | undefined {
  if (text.length > Math.ceil((max * 4) / 3) || !/^[0-9A-Za-z_-]+$/.test(text)) {
    return undefined;
  }
  const standard = text.replaceAll("-", "+").replaceAll("_", "/");
  return fromBase64(standard + "=".repeat((4 - (text.length % 4)) % 4));
}

function toBase64url(bytes: Uint8Array): string {
  return toBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
