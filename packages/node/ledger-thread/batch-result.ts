import {
  type GroupOutcome,
  type Ledger,
  type Outcome,
  refusedUnit,
  type StorageFailure,
  type Unit,
} from "@moneta/ledger";
import type { Fault } from "@moneta/protocol";
import type { BatchPart, BatchResult, PostedOutcome } from "./ledger-messages.ts";

/** An outcome as it crosses threads. */
export function posted(outcome: Outcome | GroupOutcome): PostedOutcome {
  return outcome.kind === "done" && "transactionId" in outcome ? outcome.transactionId : outcome;
}

const NOT_STORED: Fault = {
  code: "9002",
  reason: "The ledger cannot be written, perhaps because the disk is full",
  retryAfter: 5,
};

/** The result of units whose block could not be stored: nothing has happened. */
export function notStored(
  units: readonly Unit[],
  parts: readonly BatchPart[],
  ledger: Ledger,
  failure: StorageFailure,
): BatchResult {
  return {
    outcomes: units.map((unit) => refusedUnit(unit, NOT_STORED)),
    parts,
    height: ledger.stored.height,
    executeMs: 0,
    commitMs: 0,
    unknownVersion: ledger.unknownVersion,
    failure: failure.message,
  };
}
