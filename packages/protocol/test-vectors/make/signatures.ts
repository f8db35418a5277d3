import { createECDH, createHash, createPrivateKey, createPublicKey } from "node:crypto";
import type {
  KeyName,
  KeyVector,
  RefusedSignature,
  SignatureVector,
  SignatureVectors,
  SignedStringVector,
} from "../vector-types.ts";
import { CURVES, type Curve, octets, signDeterministically } from "./rfc6979.ts";
import { makeSignedStrings } from "./signed-strings.ts";

const DIGESTS = { "SHA-256": "sha256", "SHA-384": "sha384", "SHA-512": "sha512" } as const;
type Digest = keyof typeof DIGESTS;

const KEYS: readonly {
  readonly name: KeyName;
  readonly source: string;
  readonly curve: Curve;
  readonly scalar: bigint;
}[] = [
  { name: "one", source: "accounts §2, the test key", curve: CURVES["P-256"], scalar: 1n },
  {
    name: "P-256",
    source: "RFC 6979, appendix A.2.5",
    curve: CURVES["P-256"],
    scalar: 0xc9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721n,
  },
  {
    name: "P-384",
    source: "RFC 6979, appendix A.2.6",
    curve: CURVES["P-384"],
    scalar:
      0x6b9d3dad2e1b8c1c05b19875b6659f4de23c3b667bf297ba9aa47740787137d896d5724e4c70a825f872c9ea60d2edf5n,
  },
  {
    name: "P-521",
    source: "RFC 6979, appendix A.2.7",
    curve: CURVES["P-521"],
    scalar:
      0x0fad06daa62ba3b25d2fb40133da757205de67f5bb0018fee8c86e1b68c7e75caa896eb32f1f47c70855836a6d16fcc1466f6d8fbec67db89ec0c08b0e996b83538n,
  },
];

/** Of chain §4.8, made by another signer; its first form is `der`. */
const SPECIFIED =
  "MEQCIFQCqB0S3n1NANV96VYQm9IhgTUZdG9oq0SQi7Keq1rOAiAp4b/avEqED2CiNBozXWVGisbScFgggFwYVCQuWQM1Ww==";

/** Keys, and signatures in every accepted and many refused forms. Source: conventions §4. */
export function makeSignatures(): SignatureVectors {
  const texts = signedTexts();
  return {
    keys: KEYS.map(keyVector),
    valid: [specified(texts.short), ...KEYS.flatMap((key) => validOf(key, texts))],
    refused: KEYS.flatMap((key) => refusedOf(key, texts)),
  };
}

type Key = (typeof KEYS)[number];
type SignedTexts = Readonly<Record<"short" | "full" | "tricky", string>>;

function signedTexts(): SignedTexts {
  const { vectors } = makeSignedStrings();
  const named = (name: string): SignedStringVector =>
    vectors.find((vector) => vector.name === name) as SignedStringVector;
  const { short, full } = named("transfer: the worked example of a block");
  const { full: tricky } = named("transfer: texts that need care");
  return { short: short[0] as string, full, tricky };
}

function keyVector({ name, source, curve, scalar }: Key): KeyVector {
  const ecdh = createECDH(curve.namedCurve);
  ecdh.setPrivateKey(octets(scalar, curve.bytes));
  const point = ecdh.getPublicKey();
  const part = (from: number): string =>
    point.subarray(from, from + curve.bytes).toString("base64url");
  const privateKey = createPrivateKey({
    format: "jwk",
    key: {
      kty: "EC",
      crv: curve.name,
      d: Buffer.from(octets(scalar, curve.bytes)).toString("base64url"),
      x: part(1),
      y: part(1 + curve.bytes),
    },
  });
  const publicKey = createPublicKey(privateKey);
  return {
    name,
    source,
    curve: curve.name,
    private_scalar: octets(scalar, curve.bytes).toHex(),
    private_key_pkcs8: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    private_key_sec1: privateKey.export({ type: "sec1", format: "pem" }).toString(),
    public_key: publicKey.export({ type: "spki", format: "pem" }).toString(),
    public_key_body: publicKey.export({ type: "spki", format: "der" }).toString("base64"),
  };
}

function validOf(key: Key, { short, full, tricky }: SignedTexts): SignatureVector[] {
  const own: Digest = { "P-256": "SHA-256", "P-384": "SHA-384", "P-521": "SHA-512" }[
    key.curve.name
  ] as Digest;
  const published = { text: "sample", digest: own, what: "the text that RFC 6979 signs" };
  return [
    ...(key.name === "one" ? [] : [{ ...published, source: key.source }]),
    ...Object.keys(DIGESTS).map((digest) => ({
      text: short,
      digest: digest as Digest,
      what: "a short string",
    })),
    { text: full, digest: own, what: "a full string" },
    { text: tricky, digest: own, what: "a full string of texts that need care" },
    { text: short, digest: "SHA-256" as const, what: "the digest that every tool has" },
  ]
    .filter(
      (one, at, all) => all.findIndex((o) => o.text === one.text && o.digest === one.digest) === at,
    )
    .map(({ text, digest, what, ...source }) => {
      const signed = signDeterministically(key.curve, key.scalar, {
        digest: DIGESTS[digest],
        text,
      });
      const name = `${key.name}, ${digest}: ${what}`;
      return { ...vectorOf(key, { name, text, digest }, signed), ...source };
    });
}

