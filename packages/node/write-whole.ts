import { closeSync, openSync, renameSync, writeFileSync } from "node:fs";
import { syncFile, syncFolderOf } from "@moneta/ledger";

/** Writes a file so that it is there whole or not at all, also after a crash. Throws `SyncFailure`, or what the file system says. */
export function writeWhole(file: string, content: string, mode: number): void {
  const part = `${file}.part`;
  const descriptor = openSync(part, "w", mode);
  try {
    writeFileSync(descriptor, content);
    syncFile(descriptor, part);
  } finally {
    closeSync(descriptor);
  }
  renameSync(part, file);
  syncFolderOf(file);
}
