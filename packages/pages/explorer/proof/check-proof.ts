import { type CallOptions, ProblemError } from "@moneta/sdk";
import {
  compareKeys,
  type KeyComparison,
  type ProofOptions,
  type ProofReport,
  verifyBlock,
  verifyEntry,
  verifyGrowth,
  verifyTransaction,
} from "@moneta/sdk/proof";
import { moneta } from "../../ledger/node.ts";
import { type ProofMemory, rememberCheckpoint, rememberedProof } from "./proof-memory.ts";
import type { Provable } from "./provable.ts";

/** What was checked of something that a view shows. */
export interface CheckedProof {
  readonly ledgerId: string;
  readonly report: ProofReport;
  /** How the keys that the node shows relate to those that this browser knows. */
  readonly keys: KeyComparison;
  readonly shownKeys: readonly string[];
  /** Whether the ledger has only grown since `since`; undefined the first time. */
  readonly growth: ProofReport | undefined;
  readonly since: ProofMemory["earlier"];
}

const SHOWN_KEYS_MAX = 16;

/**
 * Checks something against the checkpoint of the ledger, with the keys that this browser saw first,
 * and that the ledger has only grown since. Keeps what was seen if all of it holds. Throws only
 * where the node does not answer. Source: explorer §2.
 */
export async function checkProof(shown: Provable, options: CallOptions): Promise<CheckedProof> {
  const { ledger_id: ledgerId } = await moneta.service(options);
  const { keys, earlier } = rememberedProof(ledgerId);
  // What is no key, because storage was changed by hand, would be an error of the caller.
  const known = keys.filter((key) => compareKeys([key], [key]) === "same");
  const { signal } = options;
  const [shownKeys, report] = await Promise.all([
    readShownKeys(options),
    verify(shown, { signal, ...(known.length === 0 ? {} : { keys: known }) }),
  ]);
  const later = report.checkpoint;
  const growth =
    earlier === undefined || later === undefined
      ? undefined
      : await verifyGrowth(moneta, { earlier, later }, { signal, keys: known });
  const holds = [report, growth].every((one) => one === undefined || one.verdict === "verified");
  if (later !== undefined && holds) {
    rememberCheckpoint(ledgerId, later);
  }
  return {
    ledgerId,
    report,
    keys: compareKeys(known, shownKeys),
    shownKeys,
    growth,
    since: earlier,
  };
}

function verify(shown: Provable, options: ProofOptions): Promise<ProofReport> {
  if ("transaction" in shown) {
    return verifyTransaction(moneta, shown.transaction, options);
  }
  if ("block" in shown) {
    return verifyBlock(moneta, shown.block, options);
  }
  const { entry, address } = shown;
  return verifyEntry(moneta, entry, { ...options, address });
}

async function readShownKeys(options: CallOptions): Promise<readonly string[]> {
  try {
    const text = await moneta.checkpointKey(options);
    return text.split("\n", SHOWN_KEYS_MAX).filter((line) => line !== "");
  } catch (error) {
    if (error instanceof ProblemError && error.status === 404) {
      return []; // this node signs no checkpoints
    }
    throw error;
  }
}
