import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { WrongUse } from "../command-line/wrong-use.ts";

/**
 * Writes a value as JSON, durably when it returns. Replaces the file as a whole, so that no crash
 * leaves half of it. Throws a `WrongUse` if it cannot, as on a full disk.
 */
export function writeJson(file: string, value: unknown): void {
  const part = `${file}.part`;
  try {
    const descriptor = openSync(part, "w");
    try {
      writeFileSync(descriptor, `${JSON.stringify(value, undefined, 2)}\n`);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(part, file);
    syncFolderOf(file);
  } catch (thrown) {
    rmSync(part, { force: true });
    throw new WrongUse(`${file} cannot be written: ${(thrown as Error).message}`);
  }
}

/** Waits until the name of a new file is on the disk: without it a power cut takes the file. */
export function syncFolderOf(file: string): void {
  if (process.platform === "win32") {
    return; // folders cannot be opened
  }
  const descriptor = openSync(dirname(file), "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