function specified(text: string): SignatureVector {
  const key = KEYS[0] as Key;
  const der = Buffer.from(SPECIFIED, "base64");
  const r = BigInt(`0x${der.toString("hex", 4, 4 + (der[3] as number))}`);
  const s = BigInt(`0x${der.toString("hex", der.length - 32)}`);
  const name = "one, SHA-256: the worked example of a block";
  return {
    ...vectorOf(key, { name, text, digest: "SHA-256" }, { r, s }),
    source: "chain §4.8",
  };
}

export type Pair = { readonly r: bigint; readonly s: bigint };

function vectorOf(
  { name: key, curve }: Key,
  signed: { readonly name: string; readonly text: string; readonly digest: Digest },
  { r, s }: Pair,
): SignatureVector {
  const other = { r, s: curve.order - s };
  return {
    name: signed.name,
    key,
    text: signed.text,
    digest: signed.digest,
    hash: createHash(DIGESTS[signed.digest]).update(signed.text).digest("hex"),
    der: derOf({ r, s }).toBase64(),
    der_base64url: bare(derOf({ r, s })),
    raw: rawOf(curve, { r, s }).toBase64(),
    raw_base64url: bare(rawOf(curve, { r, s })),
    other_der: derOf(other).toBase64(),
    other_raw: rawOf(curve, other).toBase64(),
  };
}

function bare(bytes: Uint8Array): string {
  return bytes.toBase64({ alphabet: "base64url", omitPadding: true });
}

function refusedOf(key: Key, { short, full }: SignedTexts): RefusedSignature[] {
  const { name, curve, scalar } = key;
  const sign = (text: string, digest = "sha256", by = scalar): Pair =>
    signDeterministically(curve, by, { digest, text });
  const right = sign(short);
  const der = derOf(right);
  const raw = rawOf(curve, right);
  const { order } = curve;
  const head = der[1] === 0x81 ? 3 : 2;
  const content = [...der.slice(head)];
  const r = [...integer(right.r)];
  const s = [...integer(right.s)];
  const fits: readonly (readonly [string, Uint8Array | string])[] = [
    ["another text", derOf(sign(`${short}|`))],
    ["a full string, sent without signed=full", derOf(sign(full))],
    ["another key", derOf(sign(short, "sha256", scalar + 1n))],
    ["SHA-1", derOf(sign(short, "sha1"))],
    ["SHA-224", derOf(sign(short, "sha224"))],
    ["r and s changed round, DER", derOf({ r: right.s, s: right.r })],
    ["r and s changed round, raw", rawOf(curve, { r: right.s, s: right.r })],
    ["s is n, DER", derOf({ ...right, s: order })],
    ["s is n, raw", rawOf(curve, { ...right, s: order })],
    ["s is 0, raw", rawOf(curve, { ...right, s: 0n })],
    ["r is 0, raw", rawOf(curve, { ...right, r: 0n })],
    ["nothing but zeros, raw", new Uint8Array(2 * curve.bytes)],
    ["one bit changed, raw", raw.with(5, (raw[5] as number) ^ 1)],
    ["raw, as long as those of another curve", resized(raw, curve.bytes === 48 ? 64 : 96)],
  ];
  const malformed: readonly (readonly [string, Uint8Array | string])[] = [
    ["one byte less, DER", der.slice(0, -1)],
    ["one byte more, DER", Uint8Array.of(...der, 0)],
    ["one byte less, raw", raw.slice(0, -1)],
    ["one byte more, raw", Uint8Array.of(...raw, 0)],
    ["s is 0, DER", derOf({ ...right, s: 0n })],
    ["r is negative, DER", sequence([2, 1, 0x81, ...s])],
    ["r with a byte too much before it, DER", sequence([...grown(r), ...s])],
    [
      "a length in more bytes than it needs, DER",
      Uint8Array.of(0x30, 0x82, 0, content.length, ...content),
    ],
    ["three numbers, DER", sequence([...r, ...s, 2, 1, 1])],
    ["a SET instead of a SEQUENCE, DER", der.with(0, 0x31)],
    [
      "a blank in place of a +, as forms make of it",
      `${der.toBase64().slice(0, 20)} ${der.toBase64().slice(21)}`,
    ],
    ["hex", der.toHex()],
    ["no base64", "no signature!"],
    ["nothing but padding", "=="],
  ];
  const listed =
    (code: "2010" | "2230") =>
    ([what, signature]: readonly [string, Uint8Array | string]): RefusedSignature => ({
      name: `${name}: ${what}`,
      key: name,
      text: short,
      signature: typeof signature === "string" ? signature : signature.toBase64(),
      code,
    });
  return [...fits.map(listed("2010")), ...malformed.map(listed("2230"))];
}

function rawOf({ bytes }: Curve, { r, s }: Pair): Uint8Array {
  return Uint8Array.of(...octets(r, bytes), ...octets(s, bytes));
}

export function derOf({ r, s }: Pair): Uint8Array {
  return sequence([...integer(r), ...integer(s)]);
}

/** An INTEGER of ASN.1, of at least 0. */
function integer(value: bigint): Uint8Array {
  const hex = value.toString(16);
  const padded = hex.length % 2 === 1 ? `0${hex}` : hex;
  const bytes = Uint8Array.fromHex(/^[89a-f]/.test(padded) ? `00${padded}` : padded);
  return Uint8Array.of(2, bytes.length, ...bytes);
}

function sequence(content: readonly number[]): Uint8Array {
  const length = content.length < 128 ? [content.length] : [0x81, content.length];
  return Uint8Array.of(0x30, ...length, ...content);
}

/** An INTEGER with a superfluous zero before it. */
function grown([tag = 2, length = 0, ...value]: readonly number[]): number[] {
  return [tag, length + 1, 0, ...value];
}

function resized(bytes: Uint8Array, length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, at) => bytes[at] ?? 1);
}
