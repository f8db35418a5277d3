import { createECDH, createHash } from "node:crypto";
import type { AddressKey } from "../../keys/key-set.ts";
import type { AuthorityVector, AuthorityVectors } from "../vector-types.ts";
import { CURVES, type Curve, octets, signDeterministically } from "./rfc6979.ts";
import { derOf } from "./signatures.ts";
import { makeSignedStrings } from "./signed-strings.ts";

const RPID = "wallet.example";
const ORIGIN = `https://${RPID}`;

/** The bytes before the point in a canonical key. Source: accounts §2. */
const PREFIXES = {
  "P-256": "3059301306072a8648ce3d020106082a8648ce3d030107034200",
  "P-384": "3076301006072a8648ce3d020106052b81040022036200",
  "P-521": "30819b301006072a8648ce3d020106052b8104002303818600",
} as const;

interface Key {
  readonly curve: Curve;
  readonly scalar: bigint;
}

const ONE: Key = { curve: CURVES["P-256"], scalar: 1n };
const TWO: Key = { curve: CURVES["P-256"], scalar: 2n };
const THREE: Key = { curve: CURVES["P-384"], scalar: 3n };

/**
 * Assertions that Chromium 153 made with its virtual authenticator at https://wallet.example, with
 * and without user verification: the flags of one are 5, of the other 1, and the client data of the
 * latter have a member that no chapter names.
 */
const BY_CHROMIUM = {
  text: `moneta|1|${"a".repeat(64)}|transfer|{"amount":"1","memo":"made by Chromium"}`,
  verified: {
    publickey:
      "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEefDzmaAZAAFnqqYPD9WEsJRntpNJuLaM7NbirJqYeFxGaneiDQHDKy8ubaPIp0Fv610sEZ2UWO9HMF2GB47m9w==",
    signature:
      "MEYCIQCEibw7ajYZImMe6T1W7mq_H4u1myHlKdW-SLPNCxBhpAIhAO1ejbYEWFmlKO9kqQp0EBQ9CNheQvrkKJvZtEurSWvw",
    authenticatordata: "809_uZ0MDjXk3NnjN3ALvGa7xk6tXj9nSWj-rCEDRFUFAAAAAg",
    clientdata:
      "eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoiM1lSUDRPRHl1ei1pbHFFaFlRTC1FLWkwT0wzbFFId3RkNEVPZVQyX0JHUSIsIm9yaWdpbiI6Imh0dHBzOi8vd2FsbGV0LmV4YW1wbGUiLCJjcm9zc09yaWdpbiI6ZmFsc2V9",
  },
  present: {
    publickey:
      "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEI6EujExLJX5FgSqSaF1JDPcDGZfD91IPuLBLd4txovzjn0KrqgxbYp4DGc5U7W6k7OAZqpAKzEoGNB/e2O+/5A==",
    signature:
      "MEUCIGckzT6xq-Qb12VyaEyDND7_WbvytyEeBjUnClaJ7wDcAiEAilX1XkQLvikc1M7LvtB50-OpU_yy0-n7AhaHeSlL1cI",
    authenticatordata: "809_uZ0MDjXk3NnjN3ALvGa7xk6tXj9nSWj-rCEDRFUBAAAAAg",
    clientdata:
      "eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoiM1lSUDRPRHl1ei1pbHFFaFlRTC1FLWkwT0wzbFFId3RkNEVPZVQyX0JHUSIsIm9yaWdpbiI6Imh0dHBzOi8vd2FsbGV0LmV4YW1wbGUiLCJjcm9zc09yaWdpbiI6ZmFsc2UsIm90aGVyX2tleXNfY2FuX2JlX2FkZGVkX2hlcmUiOiJkbyBub3QgY29tcGFyZSBjbGllbnREYXRhSlNPTiBhZ2FpbnN0IGEgdGVtcGxhdGUuIFNlZSBodHRwczovL2dvby5nbC95YWJQZXgifQ",
  },
} as const;

/** Differences between authenticators and browsers. */
interface Changes {
  readonly client?: Readonly<Record<string, unknown>>;
  readonly clientText?: string;
  readonly rpid?: string;
  readonly flags?: number;
  readonly by?: Key;
  readonly challenge?: string;
}

