import type { ChildProcess } from "node:child_process";
import { once } from "node:events";

const pending = new Set<() => void>();
let isListening = false;

/** The exit code of a process that a signal has ended, as shells have it. */
const CODES = [
  ["SIGHUP", 129],
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const;

/**
 * Runs `cleanUp` when this process ends, also by an uncaught error, SIGINT or SIGTERM, so that a
 * failed test leaves no files. A caller that handles a signal itself decides when that is. Returns
 * a function that cancels it.
 */
export function cleanUpAtExit(cleanUp: () => void): () => void {
  listen();
  pending.add(cleanUp);
  return () => {
    pending.delete(cleanUp);
  };
}

/** Exit code and signal of a child process, which may have ended before the call. */
export async function ended(
  child: ChildProcess,
): Promise<readonly [number | null, NodeJS.Signals | null]> {
  if (child.exitCode === null && child.signalCode === null) {
    await once(child, "exit");
  }
  return [child.exitCode, child.signalCode];
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
  for (const [signal, code] of CODES) {
    process.once(signal, () => {
      if (process.listenerCount(signal) === 0) {
        process.exit(code);
      }
    });
  }
}
