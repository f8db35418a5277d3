import { lstatSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** Where a file or folder is made before it gets its name, beside it. Emptied before that. */
export function partOf(path: string): string {
  return `${withoutSlash(path)}.part`;
}

/** A path without the slash at its end, with which it names what is in a folder. */
export function withoutSlash(path: string): string {
  return join(dirname(path), basename(path));
}

/** Whether something has the name, be it a link that leads nowhere. */
export function isTaken(path: string): boolean {
  try {
    lstatSync(withoutSlash(path));
    return true;
  } catch {
    return false; // What makes it says why it cannot.
  }
}
