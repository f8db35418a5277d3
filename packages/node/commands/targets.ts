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

/** Marks a folder in progress, to distinguish remains of a run from other files. */
const MARKER = ".moneta-part";
/** Locked while a run makes something in the folder. */
const LOCK = ".moneta-lock";

/** A folder in progress; no other run takes it until it is disposed. */
export interface Part extends Disposable {
  readonly path: string;
}

/**
 * Makes a folder under its temporary name, and removes the remains of an interrupted run. Throws a
 * `SettingProblem` if anything else is there, or if another run makes the same folder.
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

/**
 * Runs the first step that makes `path`. Throws a `SettingProblem` or `SyncFailure` if it fails.
 */
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
 * Locks the folder in which `path` is made for this run, and removes the remains of an interrupted
 * one. Throws `NotYet` while another run holds it.
 */
export function holdPart(part: string, path: string): Part {
  const lock = takeLock(join(part, LOCK));
  if (lock === undefined) {
    throw new NotYet(`${path} is being made by another run of moneta: wait for its end`);
  }
  // The mark stays, so that the next run removes the remains of an interruption.
  for (const name of readdirSync(part).filter((each) => each !== LOCK && each !== MARKER)) {
    rmSync(join(part, name), { recursive: true });
  }
  return { path: part, [Symbol.dispose]: () => lock.close() };
}

/** Removes mark and lock from a complete folder. */
export function unmarkPart(part: string): void {
  for (const name of [MARKER, LOCK]) {
    rmSync(join(part, name), { force: true });
  }
}

/**
 * Whether a folder is the remains of an interrupted run, and not a link; one without a mark may be
 * of a run that was interrupted before it.
 */
function isLeft(part: string): boolean {
  return (
    lstatSync(part).isDirectory() &&
    (lstatSync(join(part, MARKER), { throwIfNoEntry: false })?.isFile() === true ||
      readdirSync(part).every((name) => name === LOCK))
  );
}

/** The temporary name of a file or folder, beside it. */
export function partOf(path: string): string {
  return `${withoutSlash(path)}.part`;
}

/** A path without its last slash, which would refer to the folder's content. */
export function withoutSlash(path: string): string {
  return join(dirname(path), basename(path));
}

/**
 * A new temporary folder, which the caller removes. Throws a `SettingProblem` if it cannot be made.
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

/** Whether the name is taken, even by a broken link. */
export function isTaken(path: string): boolean {
  try {
    lstatSync(withoutSlash(path));
    return true;
  } catch {
    return false; // The later attempt to make it reports the reason.
  }
}

/** Whether a path is in a folder, or is that folder, through any links. */
export function liesIn(path: string, folder: string): boolean {
  const way = relative(realPath(folder), realPath(path));
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Follows links as far as the path exists. */
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
