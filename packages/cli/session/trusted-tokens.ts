import { dirname, join } from "node:path";
import { readAtMost } from "./bounded-file.ts";
import { configFolder, type Environment, makeFolder } from "./config-folder.ts";
import { replaceFile } from "./durable-file.ts";

const FOLDER = "trusted";
const BYTES_MAX = 1 << 20;

/** Ids of the trusted tokens of a ledger; none if the file is unreadable. */
export function trustedTokens(ledgerId: string, environment: Environment): readonly string[] {
  const file = fileOf(ledgerId, environment);
  try {
    const text = file === undefined ? "" : readAtMost(file, BYTES_MAX).toString();
    return text.match(/^(0|[1-9][0-9]{0,39})$/gm) ?? [];
  } catch {
    return []; // none was marked
  }
}

/** Stores the trusted tokens; throws errors of the file system. */
export function trustTokens(
  tokens: readonly string[],
  ledgerId: string,
  environment: Environment,
): void {
  const file = fileOf(ledgerId, environment);
  if (file === undefined) {
    throw new Error("this user has no home folder");
  }
  makeFolder(dirname(file));
  replaceFile(file, tokens.map((token) => `${token}\n`).join(""), 0o600);
}

function fileOf(ledgerId: string, environment: Environment): string | undefined {
  const folder = configFolder(environment);
  // Text from a node must not become a path.
  return folder === undefined || !/^[0-9a-f]{64}$/.test(ledgerId)
    ? undefined
    : join(folder, FOLDER, ledgerId);
}
