import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { areTablesCurrent, LedgerReader, NotYet, openForReading, takeLock } from "@moneta/ledger";
import { ArchiveWriter } from "../archive/archive-writer.ts";
import { whyOther } from "../archive/compare-archive.ts";
import { MANIFEST_FILE, type Manifest, parseManifest, WrongArchive } from "../archive/layout.ts";
import { CheckpointKeys } from "../checkpoint-keys.ts";
import { hasGrownFrom, notGrown } from "../checkpoint-signer.ts";
import {
  type DataDirectory,
  makeFolder,
  readCheckpointKeys,
} from "../data-directory/data-directory.ts";
import { wholeLedger } from "../data-directory/log-source.ts";
import { type SignedTree, SignedTreeFile } from "../data-directory/signed-tree-file.ts";
import { Progress } from "../progress.ts";
import { SettingProblem } from "../settings.ts";
import { unlessWrong } from "./exit-codes.ts";
import { liesIn, madeFor } from "./targets.ts";

const LOCK = ".moneta-lock";

const CONTENT = /^(blocks|index|tlog|archive\.json(\.part)?|\.moneta-lock(-journal|-wal|-shm)?)$/;

/** How long commits may lag behind the signed tree, ms. */
const LAG_MS = 5000;

/** The node may run; resumable. Returns the exit code. Source: proofs §4. */
export async function archive(path: string, folder: string, before: number): Promise<number> {
  // A web server of another user may have to read the files.
  process.umask(0o022);
  const directory = wholeLedger(path);
  if (liesIn(folder, path)) {
    throw new SettingProblem(
      `${folder} would be lost with ${path}, in which it lies: name a folder outside`,
    );
  }
  assertTables(directory, path);
  const reader = new LedgerReader(directory.ledger);
  try {
    madeFor(folder, () => makeFolder(folder, 0o755));
    const stranger = readdirSync(folder).find((name) => !CONTENT.test(name));
    if (stranger !== undefined) {
      throw new SettingProblem(
        `${folder} has ${stranger}, which is not part of an archive: name a new folder, or that of an archive`,
      );
    }
    using lock = takeLock(join(folder, LOCK));
    if (lock === undefined) {
      throw new NotYet(`another run of moneta writes to ${folder}: wait for its end`);
    }
    return await unlessWrong(() => extended(reader, { directory, path, folder, before }));
  } finally {
    reader.dispose();
  }
}

interface Extension {
  readonly directory: DataDirectory;
  readonly path: string;
  readonly folder: string;
  readonly before: number;
}

async function extended(
  reader: LedgerReader,
  { directory, path, folder, before }: Extension,
): Promise<number> {
  const manifest = manifestIn(folder);
  const signer = await signerOf(directory, reader);
  reader.open(0);
  const { height, firstKept } = reader;
  const problem = manifest && whyOther(manifest, reader);
  reader.close();
  if (problem !== undefined) {
    throw new SettingProblem(`${folder} has ${problem}: name another folder`);
  }
  if (firstKept > 1 && (manifest?.before ?? 0) < firstKept) {
    throw new SettingProblem(
      `${path} has no blocks from 1 to ${firstKept - 1}, and ${folder} has ${manifest === undefined ? "no archive" : `those before ${manifest.before} only`}: name the folder of an archive that has them`,
    );
  }
  if (before < 1 || before > height + 1) {
    throw new SettingProblem(
      `--before ${before}: must be from 1 to ${height + 1}, because ${path} has the blocks from 0 to ${height}`,
    );
  }
  const writer = new ArchiveWriter(folder, {
    reader,
    manifest,
    checkpointOf: (tree) =>
      signer !== undefined && tree.size <= signer.signed.size ? signer.keys.sign(tree) : "",
  });
  const first = writer.height;
  const progress = new Progress("archiving blocks", before - first);
  while (writer.height < before) {
    await writer.extend(before);
    progress.show(writer.height - first);
    await delay(0);
  }
  writer.removeLeftovers();
  const { ledger_id, size, root, checkpoint } = writer.manifest as Manifest;
  const added = writer.height - first;
  console.log(
    `${folder} has the blocks before ${writer.height} of the ledger ${ledger_id}: ${Math.max(added, 0)} added; ${size} transactions, root ${root}`,
  );
  console.log(
    checkpoint === ""
      ? `it has no checkpoint: ${signer === undefined ? `no node has signed any in ${path}` : `the newest one that is signed covers ${signer.signed.size} transactions: ask the node for GET /checkpoint, and archive more blocks`}`
      : `its checkpoint is signed by ${signer?.keys.verifierKeys.join(", ") ?? "the node of an earlier run"}`,
  );
  return 0;
}

/** Throws `SettingProblem` if records and tree must be rebuilt first. */
export function assertTables({ ledger }: DataDirectory, path: string): void {
  const database = openForReading(ledger);
  try {
    if (!areTablesCurrent(database)) {
      throw new SettingProblem(
        `${path} has blocks, but no state and views of this version: start the node or run moneta rebuild, then run it again`,
      );
    }
  } finally {
    database.close();
  }
}

/** Undefined without one. Throws `SettingProblem`. */
function manifestIn(folder: string): Manifest | undefined {
  const file = join(folder, MANIFEST_FILE);
  try {
    return existsSync(file) ? parseManifest(readFileSync(file, "utf8"), file) : undefined;
  } catch (thrown) {
    if (!(thrown instanceof WrongArchive)) {
      throw thrown;
    }
    throw new SettingProblem(`${thrown.message}: name a new folder`, { cause: thrown });
  }
}

/** For earlier sizes of the signed tree: a key signs one history. Throws `SettingProblem`. */
export async function signerOf(
  directory: DataDirectory,
  reader: LedgerReader,
): Promise<{ readonly keys: CheckpointKeys; readonly signed: SignedTree } | undefined> {
  const file = new SignedTreeFile(directory.signedTree);
  const signed = file.read();
  if (signed === undefined || !existsSync(directory.checkpointKey)) {
    return undefined;
  }
  const privateKeys = readCheckpointKeys(directory);
  // For a moment, signed transactions may be only in the node's redo log.
  for (const began = performance.now(); ; await delay(100)) {
    reader.open(0);
    try {
      if (hasGrownFrom(signed, reader)) {
        return { keys: new CheckpointKeys(reader.ledgerName(), privateKeys), signed };
      }
      if (signed.size <= reader.size) {
        throw notGrown(file, signed);
      }
    } finally {
      reader.close();
    }
    if (performance.now() - began > LAG_MS) {
      return undefined;
    }
  }
}
