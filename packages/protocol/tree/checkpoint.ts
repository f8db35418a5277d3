import { fromBase64, fromHex, toBase64, toHex } from "../text/byte-texts.ts";
import type { Sha256 } from "./hashing.ts";

/** Source: C2SP tlog-checkpoint, chain §12. */
export interface Checkpoint {
  /** `ledger` of block 0. */
  readonly origin: string;
  readonly size: number;
  /** 32 bytes. */
  readonly root: Uint8Array;
}

export interface NoteSignature {
  readonly name: string;
  /** 8 hex digits. */
  readonly keyId: string;
  readonly signature: Uint8Array;
}

export interface VerifierKey {
  readonly name: string;
  readonly keyId: string;
  readonly publicKey: Uint8Array;
}

export interface SignedCheckpoint extends Checkpoint {
  readonly text: string;
  /** Others are ignored. */
  readonly signatures: readonly NoteSignature[];
}

/** Whether a signature of the UTF-8 bytes of `text` is valid. */
export type VerifyEd25519 = (given: {
  readonly publicKey: Uint8Array;
  readonly text: string;
  readonly signature: Uint8Array;
}) => boolean | Promise<boolean>;

/** Source: C2SP signed-note, "Signature types". */
const ED25519 = 1;
const KEY_BYTES = 32;
const KEY_ID_BYTES = 4;
const SIGNATURE_BYTES = 64;
const HASH_BYTES = 32;

/** More than notes of ours have; verifiers must take 16. Source: C2SP signed-note. */
const SIGNATURES_MAX = 100;
const NOTE_LENGTH_MAX = 1_000_000;

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what no note may have.
const FORBIDDEN_CONTROL = /[\u0000-\u0009\u000b-\u001f]/;

/** Origin, size and root, a line each. Source: C2SP tlog-checkpoint. */
export function checkpointText({ origin, size, root }: Checkpoint): string {
  return `${origin}\n${size}\n${toBase64(root)}\n`;
}

/** Source: C2SP signed-note. */
export function signedNote(text: string, signatures: readonly NoteSignature[]): string {
  const lines = signatures.map(({ name, keyId, signature }) => {
    const bytes = Uint8Array.of(...fromHex(keyId), ...signature);
    return `\u2014 ${name} ${toBase64(bytes)}\n`;
  });
  return `${text}\n${lines.join("")}`;
}

/**
 * The id is the first 4 bytes of SHA-256(name ‖ 0A ‖ 01 ‖ public key); the name is ASCII. Source:
 * C2SP signed-note, chain §12.
 */
export function verifierKey(
  sha256: Sha256,
  { name, publicKey }: Pick<VerifierKey, "name" | "publicKey">,
): VerifierKey {
  const nameBytes = Array.from(`${name}\n`, (character) => character.charCodeAt(0));
  const hashed = Uint8Array.of(...nameBytes, ED25519, ...publicKey);
  return { name, keyId: sha256.hex(hashed).slice(0, 2 * KEY_ID_BYTES), publicKey };
}

/** `<name>+<key id>+<base64 of 01 ‖ public key>`. Source: chain §12. */
export function verifierKeyText({ name, keyId, publicKey }: VerifierKey): string {
  return `${name}+${keyId}+${toBase64(Uint8Array.of(ED25519, ...publicKey))}`;
}

/** Undefined if it is not Ed25519 or has a wrong id. */
export function parseVerifierKey(sha256: Sha256, text: string): VerifierKey | undefined {
  const [, name, keyId, encoded = ""] =
    /^([!-*,-~]{1,255})\+([0-9a-f]{8})\+([0-9A-Za-z+/]{44})$/.exec(text) ?? [];
  const bytes = fromBase64(encoded);
  if (name === undefined || bytes?.length !== 1 + KEY_BYTES || bytes[0] !== ED25519) {
    return undefined;
  }
  const key = verifierKey(sha256, { name, publicKey: bytes.slice(1) });
  return key.keyId === keyId ? key : undefined;
}

/** Its signatures are not checked. */
export function parseCheckpoint(note: string): SignedCheckpoint | undefined {
  if (
    note.length > NOTE_LENGTH_MAX ||
    !note.endsWith("\n") ||
    !note.isWellFormed() ||
    FORBIDDEN_CONTROL.test(note)
  ) {
    return undefined;
  }
  // Bodies have no empty line, so the first one ends the body.
  const [body = "", rest, ...more] = note.split("\n\n");
  const [origin = "", sizeText = "", rootText = ""] = body.split("\n");
  const size = /^(0|[1-9][0-9]{0,15})$/.test(sizeText) ? Number(sizeText) : Number.NaN;
  const root = fromBase64(rootText);
  if (
    rest === undefined ||
    more.length > 0 ||
    origin === "" ||
    !Number.isSafeInteger(size) ||
    root?.length !== HASH_BYTES
  ) {
    return undefined;
  }
  const signatures = rest.slice(0, -1).split("\n").map(parseSignatureLine);
  return signatures.includes(undefined) || signatures.length > SIGNATURES_MAX
    ? undefined
    : {
        origin,
        size,
        root,
        text: `${body}\n`,
        signatures: signatures.filter(
          (one) => one?.signature.length === SIGNATURE_BYTES,
        ) as NoteSignature[],
      };
}

/**
 * Undefined unless one of the keys has signed it and none has a wrong signature. Source: C2SP
 * signed-note, "Signatures".
 */
export async function verifyCheckpoint(
  note: string,
  keys: readonly VerifierKey[],
  verify: VerifyEd25519,
): Promise<SignedCheckpoint | undefined> {
  const parsed = parseCheckpoint(note);
  if (parsed === undefined) {
    return undefined;
  }
  const { text } = parsed;
  let verified = 0;
  for (const { name, keyId, signature } of parsed.signatures) {
    const key = keys.find((known) => known.name === name && known.keyId === keyId);
    if (key !== undefined) {
      if (!(await verify({ publicKey: key.publicKey, text, signature }))) {
        return undefined;
      }
      verified += 1;
    }
  }
  return verified > 0 ? parsed : undefined;
}

/** Other signatures than Ed25519 may have any length. */
function parseSignatureLine(line: string): NoteSignature | undefined {
  const [, name, encoded = ""] = /^\u2014 ([^\s+]+) (\S+)$/u.exec(line) ?? [];
  const bytes = fromBase64(encoded);
  return name === undefined || bytes === undefined || bytes.length <= KEY_ID_BYTES
    ? undefined
    : {
        name,
        keyId: toHex(bytes.slice(0, KEY_ID_BYTES)),
        signature: bytes.slice(KEY_ID_BYTES),
      };
}
