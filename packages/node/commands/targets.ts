import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { fileProblem, NotYet, takeLock } from "@moneta/ledger";
import { notMade } from "../data-directory/data-directory.ts";
import { SettingProblem } from "../settings.ts";

/** What is in a folder that is being made, and tells what a run has left from what others have. */
const MARKER = ".moneta-part";
/** Locked while a run makes something in the folder. */
const LOCK = ".moneta-lock";

/** A folder in which a run makes something; no other run takes it until it is disposed. */
export interface Part extends Disposable {
  readonly path: string;
}

/**
 * Makes the folder in which something is made before it gets its name, and removes what an
 * interrupted run has left of it. Throws a `SettingProblem` if anything else is there, or another
 * run makes the same.
 */
export function makePart(path: string): Part {
  const part = partOf(path);
  return madeFor(path, () => {
    if (!isTaken(part)) {
      mkdirSync(part, { mode: 0o700 });
    } else if (!isLeft(part)) {
      throw new SettingProblem(
        `${part} is there and was not left by moneta, which makes ${path} under that name first: move it away, or name another`,
      );
    }
    const held = holdPart(part, path);
    writeFileSync(join(part, MARKER), "made by moneta; to be removed\n", { mode: 0o600 });
    return held;
  });
}

/** Does what `path` begins with. Throws a `SettingProblem` or `SyncFailure` if it cannot be made. */
export function madeFor<T>(path: string, begin: () => T): T {
  try {
    return begin();
  } catch (thrown) {
    throw thrown instanceof SettingProblem || thrown instanceof NotYet
      ? thrown
      : notMade(path, thrown);
  }
}

/**
 * Takes a folder, in which `path` is made, for this run, and removes what an interrupted one has
 * left in it. Throws `NotYet` while another run has it.
 */
export function holdPart(part: string, path: string): Part {
  const lock = takeLock(join(part, LOCK));
  if (lock === undefined) {
    throw new NotYet(`${path} is being made by another run of moneta: wait for its end`);
  }
  // The mark stays: what an interruption leaves is removed by the next run.
  for (const name of readdirSync(part).filter((each) => each !== LOCK && each !== MARKER)) {
    rmSync(join(part, name), { recursive: true });
  }
  return { path: part, [Symbol.dispose]: () => lock.close() };
}

/** Ends the making in a folder, which then has only what was made. */
export function unmarkPart(part: string): void {
  for (const name of [MARKER, LOCK]) {
    rmSync(join(part, name), { force: true });
  }
}

/**
 * Whether an interrupted run has left a folder, which is no link to one; one without a mark may be
 * of a run that did not come to mark it.
 */
function isLeft(part: string): boolean {
  return (
    lstatSync(part).isDirectory() &&
    (lstatSync(join(part, MARKER), { throwIfNoEntry: false })?.isFile() === true ||
      readdirSync(part).every((name) => name === LOCK))
  );
}

/** Where a file or folder is made before it gets its name, beside it. */
export function partOf(path: string): string {
  return `${withoutSlash(path)}.part`;
}

/** A path without the slash at its end, with which it names what is in a folder. */
export function withoutSlash(path: string): string {
  return join(dirname(path), basename(path));
}

/**
 * A new folder for what a command computes, which its caller removes. Throws a `SettingProblem` if
 * there can be none.
 */
export function makeScratch(command: string): string {
  const folder = tmpdir();
  try {
    return mkdtempSync(join(folder, `moneta-${command}-`));
  } catch (thrown) {
    throw new SettingProblem(
      `the folder of TMPDIR cannot be used: ${fileProblem(folder, thrown)}`,
      {
        cause: thrown,
      },
    );
  }
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
