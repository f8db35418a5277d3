import { sha256 } from "@moneta/ledger";
import {
  type Header,
  parseCheckpoint,
  parseVerifierKey,
  type SignedCheckpoint,
  type VerifierKey,
  verifierKeyText,
  verifyCheckpoint,
} from "@moneta/protocol";
import type { AuditContext } from "./audit-context.ts";
import { assertSigned, base64, base64OfHex, verifyEd25519 } from "./checkpoint-signature.ts";
import { compareConsistency } from "./compare-proofs.ts";
import { Finding, mismatch, shortened } from "./finding.ts";
import type { SeenCheckpoint } from "./memory.ts";
import { Declined, type NodeClient } from "./node-client.ts";

const CHECKPOINT = "GET /checkpoint";

/** A checkpoint signed by a trusted key, and its block according to the node. */
export interface ServedCheckpoint extends SignedCheckpoint {
  readonly note: string;
  readonly height: number;
}

/**
 * Fetches the newest checkpoint and checks its signature with the trusted keys. Without any, the
 * first checkpoint's key becomes trusted. Undefined if the node never had a checkpoint.
 */
export async function fetchCheckpoint(
  context: AuditContext,
): Promise<ServedCheckpoint | undefined> {
  const { client, memory } = context;
  return await servedCheckpoint(client, {
    isNeeded: memory.state.keys.length > 0,
    keysOf: async (note) => {
      if (memory.state.keys.length === 0) {
        await believeAtFirstContact(context, note);
      }
      return memory.state.keys;
    },
  });
}

/**
 * Fetches the newest checkpoint and checks its signature with the keys that `keysOf` says are
 * trusted. Undefined if the node has none and none is needed.
 */
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

/** Compares a checkpoint with the copy's tree and with earlier checkpoints, then remembers it. */
export async function compareCheckpoint(
  context: AuditContext,
  checkpoint: ServedCheckpoint,
): Promise<void> {
  const { replica, memory, clock } = context;
  const { size, height, note } = checkpoint;
  const reader = replica.read();
  compareOrigin(checkpoint, reader.ledgerName());
  compareTree(checkpoint, reader.block({ height })?.header);
  const root = base64(checkpoint.root);

  const before = memory.state.checkpoint;
  if (before !== undefined && before.size < size) {
    await compareConsistency(context, before.size, size);
  }
  if (before === undefined || before.size <= size) {
    memory.keep({ note, size, root, seen: clock() });
  }
}

/** Throws a `Finding` if a checkpoint is not of the ledger with this name. */
export function compareOrigin(checkpoint: SignedCheckpoint, ledgerName: string): void {
  compareMember(checkpoint, { member: "origin", served: checkpoint.origin, computed: ledgerName });
}

/** Throws a `Finding` if a checkpoint is not of the tree that its block has, by our own account. */
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

/**
 * Throws if a checkpoint contradicts blocks that the node served before: then its history was
 * rewritten.
 */
export async function assertSameHistory(
  context: AuditContext,
  checkpoint: ServedCheckpoint,
): Promise<void> {
  const { client, replica, memory } = context;
  const { size, note } = checkpoint;
  const root = base64(checkpoint.root);
  if (size <= replica.head.size) {
    const own = replica.blockOfSize(size);
    const ownRoot = own && base64OfHex(own.header.tree);
    const seen = ownRoot === root ? undefined : memory.seenOf(size);
    if (seen !== undefined) {
      throw rewritten({ size, before: ownRoot ?? "that of no block", now: root }, seen, note);
    }
    return;
  }
  const seen = memory.state.checkpoint;
  if (seen !== undefined && seen.size >= 1) {
    const path = `/checkpoint/consistency?from=${seen.size}&to=${size}`;
    const answer = await client.text(path);
    const { from_root } = parsedMembers(answer.text);
    if (from_root !== seen.root) {
      const now = shortened(from_root);
      throw rewritten({ size: seen.size, before: seen.root, now }, seen, note, answer.text);
    }
  }
}

function rewritten(
  roots: { readonly size: number; readonly before: string; readonly now: string },
  seen: SeenCheckpoint,
  ...now: readonly string[]
): Finding {
  const { size, before, now: root } = roots;
  const date = new Date(seen.seen * 1000).toISOString();
  const of = seen.size === size ? "" : `, by the checkpoint of size ${seen.size}`;
  return new Finding(
    `the node has rewritten its history: checkpoint of size ${size} was root ${before} on ${date}${of}, now ${root}`,
    [`seen on ${date}:\n${seen.note}`, ...now.map((text) => `now:\n${text}`)],
  );
}

/** Trusts the key, among the node's own, that signed the first checkpoint. */
async function believeAtFirstContact(
  { client, memory, say }: AuditContext,
  note: string,
): Promise<void> {
  const keys = await shownKeys(client);
  for (const key of keys) {
    if ((await verifyCheckpoint(note, [key], verifyEd25519)) !== undefined) {
      const keyText = verifierKeyText(key);
      memory.update({ keys: [keyText] });
      say(
        `first contact: from now on the checkpoint key ${keyText} is believed, because the node shows it; compare it with what its operator has published, or give that as --key`,
      );
      return;
    }
  }
  throw new Finding(
    "GET /checkpoint/key: none of the keys has signed the checkpoint that the node serves",
    [note, ...keys.map(verifierKeyText)],
  );
}

/** The verifier keys that a node shows, at most 100. */
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

const KEYS_MAX = 100;
function parsedMembers(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
