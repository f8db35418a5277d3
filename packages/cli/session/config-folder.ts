import { existsSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { readAtMost } from "./bounded-file.ts";
import { replaceFile, syncFolderOf } from "./durable-file.ts";

const KEPT_BYTES_MAX = 1 << 20;

export type Environment = Readonly<Record<string, string | undefined>>;

export function configFolder(environment: Environment): string | undefined {
  const base = environment["XDG_CONFIG_HOME"] ?? "";
  try {
    return join(isAbsolute(base) ? base : join(homedir(), ".config"), "moneta");
  } catch {
    return undefined;
  }
}

/**
 * Creates a private folder, durable when it returns. One level at a time: recursive mkdir can loop
 * forever on some file systems.
 */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) {
    return;
  }
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
    syncFolderOf(folder);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== "EEXIST") {
      throw thrown; // another process may have made it
    }
  }
}

/** `""` if it cannot be read. */
export function keptText(path: readonly string[], environment: Environment): string {
  try {
    return readAtMost(fileAt(path, environment), KEPT_BYTES_MAX).toString();
  } catch {
    return ""; // usually nothing was kept
  }
}

/** Throws errors of the file system. */
export function keepText(path: readonly string[], text: string, environment: Environment): void {
  const file = fileAt(path, environment);
  makeFolder(dirname(file));
  replaceFile(file, text, 0o600);
}

/** The last name is a ledger's id, from a node: it must not become another path. */
function fileAt(path: readonly string[], environment: Environment): string {
  const folder = configFolder(environment);
  if (folder === undefined) {
    throw new Error("this user has no home folder");
  }
  if (!/^[0-9a-f]{64}$/.test(path.at(-1) ?? "")) {
    throw new Error("the node has no id of a ledger");
  }
  return join(folder, ...path);
}
