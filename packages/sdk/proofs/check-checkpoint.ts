import {
  parseCheckpoint,
  parseVerifierKey,
  type SignedCheckpoint,
  toBase64,
  type VerifierKey,
  verifierKeyText,
  verifyCheckpoint,
} from "@moneta/protocol/proof";
import { ask, type Reads, SMALL_BYTES_MAX } from "./answers.ts";
import { sha256, verifyEd25519 } from "./platform-free.ts";
import type { CheckedCheckpoint, CheckList, CheckName } from "./report.ts";

export interface ProofOptions {
  /**
   * Verifier keys known from elsewhere or from an earlier report, `<name>+<key id>+<base64>`.
   * Without them, the node's own keys are used, and the report says so.
   */
  readonly keys?: readonly string[] | undefined;
  /** The ledger's name; by default the name of the keys. */
  readonly origin?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Keys of one ledger: a few, even while one is replaced. */
const KEYS_MAX = 16;

export const CHECKPOINT_CHECKS: readonly CheckName[] = ["checkpoint", "origin", "key", "signature"];

/** `checked` only if the signature is right. Throws TypeError for the caller's malformed keys. */
export async function checkCheckpoint(
  checks: CheckList,
  note: string,
  client: Reads,
  options: ProofOptions,
): Promise<{
  readonly parsed: SignedCheckpoint | undefined;
  readonly checked: CheckedCheckpoint | undefined;
}> {
  const given = givenKeys(options.keys ?? []);
  const nothing = { parsed: undefined, checked: undefined };
  if (note === "") {
    // A node without a key signs nothing. If a key is known, the ledger has signed before.
    if (given.length > 0) {
      checks.note("checkpoint", false, `a checkpoint signed by ${idsOf(given)}`, "none");
    }
    return nothing;
  }
  const parsed = parseCheckpoint(note);
  if (parsed === undefined) {
    checks.note("checkpoint", false, "a checkpoint in the form of C2SP tlog-checkpoint", note);
    return nothing;
  }
  checks.note("checkpoint", true, "a checkpoint", `of size ${parsed.size}`);
  const keys = given.length > 0 ? given : await shownKeys(client, options);
  const origin = options.origin ?? keys[0]?.name;
  if (origin !== undefined) {
    checks.compare("origin", origin, parsed.origin);
  }
  const key = signerOf(parsed, keys);
  const signers = idsOf(parsed.signatures);
  if (!checks.note("key", key !== undefined, idsOf(keys), signers) || key === undefined) {
    return { parsed, checked: undefined };
  }
  const isRight = (await verifyCheckpoint(note, keys, verifyEd25519)) !== undefined;
  checks.note("signature", isRight, `signed by ${idsOf([key])}`, isRight ? signers : "wrong");
  return { parsed, checked: isRight ? checkedOf(note, parsed, key, given.length > 0) : undefined };
}

function checkedOf(
  note: string,
  { origin, size, root }: SignedCheckpoint,
  key: VerifierKey,
  isKeyKnown: boolean,
): CheckedCheckpoint {
  const { keyId } = key;
  return { note, origin, size, root: toBase64(root), keyId, key: verifierKeyText(key), isKeyKnown };
}

/** The first of the keys that a signature of the note names. */
function signerOf(
  { signatures }: SignedCheckpoint,
  keys: readonly VerifierKey[],
): VerifierKey | undefined {
  return keys.find((key) =>
    signatures.some(({ name, keyId }) => name === key.name && keyId === key.keyId),
  );
}

function givenKeys(texts: readonly string[]): readonly VerifierKey[] {
  return texts.map((text) => {
    const key = parseVerifierKey(sha256, text);
    if (key === undefined) {
      throw new TypeError(
        `keys has verifier keys, <name>+<key id>+<base64>, and not ${JSON.stringify(text)}`,
      );
    }
    return key;
  });
}

async function shownKeys(client: Reads, { signal }: ProofOptions): Promise<readonly VerifierKey[]> {
  const asked = await ask(client, "checkpointKey", {}, { signal, bytesMax: SMALL_BYTES_MAX });
  const text = "body" in asked && typeof asked.body === "string" ? asked.body : "";
  return text
    .split("\n", KEYS_MAX)
    .map((line) => parseVerifierKey(sha256, line))
    .filter((key) => key !== undefined);
}

function idsOf(keys: readonly Pick<VerifierKey, "name" | "keyId">[]): string {
  return keys.map(({ name, keyId }) => `${name}+${keyId}`).join(", ") || "no key";
}