/** Signatures by several keys and by passkeys, right and wrong. Source: authority §2, §3. */
export function makeAuthority(): AuthorityVectors {
  const { vectors } = makeSignedStrings();
  const { full: text } = vectors.find(({ name }) => name === "transfer: texts that need care") as {
    readonly full: string;
  };
  const passkey = passkeyOf(ONE);
  const signed = (changes: Changes = {}): object => ({ key: 0, ...assertion(text, ONE, changes) });
  const alone = (
    name: string,
    step: number,
    changes: Changes,
    more: object = {},
  ): AuthorityVector => ({
    ...{ name: `step ${step}: ${name}`, text, keys: [passkey], threshold: 1 },
    ...{ signatures: JSON.stringify([{ ...signed(changes), ...more }]), valid: false, step },
  });
  const valid = (
    name: string,
    keys: readonly AddressKey[],
    threshold: number,
    signatures: readonly object[],
  ): AuthorityVector => ({
    ...{ name, text, keys, threshold },
    ...{ signatures: JSON.stringify(signatures), valid: true },
  });
  const raw = (place: number, key: Key, digest?: string): object => ({
    key: place,
    signature: rawSignature(text, key, digest),
  });
  const three = [keyOf(ONE), keyOf(TWO), keyOf(THREE)];
  return {
    signatures: [
      valid("a passkey", [passkey], 1, [signed()]),
      valid("a passkey and a heavier key on P-384", [passkey, keyOf(THREE, 2)], 3, [
        raw(1, THREE),
        signed(),
      ]),
      valid(
        "a passkey that need not verify the person, on a page of another origin",
        [{ ...passkey, origins: [ORIGIN, "https://shop.example:8443"], verified: false }],
        1,
        [signed({ flags: 0x19, client: { origin: "https://shop.example:8443" } })],
      ),
      valid("two of three keys", three, 2, [raw(0, ONE), raw(2, THREE)]),
      byChromium("verified", true),
      byChromium("present", false),
      { ...byChromium("present", true), valid: false, step: 10 },
      ...[
        alone("padded base64url", 1, {}, { clientdata: "e30=" }),
        alone("authenticatordata of 36 bytes", 1, {}, { authenticatordata: "A".repeat(48) }),
        alone("a byte order mark", 2, { clientText: "\ufeff{}" }),
        alone("a name twice", 2, { clientText: '{"type":"webauthn.get","type":"webauthn.get"}' }),
        alone("made, not signed", 3, { client: { type: "webauthn.create" } }),
        alone("the challenge of another text", 4, { challenge: "another text" }),
        alone("another origin", 5, { client: { origin: `${ORIGIN}.evil.example` } }),
        alone("a frame of another origin", 6, { client: { crossOrigin: true } }),
        alone("a top origin", 6, { client: { topOrigin: "https://evil.example" } }),
        alone("a bound TLS connection", 7, { client: { tokenBinding: { status: "present" } } }),
        alone("another domain", 8, { rpid: "evil.example" }),
        alone("no person", 9, { flags: 0x04 }),
        alone("an unverified person", 10, { flags: 0x01 }),
        alone("backed up and not eligible", 11, { flags: 0x15 }),
        alone("raw r and s", 13, {}, { signature: "A".repeat(86) }),
        alone("another key", 13, { by: TWO }),
      ],
      ...[
        { name: "one of two", signatures: [raw(0, ONE)] },
        { name: "one of two, twice", signatures: [raw(0, ONE), raw(0, ONE)] },
        { name: "a place without a key", signatures: [raw(0, ONE), raw(3, TWO)] },
        { name: "each at the other's place", signatures: [raw(1, ONE), raw(0, TWO)] },
        { name: "a digest of another size", signatures: [raw(0, ONE, "sha512"), raw(1, TWO)] },
      ].map(({ name, signatures }) => ({ ...valid(name, three, 2, signatures), valid: false })),
    ],
  };
}

function keyOf({ curve, scalar }: Key, weight = 1): AddressKey {
  const ecdh = createECDH(curve.namedCurve);
  ecdh.setPrivateKey(octets(scalar, curve.bytes));
  const der = Uint8Array.fromHex(PREFIXES[curve.name] + ecdh.getPublicKey().toString("hex"));
  return { publickey: der.toBase64(), kind: "raw", weight };
}

function passkeyOf(key: Key): AddressKey {
  return { ...keyOf(key), kind: "webauthn", rpid: RPID, origins: [ORIGIN], verified: true };
}

function byChromium(person: "verified" | "present", verified: boolean): AuthorityVector {
  const { publickey, ...assertion } = BY_CHROMIUM[person];
  const key = { ...passkeyOf(ONE), publickey, verified };
  return {
    name: `an assertion by Chromium, person ${person}${verified ? "" : ", who need not be verified"}`,
    ...{ text: BY_CHROMIUM.text, keys: [key], threshold: 1 },
    ...{ signatures: JSON.stringify([{ key: 0, ...assertion }]), valid: true },
  };
}

function rawSignature(text: string, { curve, scalar }: Key, digest?: string): string {
  const own = { "P-256": "sha256", "P-384": "sha384", "P-521": "sha512" }[curve.name];
  return derOf(signDeterministically(curve, scalar, { digest: digest ?? own, text })).toBase64();
}

function assertion(text: string, key: Key, changes: Changes): object {
  const challenge = createHash("sha256")
    .update(changes.challenge ?? text)
    .digest("base64url");
  const client = { type: "webauthn.get", challenge, origin: ORIGIN, ...changes.client };
  const clientData = Buffer.from(changes.clientText ?? JSON.stringify(client));
  const authenticatorData = Buffer.concat([
    createHash("sha256")
      .update(changes.rpid ?? RPID)
      .digest(),
    Buffer.from([changes.flags ?? 0x05, 0, 0, 0, 1]),
  ]);
  const data = Buffer.concat([authenticatorData, createHash("sha256").update(clientData).digest()]);
  const { curve, scalar } = changes.by ?? key;
  const signed = signDeterministically(curve, scalar, { digest: "sha256", text: data });
  return {
    signature: Buffer.from(derOf(signed)).toString("base64url"),
    authenticatordata: authenticatorData.toString("base64url"),
    clientdata: clientData.toString("base64url"),
  };
}
