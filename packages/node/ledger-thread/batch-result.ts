import type { Ledger, Outcome, StorageFailure, Unit } from "@moneta/ledger";
import type { Fault } from "@moneta/protocol";
import { UNTIL_MENDED_SECONDS } from "../write-state.ts";
import type { BatchPart, BatchResult, PostedOutcome } from "./ledger-messages.ts";
import { troubleOf } from "./storage-probe.ts";

/** An outcome as it crosses threads. */
export function posted(outcome: Outcome): PostedOutcome {
  return outcome.kind === "done" &&
    outcome.transactionIds.length === 1 &&
    outcome.skipped === undefined
    ? outcome.transactionIds[0]
    : outcome;
}

/** An outcome that has crossed threads. */
export function received(outcome: PostedOutcome): Outcome {
  return typeof outcome === "string" ? { kind: "done", transactionIds: [outcome] } : outcome;
}

/** The characters of a unit's operations. */
export function lengthOf(unit: Unit): number {
  return unit.reduce((sum, text) => sum + text.length, 0);
}

/** The result of units whose block could not be stored: nothing has happened. */
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
