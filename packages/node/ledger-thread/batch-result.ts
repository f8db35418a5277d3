import type { Execution, Ledger, Outcome, Unit } from "@moneta/ledger";
import type { Fault } from "@moneta/protocol";
import { UNTIL_MENDED_SECONDS } from "../write-state.ts";
import type { BatchPart, BatchResult, PostedOutcome, StorageTrouble } from "./ledger-messages.ts";

function posted(outcome: Outcome): PostedOutcome {
  return outcome.kind === "done" &&
    outcome.transactionIds.length === 1 &&
    outcome.skipped === undefined
    ? outcome.transactionIds[0]
    : outcome;
}

export function received(outcome: PostedOutcome): Outcome {
  return typeof outcome === "string" ? { kind: "done", transactionIds: [outcome] } : outcome;
}

export function lengthOf(unit: Unit): number {
  return unit.reduce((sum, text) => sum + text.length, 0);
}

export function resultOf(
  execution: Execution,
  parts: readonly BatchPart[],
  { unknownVersion }: Ledger,
): BatchResult {
  const outcomes = execution.outcomes.map(posted);
  return { ...execution, outcomes, parts, unknownVersion, failure: undefined };
}

/** Nothing was done. */
export function notStored(
  parts: readonly BatchPart[],
  { stored, loggedHeight, unknownVersion }: Ledger,
  failure: StorageTrouble,
): BatchResult {
  const reason = `The ledger cannot be written now: ${failure.reason}`;
  const fault: Fault = { code: "9002", reason, retryAfter: UNTIL_MENDED_SECONDS };
  const refused: Outcome = { kind: "refused", fault };
  return {
    outcomes: parts.flatMap(({ count }) => Array.from({ length: count }, () => refused)),
    parts,
    height: stored.height,
    loggedHeight,
    executeMs: 0,
    commitMs: 0,
    unknownVersion,
    failure,
  };
}
