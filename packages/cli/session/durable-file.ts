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

// Windows lets few users make links, and Node has no name for this flag there.
const { O_NOFOLLOW = 0 } = constants as { readonly O_NOFOLLOW?: number };

/** Flags to append to a file, created if necessary, but not through a link. */
export const APPENDED: number =
  constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | O_NOFOLLOW;
/** Flags to read and truncate a file, but not through a link. */
export const CUT: number = constants.O_RDWR | O_NOFOLLOW;

/**
 * Throws a `WrongUse` if a file that this program keeps beside a user's file is a link. In a shared
 * folder another user could point it at a file of this user.
 */
export function refuseLink(file: string): void {
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true) {
    throw new WrongUse(`${file} is a link, and what it leads to is not touched: remove the link`);
  }
}

/**
 * Writes a value as JSON, durably when it returns. Replaces the file as a whole, so that no crash
 * leaves half of it. Throws a `WrongUse` if it cannot, as on a full disk.
 */
export function writeJson(file: string, value: unknown): void {
  try {
    replaceFile(file, `${JSON.stringify(value, undefined, 2)}\n`);
  } catch (thrown) {
    throw new WrongUse(`${file} cannot be written: ${(thrown as Error).message}`);
  }
}

/** The same for a new file: a file that another run has just made is not overwritten. */
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
 * Writes all of a file under a new name, then gives it its name, both durably when it returns.
 * Throws errors of the file system, and then leaves nothing behind.
 */
export function replaceFile(file: string, text: string, mode?: number): void {
  // The name is unpredictable, so no link can wait there and no other process writes into it.
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

/**
 * Opens a file with `flags`, and `mode` if it is new, writes the whole text and syncs it; a new
 * name may not be durable, see `syncFolderOf`.
 */
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

/** Syncs the name of a new file: without it a power cut may remove the file. */
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
