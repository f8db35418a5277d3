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

/** Distinguishes remains of a run from other files. */
const MARKER = ".moneta-part";
const LOCK = ".moneta-lock";

/** No other run takes the folder until it is disposed. */
export interface Part extends Disposable {
  readonly path: string;
}

/** Removes remains of an interrupted run. Throws `SettingProblem` for other content. */
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

/** Runs the first step that makes `path`. Throws `SettingProblem` or `SyncFailure`. */
export function madeFor<T>(path: string, begin: () => T): T {
  try {
    return begin();
  } catch (thrown) {
    throw thrown instanceof SettingProblem || thrown instanceof NotYet
      ? thrown
      : notMade(path, thrown);
  }
}

/** Locks a folder in progress and empties it. Throws `NotYet` while another run holds it. */
export function holdPart(part: string, path: string): Part {
  const lock = takeLock(join(part, LOCK));
  if (lock === undefined) {
    throw new NotYet(`${path} is being made by another run of moneta: wait for its end`);
  }
  // The mark stays until the next run has removed all.
  for (const name of readdirSync(part).filter((each) => each !== LOCK && each !== MARKER)) {
    rmSync(join(part, name), { recursive: true });
  }
  return { path: part, [Symbol.dispose]: () => lock.close() };
}

export function unmarkPart(part: string): void {
  for (const name of [MARKER, LOCK]) {
    rmSync(join(part, name), { force: true });
  }
}

/** Not a link; one without a mark may be of a run that was interrupted before it. */
function isLeft(part: string): boolean {
  return (
    lstatSync(part).isDirectory() &&
    (lstatSync(join(part, MARKER), { throwIfNoEntry: false })?.isFile() === true ||
      readdirSync(part).every((name) => name === LOCK))
  );
}

export function partOf(path: string): string {
  return `${withoutSlash(path)}.part`;
}

export function withoutSlash(path: string): string {
  return join(dirname(path), basename(path));
}

/** The caller removes it. Throws `SettingProblem`. */
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

/** Even by a broken link. */
export function isTaken(path: string): boolean {
  try {
    lstatSync(withoutSlash(path));
    return true;
  } catch {
    return false; // The later attempt to make it reports the reason.
  }
}

/** Through any links; also the folder itself. */
export function liesIn(path: string, folder: string): boolean {
  const way = relative(realPath(folder), realPath(path));
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

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
