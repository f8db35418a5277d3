import { parseCheckpoint, parseVerifierKey, verifyCheckpoint } from "@moneta/protocol/proof";
import type { Reads } from "./answers.ts";
import { CHECKPOINT_CHECKS, checkCheckpoint, type ProofOptions } from "./check-checkpoint.ts";
import { checkGrowth } from "./check-growth.ts";
import { sha256, verifyEd25519 } from "./platform-free.ts";
import { type CheckedCheckpoint, CheckList, type ProofReport } from "./report.ts";

/**
 * Checks that the ledger has only grown between two checkpoints of earlier reports: both are
 * signed, the later one by the key of the earlier one or one of `keys`, and the older tree is the
 * beginning of the newer one. At most one request. Source: chain §12, explorer §2.
 */
export async function verifyGrowth(
  client: Reads,
  checkpoints: {
    readonly earlier: Pick<CheckedCheckpoint, "note" | "key">;
    readonly later: Pick<CheckedCheckpoint, "note">;
  },
  options: ProofOptions = {},
): Promise<ProofReport> {
  const checks = new CheckList(["answer", "earlier", ...CHECKPOINT_CHECKS, "growth"]);
  const { note, key: keyText } = checkpoints.earlier;
  const key = parseVerifierKey(sha256, keyText);
  const earlier = parseCheckpoint(note);
  const isSigned =
    key !== undefined && (await verifyCheckpoint(note, [key], verifyEd25519)) !== undefined;
  checks.note("earlier", isSigned, `a checkpoint signed by ${keyText}`, note);

  const keys = key === undefined ? options.keys : [...(options.keys ?? []), keyText];
  const own = { ...options, keys, origin: options.origin ?? earlier?.origin };
  const later = await checkCheckpoint(checks, checkpoints.later.note, client, own);
  if (earlier !== undefined && later.parsed !== undefined) {
    checks.note("answer", true, "a proof, or none is needed", "as expected");
    checks.compare("earlier", own.origin, earlier.origin);
    const { signal } = options;
    await checkGrowth(checks, client, { from: earlier, to: later.parsed, signal });
  }
  return checks.report(later.checked);
}
