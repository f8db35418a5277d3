/**
 * Ends the process after a failed sync: at once, answering and closing nothing. What was answered is in the log of changes, which the next start
 * recovers.
 */
export function endUnsynced(failure: Error): never {
  console.error(
    `moneta: ${failure.message}. The process ends without an answer to what it was writing; nothing that was answered is lost. Check the disk, then start again`,
  );
  process.exit(70);
}
