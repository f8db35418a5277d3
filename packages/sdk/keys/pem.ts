import { fromHex, toBase64, toHex } from "@moneta/protocol/client";

export type Curve = "P-256" | "P-384" | "P-521";

export interface PrivateKeyInfo {
  readonly curve: Curve;
  /** PKCS#8, DER. */
  readonly der: Uint8Array<ArrayBuffer>;
}

const CURVES: readonly (readonly [Curve, string])[] = [
  ["P-256", "06082a8648ce3d030107"],
  ["P-384", "06052b81040022"],
  ["P-521", "06052b81040023"],
];
const EC_PUBLIC_KEY = "06072a8648ce3d0201";

/**
 * Reads a private key: PEM `PRIVATE KEY` (PKCS#8) or `EC PRIVATE KEY` (SEC1), also after `EC
 * PARAMETERS`. Errors tell what to do and contain nothing of the key.
 */
export function readPrivateKeyPem(pem: string): PrivateKeyInfo {
  const [, kind = "", body = ""] =
    /-----BEGIN ((?:EC |ENCRYPTED )?PRIVATE KEY)-----([\s\S]*?)-----END \1-----/.exec(pem) ?? [];
  if (kind === "") {
    throw new TypeError(
      "No private key in PEM form: the text must have a line -----BEGIN PRIVATE KEY----- or -----BEGIN EC PRIVATE KEY-----.",
    );
  }
  if (kind.startsWith("ENCRYPTED") || body.includes(":")) {
    throw new TypeError(
      "The private key is encrypted: decrypt it first, for example with openssl pkcs8 -in key.pem -out plain.pem.",
    );
  }
  const der = derOf(body);
  const hex = toHex(der);
  const [curve, curveOid] = CURVES.find(([, oid]) => hex.includes(oid)) ?? [];
  if (curve === undefined || curveOid === undefined) {
    throw new TypeError("The private key is on none of the curves P-256, P-384 and P-521.");
  }
  if (kind === "PRIVATE KEY") {
    return { curve, der };
  }
  const algorithm = element(0x30, fromHex(EC_PUBLIC_KEY + curveOid));
  return { curve, der: element(0x30, fromHex("020100"), algorithm, element(0x04, der)) };
}

/** 64 characters a line and LF after each. Source: accounts §2. */
export function pemText(kind: "PUBLIC KEY" | "PRIVATE KEY", der: Uint8Array): string {
  const lines = toBase64(der).replaceAll(/.{1,64}/g, "$&\n");
  return `-----BEGIN ${kind}-----\n${lines}-----END ${kind}-----\n`;
}

function derOf(body: string): Uint8Array<ArrayBuffer> {
  try {
    // More tolerant than `fromBase64`: some programs omit the padding.
    const text = atob(body.replaceAll(/\s/g, ""));
    return Uint8Array.from(text, (character) => character.charCodeAt(0));
  } catch {
    throw new TypeError("The private key is damaged: between its marks must be base64.");
  }
}

function element(tag: number, ...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const head =
    length < 0x80
      ? [tag, length]
      : length < 0x100
        ? [tag, 0x81, length]
        : [tag, 0x82, length >> 8, length & 0xff];
  const bytes = new Uint8Array(head.length + length);
  bytes.set(head);
  let at = head.length;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
