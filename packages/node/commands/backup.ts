import {
  chmodSync,
  closeSync,
  existsSync,
  fchmodSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { copyLedger, syncFile, syncFolderOf } from "@moneta/ledger";
import { dataDirectory } from "../data-directory/data-directory.ts";
import { wholeLedger } from "../data-directory/log-source.ts";
import { writeWhole } from "../data-directory/write-whole.ts";
import { progressOf } from "../progress.ts";
import { SettingProblem } from "../settings.ts";
import { shellWord } from "../shell-word.ts";
import { MANIFEST, manifestOf } from "./backup-manifest.ts";
import { isTaken, liesIn, makePart, type Part, partOf, unmarkPart } from "./targets.ts";
import { verify } from "./verify.ts";

export interface BackupOptions {
  /** Must not be beside copies of the ledger; `""` for none. */
  readonly keys: string;
  readonly isVerified: boolean;
}

/** The node may run; folders appear only once complete. Returns the exit code. */
export async function backup(
  path: string,
  folder: string,
  { keys, isVerified }: BackupOptions,
): Promise<number> {
  const directory = wholeLedger(path);
  const wrong = wrongFolder(path, { folder, keys });
  if (wrong !== undefined) {
    throw new SettingProblem(wrong);
  }
  // Before the ledger, whose copy must not be older than the signed tree.
  using keysPart = keys === "" ? undefined : copyKeys(path, keys);
  const hasKeys = keysPart !== undefined;
  using held = makePart(folder);
  const part = held.path;
  const copy = join(part, "ledger.db");
  await copyLedger(directory.ledger, copy, progressOf("copying pages"));
  chmodSync(copy, 0o600);
  const files = ["ledger.db"];
  for (const { file, mode } of [
    { file: directory.genesis, mode: 0o644 },
    { file: directory.logSource, mode: 0o600 },
  ]) {
    if (existsSync(file)) {
      copySynced(file, join(part, basename(file)), mode);
      files.push(basename(file));
    }
  }
  const webhooks = existsSync(directory.webhooks) ? readdirSync(directory.webhooks) : [];
  for (const [index, name] of webhooks.filter((each) => !each.endsWith(".part")).entries()) {
    if (index === 0) {
      mkdirSync(join(part, "webhooks"), { mode: 0o700 });
    }
    copySynced(join(directory.webhooks, name), join(part, "webhooks", name), 0o600);
    files.push(`webhooks/${name}`);
  }
  const manifest = await manifestOf(part, files, Math.floor(Date.now() / 1000));
  writeWhole(join(part, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, 0o644);
  const code = isVerified ? await verify(part) : 0;
  if (code !== 0) {
    console.error(`moneta: the copy in ${part} is not sound, and is left there for inspection`);
    return code;
  }
  finish(part, folder);
  if (hasKeys) {
    finish(keysPart.path, keys);
  }
  console.log(
    `backed up to ${folder}: block ${manifest.height}, ${manifest.block_id}, ${files.length + 1} files${isVerified ? ", verified" : "; not verified: moneta verify tells whether it is sound"}`,
  );
  console.log(
    hasKeys
      ? `keys are in ${keys}: keep them apart from copies of the ledger`
      : keys === ""
        ? "keys are not in it: --keys FOLDER copies them, once and when they change"
        : `there are no keys in ${path}, so ${keys} was not made`,
  );
  const withKeys = hasKeys ? ` --keys ${shellWord(keys)}` : "";
  console.log(`to restore it: moneta restore ${shellWord(folder)} DIR${withKeys}`);
  return 0;
}

function wrongFolder(
  path: string,
  { folder, keys }: { readonly folder: string; readonly keys: string },
): string | undefined {
  const folders = keys === "" ? [folder] : [folder, keys];
  for (const made of folders) {
    if (liesIn(made, path)) {
      return `${made} would be lost with ${path}, in which it lies: name a folder outside, best on another disk`;
    }
    if (isTaken(made)) {
      return `${made} exists already: name another folder, or remove it`;
    }
    const removed = [path, ...folders].find((each) => liesIn(each, partOf(made)));
    if (removed !== undefined) {
      return `${removed} would be removed, because ${made} is made as ${partOf(made)} first: name another folder`;
    }
  }
  return keys !== "" && (liesIn(keys, folder) || liesIn(folder, keys))
    ? `--keys ${keys} and ${folder} lie in each other: name two folders, because keys must not lie beside copies of the ledger`
    : undefined;
}

/** Undefined if there are no irreplaceable keys. */
function copyKeys(path: string, folder: string): Part | undefined {
  const { checkpointKey, signedTree, treasuryKey } = dataDirectory(path);
  const there = [
    // The tree first: the key may sign another one meanwhile, and the ledger copied later has the
    // older one.
    { file: signedTree, name: "checkpoint.signed" },
    { file: checkpointKey, name: "checkpoint.pem" },
    { file: treasuryKey, name: "treasury.pem" },
  ].filter(({ file }) => existsSync(file));
  if (there.length === 0) {
    return undefined;
  }
  const part = makePart(folder);
  for (const { file, name } of there) {
    copySynced(file, join(part.path, name), 0o600);
  }
  return part;
}

/** `onCopied` is called with the size of each part. */
export function copySynced(
  from: string,
  to: string,
  mode: number,
  onCopied: (bytes: number) => void = () => undefined,
): void {
  const source = openSync(from, "r");
  try {
    const copy = openSync(to, "w", mode);
    try {
      const part = Buffer.allocUnsafe(COPIED_AT_ONCE);
      for (let bytes = readSync(source, part); bytes > 0; bytes = readSync(source, part)) {
        writeFileSync(copy, part.subarray(0, bytes));
        onCopied(bytes);
      }
      fchmodSync(copy, mode);
      syncFile(copy, to);
    } finally {
      closeSync(copy);
    }
  } finally {
    closeSync(source);
  }
}

const COPIED_AT_ONCE = 4 << 20;

/** Removes the empty files that readers leave beside a copied ledger. */
export function dropReadersFiles(ledger: string): void {
  for (const suffix of ["-wal", "-shm"]) {
    rmSync(`${ledger}${suffix}`, { force: true });
  }
}

export function finish(part: string, folder: string): void {
  dropReadersFiles(join(part, "ledger.db"));
  syncNames(part);
  // Nothing slow between: no run removes a complete folder without a mark.
  unmarkPart(part);
  renameSync(part, folder);
  syncNames(folder);
  syncFolderOf(folder);
}

/** Including those in its folder of webhooks. */
export function syncNames(folder: string): void {
  const webhooks = join(folder, "webhooks");
  for (const each of existsSync(webhooks) ? [webhooks, folder] : [folder]) {
    syncFolderOf(join(each, "any"));
  }
}
