import { createPublicKey, verify } from "node:crypto";
import { sha256 } from "@moneta/ledger";
import {
  type Header,
  parseCheckpoint,
  parseVerifierKey,
  type SignedCheckpoint,
  type VerifierKey,
  verifyCheckpoint,
} from "@moneta/protocol";
import { Finding, mismatch, shortened } from "./finding.ts";
import { Declined, type NodeClient } from "./node-client.ts";

const CHECKPOINT = "GET /checkpoint";
const KEYS_MAX = 100;

/** Signed by a trusted key; its block is according to the node. */
export interface ServedCheckpoint extends SignedCheckpoint {
  readonly note: string;
  readonly height: number;
}

/** Signed by a key of `keysOf`. Undefined if the node has none and none is needed. */
export async function servedCheckpoint(
  client: NodeClient,
  trust: {
    readonly isNeeded: boolean;
    readonly keysOf: (note: string) => Promise<readonly string[]>;
  },
): Promise<ServedCheckpoint | undefined> {
  let answer: { readonly text: string; readonly headers: Headers };
  try {
    answer = await client.text("/checkpoint");
  } catch (thrown) {
    if (thrown instanceof Declined && thrown.code === "9404" && !trust.isNeeded) {
      return undefined;
    }
    throw thrown;
  }
  const parsed = parseCheckpoint(answer.text);
  if (parsed === undefined) {
    throw new Finding(`${CHECKPOINT}: no checkpoint: ${shortened(answer.text)}`);
  }
  await assertSigned(CHECKPOINT, answer.text, await trust.keysOf(answer.text));
  const height = Number(answer.headers.get("ledger-height") ?? Number.NaN);
  if (!Number.isSafeInteger(height) || height < 0) {
    throw new Finding(`${CHECKPOINT}: Ledger-Height names no block`);
  }
  return { ...parsed, note: answer.text, height };
}

/** Throws a `Finding` for another ledger's. */
export function compareOrigin(checkpoint: SignedCheckpoint, ledgerName: string): void {
  compareMember(checkpoint, { member: "origin", served: checkpoint.origin, computed: ledgerName });
}

/** Throws a `Finding` unless the copy has this tree. */
export function compareTree(
  checkpoint: SignedCheckpoint,
  header: Pick<Header, "size" | "tree"> | undefined,
): void {
  const { size, root } = checkpoint;
  compareMember(checkpoint, { member: "size", served: size, computed: header?.size });
  const computed = base64OfHex(header?.tree ?? "");
  compareMember(checkpoint, { member: "root", served: base64(root), computed });
}

function compareMember(
  { size }: SignedCheckpoint,
  compared: { readonly member: string; readonly served: unknown; readonly computed: unknown },
): void {
  if (compared.served !== compared.computed) {
    throw mismatch({ place: `checkpoint of size ${size}`, answer: CHECKPOINT, ...compared });
  }
}

/** At most 100. */
export async function shownKeys(client: NodeClient): Promise<readonly VerifierKey[]> {
  const { text } = await client.text("/checkpoint/key");
  const lines = text.split("\n").filter((line) => line !== "");
  return lines.slice(0, KEYS_MAX).map((line) => {
    const key = parseVerifierKey(sha256, line);
    if (key === undefined) {
      throw new Finding(`GET /checkpoint/key: no verifier key: ${shortened(line)}`);
    }
    return key;
  });
}

/** Throws unless a key signed the note, and none of their signatures is wrong. */
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
      : `${answer}: the checkpoint is signed by ${signers.join(", ") || "no key"}, but believed are only ${keyTexts.join(", ")}`,
    [note],
  );
}

/** Of a 32-byte public key. Source: RFC 8410 §4. */
const SPKI_PREFIX = Buffer.from("302a300506032b6570032100", "hex");

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

/** Source: chain §12. */
export function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64");
}

export function base64OfHex(hex: string): string {
  return Buffer.from(hex, "hex").toString("base64");
}
