import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fsyncSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { WrongUse } from "../command-line/wrong-use.ts";

// Node has no name for this flag on Windows.
const { O_NOFOLLOW = 0 } = constants as { readonly O_NOFOLLOW?: number };

export const APPENDED: number =
  constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | O_NOFOLLOW;
export const CUT: number = constants.O_RDWR | O_NOFOLLOW;

/** Throws a `WrongUse`: in a shared folder a link could point at a file of this user. */
export function refuseLink(file: string): void {
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true) {
    throw new WrongUse(`${file} is a link, and what it leads to is not touched: remove the link`);
  }
}

/** Replaces a file by a value as JSON, atomically and durably. Throws a `WrongUse` if it cannot. */
export function writeJson(file: string, value: unknown): void {
  try {
    replaceFile(file, `${JSON.stringify(value, undefined, 2)}\n`);
  } catch (thrown) {
    throw new WrongUse(`${file} cannot be written: ${(thrown as Error).message}`);
  }
}

/** The same for a new file: an existing one is not overwritten. */
export function writeNewJson(file: string, value: unknown): void {
  try {
    closeSync(openSync(file, "wx")); // takes the name, on every file system
  } catch (thrown) {
    throw new WrongUse(`${file} cannot be written: ${(thrown as Error).message}`);
  }
  try {
    writeJson(file, value);
  } catch (thrown) {
    rmSync(file, { force: true });
    throw thrown;
  }
}

/**
 * Writes the text under a temporary name, then renames it, both durably. Throws errors of the file
 * system, and then leaves no file.
 */
export function replaceFile(file: string, text: string, mode?: number): void {
  // Unpredictable, so no link can wait there.
  const part = `${file}.${randomBytes(8).toString("hex")}.part`;
  try {
    writeSynced(part, text, { flags: "wx", ...(mode !== undefined && { mode }) });
    renameSync(part, file);
    syncFolderOf(file);
  } catch (thrown) {
    rmSync(part, { force: true });
    throw thrown;
  }
}

/** Writes and syncs a text; a new name may not be durable, see `syncFolderOf`. */
export function writeSynced(
  file: string,
  text: string,
  { flags, mode }: { readonly flags: string | number; readonly mode?: number },
): void {
  const descriptor = openSync(file, flags, mode);
  try {
    writeFileSync(descriptor, text); // writeSync may write a part
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Syncs the name of a new file, which a power cut may remove otherwise. */
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
