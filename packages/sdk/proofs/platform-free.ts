import { type Sha256, toHex, type VerifyEd25519 } from "@moneta/protocol/proof";
import { hashes, verify } from "@noble/ed25519";
import { sha256 as digest, sha512 } from "@noble/hashes/sha2.js";

// Pages over plain HTTP have no WebCrypto. Source: explorer §1.1.

const utf8 = new TextEncoder();

function bytesOf(data: string | Uint8Array): Uint8Array {
  return typeof data === "string" ? utf8.encode(data) : data;
}

/** SHA-256 without the platform. */
export const sha256: Sha256 = {
  hex: (data) => toHex(digest(bytesOf(data))),
  bytes: (data) => digest(bytesOf(data)),
};

/** Ed25519 as in RFC 8032, without the platform; false for a malformed key or signature. */
export const verifyEd25519: VerifyEd25519 = ({ publicKey, text, signature }) => {
  hashes.sha512 = sha512;
  try {
    return verify(signature, utf8.encode(text), publicKey, { zip215: false });
  } catch {
    return false;
  }
};
