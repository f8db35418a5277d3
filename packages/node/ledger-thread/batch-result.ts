import {
  type GroupOutcome,
  type Ledger,
  type Outcome,
  refusedUnit,
  type StorageFailure,
  type Unit,
} from "@moneta/ledger";
import type { Fault } from "@moneta/protocol";
import { UNTIL_MENDED_SECONDS } from "../write-state.ts";
import type { BatchPart, BatchResult, PostedOutcome } from "./ledger-messages.ts";
import { troubleOf } from "./storage-probe.ts";

/** An outcome as it crosses threads. */
export function posted(outcome: Outcome | GroupOutcome): PostedOutcome {
  return outcome.kind === "done" && "transactionId" in outcome ? outcome.transactionId : outcome;
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
    outcomes: units.map((unit) => refusedUnit(unit, fault)),
    parts,
    height: ledger.stored.height,
    executeMs: 0,
    commitMs: 0,
    unknownVersion: ledger.unknownVersion,
    failure: troubleOf(failure),
  };
}
