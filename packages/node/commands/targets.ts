import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";

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

/** Whether a path lies in a folder, or is that folder, by whatever links they are named. */
export function liesIn(path: string, folder: string): boolean {
  const way = relative(realPath(folder), realPath(path));
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Follows links as far as there is something. */
function realPath(path: string): string {
  const whole = resolve(path);
  try {
    return realpathSync(whole);
  } catch (thrown) {
    const above = dirname(whole);
    if (above === whole) {
      throw thrown;
    }
    return join(realPath(above), basename(whole));
  }
}
