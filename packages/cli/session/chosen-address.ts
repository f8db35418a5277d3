import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { readAtMost } from "./bounded-file.ts";
import { configFolder, type Environment, makeFolder } from "./config-folder.ts";
import { replaceFile } from "./durable-file.ts";

const FOLDER = "addresses";
const BYTES_MAX = 1024;

/** Selects the default acting address. Each pair of key and ledger has its own file. */
export interface Choice {
  /** SHA-256 of the public key in DER, hex. */
  readonly fingerprint: string;
  /** The id of block 0: independent of the URL, and different after a reset. */
  readonly ledgerId: string;
}

/** The selected address, if any. */
export function chosenAddress(choice: Choice, environment: Environment): string | undefined {
  const file = fileOf(choice, environment);
  try {
    const text = file === undefined ? "" : readAtMost(file, BYTES_MAX).toString().trim();
    return text === "" ? undefined : text;
  } catch {
    return undefined; // none was chosen, or the file is unreadable
  }
}

/** Whether a key has a selection on any ledger; if not, the ledger id need not be fetched. */
export function hasChoices(fingerprint: string, environment: Environment): boolean {
  const folder = configFolder(environment);
  return folder !== undefined && existsSync(join(folder, FOLDER, fingerprint));
}

/** All selections of a key, by ledger; none that cannot be read. */
export function choicesOf(
  fingerprint: string,
  environment: Environment,
): { readonly ledgerId: string; readonly address: string }[] {
  const folder = configFolder(environment);
  if (folder === undefined || !hasChoices(fingerprint, environment)) {
    return [];
  }
  return readdirSync(join(folder, FOLDER, fingerprint))
    .sort()
    .flatMap((ledgerId) => {
      const address = chosenAddress({ fingerprint, ledgerId }, environment);
      return address === undefined ? [] : [{ ledgerId, address }];
    });
}

/** Stores a selection; throws errors of the file system. */
export function chooseAddress(choice: Choice, address: string, environment: Environment): void {
  const file = fileOf(choice, environment);
  if (file === undefined) {
    throw new Error("this user has no home folder");
  }
  makeFolder(dirname(file));
  replaceFile(file, `${address}\n`, 0o600);
}

function fileOf({ fingerprint, ledgerId }: Choice, environment: Environment): string | undefined {
  const folder = configFolder(environment);
  // Text from a node must not become a path.
  return folder === undefined || !/^[0-9a-f]{64}$/.test(ledgerId)
    ? undefined
    : join(folder, FOLDER, fingerprint, ledgerId);
}
