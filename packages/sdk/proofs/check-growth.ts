import { toBase64, verifyConsistency } from "@moneta/protocol/proof";
import { ask, membersOf, type Reads, receivedPath, SMALL_BYTES_MAX } from "./answers.ts";
import { sha256 } from "./platform-free.ts";
import type { CheckList } from "./report.ts";

/** A tree by its number of leaves and its root, 32 bytes. */
export interface TreeHead {
  readonly size: number;
  readonly root: Uint8Array;
}

/** Notes as `growth` whether `to` extends `from`; at most one request. Source: chain §12. */
export async function checkGrowth(
  checks: CheckList,
  client: Reads,
  trees: {
    readonly from: TreeHead;
    readonly to: TreeHead;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<void> {
  const { from, to, signal } = trees;
  const [older, newer] = [headText(from), headText(to)];
  if (from.size === to.size) {
    checks.compare("growth", older, newer);
    return;
  }
  if (from.size > to.size) {
    checks.note("growth", false, `at least ${from.size} transactions`, `${to.size}`);
    return;
  }
  const request = { from: from.size, to: to.size };
  const options = { signal, bytesMax: SMALL_BYTES_MAX };
  const asked = await ask(client, "checkpointConsistency", request, options);
  if ("fault" in asked) {
    checks.note("answer", false, `a proof from ${older} to ${newer}`, asked.fault);
    return;
  }
  const { proof, ...named } = membersOf(asked.body);
  const path = receivedPath(proof);
  if (path === undefined) {
    checks.note("answer", false, "a list of hashes", proof);
    return;
  }
  checks.compare("growth", older, `${named["from"]} ${named["from_root"]}`);
  checks.compare("growth", newer, `${named["to"]} ${named["to_root"]}`);
  const claim = { from: from.size, to: to.size, fromRoot: from.root, toRoot: to.root, path };
  const holds = verifyConsistency(sha256, claim);
  checks.note("growth", holds, newer, holds ? newer : "the proof leads elsewhere");
}

function headText({ size, root }: TreeHead): string {
  return `${size} ${toBase64(root)}`;
}
