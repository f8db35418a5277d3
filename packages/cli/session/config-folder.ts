import { existsSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";

/** Variables of the process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Where this user's files of the program are; undefined for a user without a home folder. */
export function configFolder(environment: Environment): string | undefined {
  const base = environment["XDG_CONFIG_HOME"] ?? "";
  try {
    return join(isAbsolute(base) ? base : join(homedir(), ".config"), "moneta");
  } catch {
    return undefined;
  }
}

/** Makes a folder for this user alone. One by one: where nothing can be made, making all of a path at once may never end. */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) {
    return;
  }
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== "EEXIST") {
      throw thrown; // somebody else may have made it meanwhile
    }
  }
}
