import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** Writes a file so that it is there whole or not at all, also after a crash. */
export function writeWhole(file: string, content: string, mode: number): void {
  const part = `${file}.part`;
  writeFileSync(part, content, { mode, flush: true });
  renameSync(part, file);
  if (process.platform !== "win32") {
    const folder = openSync(dirname(file), "r");
    fsyncSync(folder);
    closeSync(folder);
  }
}
