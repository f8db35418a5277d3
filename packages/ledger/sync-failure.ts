import { closeSync, fsyncSync, openSync } from "node:fs";
import { dirname } from "node:path";

/**
 * A failed sync, or a COMMIT with unknown outcome. The kernel drops unwritten data, so a retry
 * would succeed without them: the process must end without a response, closing nothing.
 */
export class SyncFailure extends Error {
  override readonly name: string = "SyncFailure";
}

/** Throws `SyncFailure`. */
export function syncFile(descriptor: number, name: string): void {
  try {
    fsyncSync(descriptor);
  } catch (cause) {
    const { message } = cause as Error;
    throw new SyncFailure(`${name} could not be synced to the disk: ${message}`, { cause });
  }
}

/** Makes the names of files durable. Throws `SyncFailure`. */
export function syncFolderOf(file: string): void {
  if (process.platform === "win32") {
    return;
  }
  const folder = dirname(file);
  const descriptor = openSync(folder, "r");
  try {
    syncFile(descriptor, folder);
  } finally {
    closeSync(descriptor);
  }
}
