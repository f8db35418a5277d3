import { sha256 } from "@moneta/ledger";
import type { SharedCheckpoint } from "@moneta/ledger/postgres";
import { isHeader, parseVerifierKey, type VerifierKey, verifyCheckpoint } from "@moneta/protocol";
import { verifyEd25519 } from "../follower/served-checkpoint.ts";

export interface CheckpointSurroundings {
  readonly ledgerName: string;
  /** JSON; undefined if the log has no block at the row's height. */
  readonly header: string | undefined;
  /** Verifier keys of which one must have signed; by default those in the row. */
  readonly trusted: readonly string[];
}

/** Without `trusted`, any key may have signed it. Source: cluster §7, chain §12. */
export async function checkpointRowProblem(
  { size, root, height, note, keys }: SharedCheckpoint,
  { ledgerName, header, trusted }: CheckpointSurroundings,
): Promise<string | undefined> {
  const block = header === undefined ? undefined : parsedHeader(header);
  if (block === undefined) {
    return `the log has no block at its height ${height}`;
  }
  if (block.size !== size || block.tree !== root) {
    return `block ${height} of the log ends with ${block.size} transactions and the root ${block.tree}, the row says ${size} and ${root}`;
  }
  const lines = keys.split("\n");
  const verifiers = verifiersOf(lines);
  if (verifiers.length < lines.length || verifiers.some(({ name }) => name !== ledgerName)) {
    return `its keys are not keys of the ledger ${ledgerName}`;
  }
  const isBound = trusted.length > 0;
  const accepted = isBound ? verifiersOf(trusted) : verifiers;
  const signed = await verifyCheckpoint(note, accepted, verifyEd25519);
  if (signed === undefined) {
    return `its note is no checkpoint that ${isBound ? "a key of --log-key" : "one of its keys"} has signed`;
  }
  const isOfRow =
    signed.origin === ledgerName &&
    signed.size === size &&
    Buffer.from(signed.root).toString("hex") === root;
  return isOfRow ? undefined : "its note is the checkpoint of another ledger or another block";
}

function verifiersOf(lines: readonly string[]): VerifierKey[] {
  return lines.flatMap((line) => parseVerifierKey(sha256, line) ?? []);
}

function parsedHeader(text: string): { readonly size: number; readonly tree: string } | undefined {
  try {
    const header: unknown = JSON.parse(text);
    return isHeader(header) ? header : undefined;
  } catch {
    return undefined;
  }
}
