import { existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readAtMost } from "./bounded-file.ts";
import { configFolder, type Environment, makeFolder } from "./config-folder.ts";

const FOLDER = "addresses";
const BYTES_MAX = 1024;

/** The address that acts for one key on one ledger, where none is named. A file for each key and ledger, so that several keys and nodes never share one. */
export interface Choice {
  /** SHA-256 of the public key in DER, hex. */
  readonly fingerprint: string;
  /** The id of block 0, which is the same whatever URL leads to the node, and another one after a new beginning. */
  readonly ledgerId: string;
}

/** The address that was chosen; undefined if none was. */
export function chosenAddress(choice: Choice, environment: Environment): string | undefined {
  const file = fileOf(choice, environment);
  try {
    const text = file === undefined ? "" : readAtMost(file, BYTES_MAX).toString().trim();
    return text === "" ? undefined : text;
  } catch {
    return undefined; // none was chosen, or none that can be read
  }
}

/** Whether an address was chosen for a key on any ledger: if not, nobody need ask a node for its ledger. */
export function hasChoices(fingerprint: string, environment: Environment): boolean {
  const folder = configFolder(environment);
  return folder !== undefined && existsSync(join(folder, FOLDER, fingerprint));
}

/** Keeps a choice; throws what the file system says. */
export function chooseAddress(choice: Choice, address: string, environment: Environment): void {
  const file = fileOf(choice, environment);
  if (file === undefined) {
    throw new Error("this user has no home folder");
  }
  const part = `${file}.${process.pid}.part`;
  makeFolder(dirname(file));
  try {
    writeFileSync(part, `${address}\n`, { mode: 0o600 });
    renameSync(part, file);
  } finally {
    rmSync(part, { force: true });
  }
}

function fileOf({ fingerprint, ledgerId }: Choice, environment: Environment): string | undefined {
  const folder = configFolder(environment);
  // What a node says of itself becomes no path.
  return folder === undefined || !/^[0-9a-f]{64}$/.test(ledgerId)
    ? undefined
    : join(folder, FOLDER, fingerprint, ledgerId);
}
