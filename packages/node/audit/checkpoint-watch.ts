import { verifierKeyText, verifyCheckpoint } from "@moneta/protocol";
import { Finding, shortened } from "../follower/finding.ts";
import { Declined } from "../follower/node-client.ts";
import {
  base64,
  base64OfHex,
  compareOrigin,
  compareTree,
  type ServedCheckpoint,
  servedCheckpoint,
  shownKeys,
  verifyEd25519,
} from "../follower/served-checkpoint.ts";
import type { AuditContext } from "./audit-context.ts";
import { compareConsistency } from "./compare-read.ts";
import type { SeenCheckpoint } from "./memory.ts";
import { OldBlocks } from "./old-blocks.ts";

/** Without trusted keys, the first checkpoint's key becomes trusted. */
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

/** Compares with the copy's tree and earlier checkpoints, then remembers it. */
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

/** Throws if a checkpoint contradicts blocks served before: the history was rewritten. */
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
    const own = replica.blockOfSize(seen.size)?.header;
    const hasTree = own !== undefined && base64OfHex(own.tree) === seen.root;
    const answer = await client.text(path).catch(async (thrown: unknown) => {
      // A pruned node lacks the leaves of that tree. The copy has it, and the node must continue it.
      if (
        hasTree &&
        thrown instanceof Declined &&
        thrown.code === "6013" &&
        (await OldBlocks.of(context)).lacks(own.sn)
      ) {
        return undefined;
      }
      throw thrown;
    });
    if (answer === undefined) {
      return;
    }
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

function parsedMembers(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
