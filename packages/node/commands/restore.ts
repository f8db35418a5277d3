import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { syncFolderOf } from "@moneta/ledger";
import { dataDirectory, makeFolder, RESTORE_PART } from "../data-directory/data-directory.ts";
import { logSourceOf } from "../data-directory/log-source.ts";
import { progressOfBytes } from "../progress.ts";
import { SettingProblem } from "../settings.ts";
import { copySynced, dropReadersFiles, syncNames } from "./backup.ts";
import { bytesOf, checkedManifest } from "./backup-manifest.ts";
import { startCommand } from "./start-command.ts";
import { holdPart, liesIn, madeFor, unmarkPart } from "./targets.ts";
import { verify } from "./verify.ts";

export interface RestoreOptions {
  readonly keys: string;
  readonly isVerified: boolean;
}

const KEY_FILES = ["checkpoint.pem", "checkpoint.signed", "treasury.pem"];

/** Makes a data directory from a back-up. Returns the exit code. */
export async function restore(
  folder: string,
  path: string,
  { keys, isVerified }: RestoreOptions,
): Promise<number> {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === false) {
    throw new SettingProblem(`${path} is a file: name a directory`);
  }
  const there = existsSync(path) ? readdirSync(path) : [];
  if (there.some((name) => name !== RESTORE_PART)) {
    throw new SettingProblem(
      `${path} is not empty, and a ledger is never overwritten: name another directory, or move what is there away`,
    );
  }
  const around = [folder, keys].find((each) => existsSync(each) && liesIn(path, each));
  if (around !== undefined) {
    throw new SettingProblem(
      `${path} would be lost with ${around}, in which it lies: name a directory outside`,
    );
  }
  const manifest = await checkedManifest(folder);
  const keyFiles = keys === "" ? [] : keyFilesIn(keys);
  const part = join(path, RESTORE_PART);
  using _held = madeFor(path, () => {
    makeFolder(path);
    mkdirSync(part, { mode: 0o700, recursive: true });
    return holdPart(part, path);
  });
  const show = progressOfBytes("copying", bytesOf(folder, manifest));
  for (const file of Object.keys(manifest.files)) {
    if (file.startsWith("webhooks/")) {
      mkdirSync(join(part, "webhooks"), { mode: 0o700, recursive: true });
    }
    const mode = file === "genesis.json" ? 0o644 : 0o600;
    copySynced(join(folder, file), join(part, file), mode, show);
  }
  for (const file of keyFiles) {
    copySynced(join(keys, file), join(part, file), 0o600);
  }
  const code = isVerified ? await verify(part) : 0;
  if (code !== 0) {
    rmSync(part, { recursive: true, force: true });
    return code;
  }
  moveOut(part, path);
  console.log(
    `restored to ${path}: ledger ${manifest.ledger_id}, block ${manifest.height}, ${manifest.block_id}`,
  );
  console.log(
    "writes after that block are lost, also those that returned 200; the start makes a new secret for temporary keys",
  );
  if (!keyFiles.includes("checkpoint.pem")) {
    console.log(
      "without --keys the start makes a new checkpoint key: publish it; auditors have to start again with it",
    );
  } else if (!keyFiles.includes("checkpoint.signed")) {
    console.log(
      "the keys have no checkpoint.signed, which prevents checkpoint.pem from signing a second history: start only if this is the newest copy",
    );
  }
  console.log(
    `to continue: ${startCommand(path, manifest.ledger, logSourceOf(dataDirectory(path)))}`,
  );
  return 0;
}

/** The ledger last: a node started too early finds none. */
function moveOut(part: string, path: string): void {
  dropReadersFiles(join(part, "ledger.db"));
  unmarkPart(part);
  const names = readdirSync(part).toSorted((name) => (name === "ledger.db" ? 1 : -1));
  for (const name of names) {
    renameSync(join(part, name), join(path, name));
  }
  rmSync(part, { recursive: true });
  syncNames(path);
  syncFolderOf(path);
}

/** Throws `SettingProblem` if the folder has none. */
function keyFilesIn(folder: string): readonly string[] {
  const there = KEY_FILES.filter((file) => existsSync(join(folder, file)));
  if (there.length === 0) {
    throw new SettingProblem(`${folder} has none of ${KEY_FILES.join(", ")}`);
  }
  return there;
}
