import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { configFolder, type Environment, keepText, keptText } from "./config-folder.ts";

const FOLDER = "addresses";

/** Each pair of key and ledger has its own file. */
export interface Choice {
  /** SHA-256 of the public key in DER, hex. */
  readonly fingerprint: string;
  /** The id of block 0: differs after a reset. */
  readonly ledgerId: string;
}

export function chosenAddress(
  { fingerprint, ledgerId }: Choice,
  environment: Environment,
): string | undefined {
  return keptText([FOLDER, fingerprint, ledgerId], environment).trim() || undefined;
}

/** If not, the ledger id need not be fetched. */
export function hasChoices(fingerprint: string, environment: Environment): boolean {
  const folder = configFolder(environment);
  return folder !== undefined && existsSync(join(folder, FOLDER, fingerprint));
}

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

/** Throws errors of the file system. */
export function chooseAddress(
  { fingerprint, ledgerId }: Choice,
  address: string,
  environment: Environment,
): void {
  keepText([FOLDER, fingerprint, ledgerId], `${address}\n`, environment);
}
