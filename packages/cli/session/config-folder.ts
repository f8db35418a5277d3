import { existsSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { syncFolderOf } from "./durable-file.ts";

/** Variables of the process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The user's folder for this program; undefined without a home folder. */
export function configFolder(environment: Environment): string | undefined {
  const base = environment["XDG_CONFIG_HOME"] ?? "";
  try {
    return join(isAbsolute(base) ? base : join(homedir(), ".config"), "moneta");
  } catch {
    return undefined;
  }
}

/**
 * Creates a private folder, whose name is durable when it returns, one level at a time: recursive
 * mkdir can loop forever on some file systems.
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
