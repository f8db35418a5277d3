/**
 * Ends the process at once after a failed sync, and closes nothing. Answered writes are in the log
 * of changes, which the next start recovers.
 */
export function endUnsynced(failure: Error): never {
  console.error(
    `moneta: ${failure.message}. The process ends without an answer to what it was writing; nothing that was answered is lost. Check the disk, then start again`,
  );
  process.exit(70);
}
