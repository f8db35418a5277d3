import type { Ledger, Outcome, StorageFailure, Unit } from "@moneta/ledger";
import type { Fault } from "@moneta/protocol";
import { UNTIL_MENDED_SECONDS } from "../write-state.ts";
import type { BatchPart, BatchResult, PostedOutcome } from "./ledger-messages.ts";
import { troubleOf } from "./storage-probe.ts";

export function posted(outcome: Outcome): PostedOutcome {
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

/** Nothing was done. */
export function notStored(
  units: readonly Unit[],
  parts: readonly BatchPart[],
  ledger: Ledger,
  failure: StorageFailure,
): BatchResult {
  const fault: Fault = {
    code: "9002",
    reason: `The ledger cannot be written now: ${failure.reason}`,
    retryAfter: UNTIL_MENDED_SECONDS,
  };
  return {
    outcomes: units.map(() => ({ kind: "refused", fault })),
    parts,
    height: ledger.stored.height,
    executeMs: 0,
    commitMs: 0,
    unknownVersion: ledger.unknownVersion,
    failure: troubleOf(failure),
  };
}
