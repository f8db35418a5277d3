import { type CallOptions, ProblemError } from "@moneta/sdk";
import {
  compareKeys,
  type KeyComparison,
  type ProofOptions,
  type ProofReport,
  type ReadReport,
  verifyBlock,
  verifyEntry,
  verifyGrowth,
  verifyRead,
  verifyShown,
  verifyTransaction,
} from "@moneta/sdk/proof";
import { moneta } from "../../ledger/node.ts";
import { serviceKnown } from "../../ledger/service.ts";
import { type ProofMemory, rememberCheckpoint, rememberedProof } from "./proof-memory.ts";
import type { Provable } from "./provable.ts";

export interface CheckedProof {
  readonly ledgerId: string;
  readonly report: ProofReport | ReadReport;
  /** Compared with those that this browser has stored. */
  readonly keys: KeyComparison;
  readonly shownKeys: readonly string[];
  /** Whether the ledger has only grown since `since`; undefined the first time. */
  readonly growth: ProofReport | undefined;
  readonly since: ProofMemory["earlier"];
}

const SHOWN_KEYS_MAX = 16;

/**
 * Checks content against the checkpoint, with the keys that this browser saw first, and the
 * ledger's growth since. Stores keys and checkpoint if all of it holds. Throws only without a
 * response. Source: explorer §2.
 */
export async function checkProof(shown: Provable, options: CallOptions): Promise<CheckedProof> {
  const { ledger_id: ledgerId } = await moneta.service(options);
  const { known, earlier } = knownOf(ledgerId);
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

export interface CheckedBalance {
  readonly verdict: ProofReport["verdict"];
  /** In the smallest unit; undefined unless "verified". */
  readonly total: bigint | undefined;
}

/** With one request. Throws only without a response. Source: explorer §3, proofs §3. */
export async function checkBalance(
  params: { readonly address: string; readonly token: string },
  options: CallOptions,
): Promise<CheckedBalance> {
  const { ledger_id: ledgerId } = await serviceKnown();
  if (!(await hasRoot(options))) {
    return { verdict: "unchecked", total: undefined };
  }
  const { known, earlier } = knownOf(ledgerId);
  const { signal } = options;
  const asked = { read: "balanceOfToken", params };
  const keys = known.length === 0 ? {} : { keys: known };
  const { verdict, proven, checkpoint } = await verifyRead(moneta, asked, {
    ...{ signal, notBefore: 0 },
    ...keys,
  });
  // A larger one is kept only after its growth was checked.
  if (proven !== undefined && checkpoint !== undefined && earlier === undefined) {
    rememberCheckpoint(ledgerId, checkpoint);
  }
  const [entry] = Object.values(proven?.entries ?? {}) as { free?: string; locked?: string }[];
  const { free = "0", locked = "0" } = entry ?? {};
  return { verdict, total: proven && BigInt(free) + BigInt(locked) };
}

let isRootSeen = false;

/** Proofs are requested only with a state root, because browsers log each refusal as an error. */
async function hasRoot(options: CallOptions): Promise<boolean> {
  if (!isRootSeen) {
    const { items } = await moneta.transactions({ type: ["StateRoot"], limit: 1 }, options);
    isRootSeen = items.length > 0;
  }
  return isRootSeen;
}

function knownOf(ledgerId: string): {
  readonly known: readonly string[];
  readonly earlier: ProofMemory["earlier"];
} {
  const { keys, earlier } = rememberedProof(ledgerId);
  // A key from changed storage would count as the caller's error.
  return { known: keys.filter((key) => compareKeys([key], [key]) === "same"), earlier };
}

function verify(shown: Provable, options: ProofOptions): Promise<ProofReport | ReadReport> {
  if ("transaction" in shown) {
    return verifyTransaction(moneta, shown.transaction, options);
  }
  if ("block" in shown) {
    return verifyBlock(moneta, shown.block, options);
  }
  if ("read" in shown) {
    return verifyShown(moneta, shown, { ...options, notBefore: 0 });
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
