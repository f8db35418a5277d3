import { EXIT } from "./exit-codes.ts";

/**
 * Ends the process at once after a failed sync, and closes nothing. Answered writes are in the log
 * of changes, which the next start recovers.
 */
export function endUnsynced(failure: Error): never {
  console.error(
    `moneta: ${failure.message}. The process ends without an answer to what it was writing; nothing that was answered is lost. Check the disk, then start again`,
  );
  process.exit(EXIT.fault);
}

/** Ends the process at once after a fault of the software: carrying on could only make it worse. */
export function endByFault(error: unknown): never {
  console.error("moneta: a part of the software has failed:", error);
  process.exit(EXIT.fault);
}
