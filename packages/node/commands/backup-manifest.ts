import { createHash } from "node:crypto";
import { createReadStream, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileProblem, LocalLog, openForReading } from "@moneta/ledger";
import { progressOfBytes } from "../progress.ts";
import { SettingProblem } from "../settings.ts";
import { VERSION } from "../version.ts";

export interface BackupManifest {
  readonly backup: 1;
  readonly software: string;
  /** Unix seconds. */
  readonly made: number;
  readonly ledger: string;
  readonly ledger_id: string;
  readonly height: number;
  readonly block_id: string;
  /** SHA-256 in hex, by the file's path in the back-up. */
  readonly files: Readonly<Record<string, string>>;
}

export const MANIFEST = "backup.json";

/** Files of a folder, of which `ledger.db` is one. */
export async function manifestOf(
  folder: string,
  files: readonly string[],
  made: number,
): Promise<BackupManifest> {
  const sums = new Map<string, string>();
  for (const file of files) {
    sums.set(file, await checksum(join(folder, file)));
  }
  return {
    backup: 1,
    software: VERSION,
    made,
    ...headOf(join(folder, "ledger.db")),
    files: Object.fromEntries(sums),
  };
}

export function headOf(
  file: string,
): Pick<BackupManifest, "ledger" | "ledger_id" | "height" | "block_id"> {
  const database = openForReading(file);
  try {
    const log = new LocalLog(database, "read");
    const height = log.height();
    const [first, newest] = [log.block(0), log.block(height)];
    if (first === undefined || newest === undefined) {
      throw new SettingProblem(`${file} holds no blocks`);
    }
    const { params } = JSON.parse(first.operations[0] ?? "{}") as {
      readonly params?: { readonly ledger?: string };
    };
    const ledger = params?.ledger ?? "";
    return { ledger, ledger_id: first.id, height, block_id: newest.id };
  } finally {
    database.close();
  }
}

/** Throws `SettingProblem` if the files differ. */
export async function checkedManifest(folder: string): Promise<BackupManifest> {
  let manifest: BackupManifest;
  try {
    manifest = JSON.parse(readFileSync(join(folder, MANIFEST), "utf8")) as BackupManifest;
  } catch (thrown) {
    throw new SettingProblem(
      `${folder} is no back-up of moneta backup: ${fileProblem(join(folder, MANIFEST), thrown)}`,
    );
  }
  if (manifest.backup !== 1 || manifest.files?.["ledger.db"] === undefined) {
    throw new SettingProblem(`${folder}/${MANIFEST} is not what moneta backup writes`);
  }
  const files = Object.entries(manifest.files);
  for (const [file] of files) {
    if (!/^(webhooks\/)?[\w.-]+$/.test(file)) {
      throw new SettingProblem(`${folder}/${MANIFEST} names a file that no back-up has`);
    }
    if (statSync(join(folder, file), { throwIfNoEntry: false }) === undefined) {
      throw new SettingProblem(`${join(folder, file)} is missing: the back-up is not whole`);
    }
  }
  const show = progressOfBytes("comparing checksums", bytesOf(folder, manifest));
  for (const [file, sum] of files) {
    const path = join(folder, file);
    if ((await checksum(path, show)) !== sum) {
      throw new SettingProblem(`${path} is not what was backed up: it has been changed or damaged`);
    }
  }
  return manifest;
}

export function bytesOf(folder: string, { files }: BackupManifest): number {
  return Object.keys(files).reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
}

async function checksum(path: string, onRead?: (bytes: number) => void): Promise<string> {
  const hash = createHash("sha256");
  const read = createReadStream(path);
  read.on("data", (chunk) => onRead?.(chunk.length));
  await pipeline(read, hash);
  return hash.digest("hex");
}
