import { createPublicKey, verify } from "node:crypto";
import { sha256 } from "@moneta/ledger";
import {
  parseCheckpoint,
  parseVerifierKey,
  type VerifierKey,
  verifyCheckpoint,
} from "@moneta/protocol";
import { Finding } from "./finding.ts";

/** Throws unless at least one of the keys signed the note, and no signature of theirs is wrong. */
export async function assertSigned(
  answer: string,
  note: string,
  keyTexts: readonly string[],
): Promise<void> {
  const keys = keyTexts.map((text) => parseVerifierKey(sha256, text) as VerifierKey);
  if ((await verifyCheckpoint(note, keys, verifyEd25519)) !== undefined) {
    return;
  }
  const signers = (parseCheckpoint(note)?.signatures ?? []).map(
    ({ name, keyId }) => `${name}+${keyId}`,
  );
  const isOurs = keys.some(({ name, keyId }) => signers.includes(`${name}+${keyId}`));
  throw new Finding(
    isOurs
      ? `${answer}: the signature of ${signers.join(", ")} does not fit the checkpoint`
      : `${answer}: the checkpoint is signed by ${signers.join(", ") || "nobody"}, but believed are only ${keyTexts.join(", ")}`,
    [note],
  );
}

/** The DER prefix of a 32-byte Ed25519 public key. Source: RFC 8410 §4. */
const SPKI_PREFIX = Buffer.from("302a300506032b6570032100", "hex");

/** Ed25519 as Node provides it. */
export function verifyEd25519(given: {
  readonly publicKey: Uint8Array;
  readonly text: string;
  readonly signature: Uint8Array;
}): boolean {
  const key = createPublicKey({
    key: Buffer.concat([SPKI_PREFIX, given.publicKey]),
    format: "der",
    type: "spki",
  });
  return verify(null, Buffer.from(given.text), key, given.signature);
}

/** The form in which checkpoints and proofs have hashes. Source: chain §12. */
export function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}

/** The form of chain §12 for a hash of a header. */
export function base64OfHex(hex: string): string {
  return Buffer.from(hex, "hex").toString("base64");
}
