const pending = new Set<() => void>();
let isListening = false;

/**
 * Runs `cleanUp` when this process ends, also by an uncaught error, SIGINT or SIGTERM, so that a
 * failed test leaves nothing behind. Returns a function that cancels it.
 */
export function cleanUpAtExit(cleanUp: () => void): () => void {
  listen();
  pending.add(cleanUp);
  return () => {
    pending.delete(cleanUp);
  };
}

function listen(): void {
  if (isListening) {
    return;
  }
  isListening = true;
  process.on("exit", () => {
    // Latest first: the process before the directory it writes to, the directory before its mount.
    for (const cleanUp of [...pending].reverse()) {
      cleanUp();
    }
  });
  process.once("SIGHUP", () => process.exit(129));
  process.once("SIGINT", () => process.exit(130));
  process.once("SIGTERM", () => process.exit(143));
}
