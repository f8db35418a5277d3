import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  closeWhole,
  failureOf,
  immutableName,
  Ledger,
  LedgerReader,
  LocalLog,
  NotYet,
  openForWriting,
  syncFolderOf,
  writePrunedCopy,
} from "@moneta/ledger";
import { parseTransactionId } from "@moneta/protocol";
import { ArchiveReader } from "../archive/archive-reader.ts";
import { compareArchive, whyOther } from "../archive/compare-archive.ts";
import { KEYS_RECOGNISED_SECONDS } from "../archive/snapshot-reader.ts";
import {
  type DataDirectory,
  LEDGER_PART,
  lockDirectory,
} from "../data-directory/data-directory.ts";
import { wholeLedger } from "../data-directory/log-source.ts";
import { SignedTreeFile } from "../data-directory/signed-tree-file.ts";
import { Progress, progressOf } from "../progress.ts";
import { SettingProblem } from "../settings.ts";
import { WebhookPosition } from "../webhooks/webhook-position.ts";
import { assertTables } from "./archive.ts";
import { EXIT, unlessWrong } from "./exit-codes.ts";

/**
 * Compares with an archive, then replaces the whole file. Returns the exit code. Source: proofs §6.
 */
export async function prune(
  path: string,
  from: { readonly before: number; readonly archive: string; readonly keys: readonly string[] },
): Promise<number> {
  return await unlessWrong(async () => {
    const directory = wholeLedger(path);
    assertTables(directory, path);
    using _lock = lockDirectory(directory, path);
    return await pruned(directory, path, from);
  });
}

async function pruned(
  directory: DataDirectory,
  path: string,
  { before, archive: where, keys }: Parameters<typeof prune>[1],
): Promise<number> {
  const { ledger: file } = directory;
  const part = join(dirname(file), LEDGER_PART);
  rmSync(part, { recursive: true, force: true });
  const database = openForWriting(file);
  try {
    // Adds the blocks that only the redo log has.
    new Ledger(database, new LocalLog(database)).catchUp();
    const reader = new LedgerReader(file);
    let edge: Parameters<typeof writePrunedCopy>[2];
    try {
      reader.open(0);
      const { firstKept } = reader;
      if (before <= firstKept) {
        console.log(
          firstKept > 1
            ? `${path} has block 0 and the blocks from ${firstKept} on: nothing to remove`
            : `${path} has no block between block 0 and block ${before}: nothing to remove`,
        );
        return EXIT.done;
      }
      assertMayPrune(reader, before, directory);
      const archive = await ArchiveReader.open(where, keys);
      const { before: has } = archive.manifest;
      const why =
        has < before
          ? `the blocks before ${has} only: run moneta archive with --before ${before} first`
          : whyOther(archive.manifest, reader);
      if (why !== undefined) {
        throw new SettingProblem(`${archive.where} has ${why}`);
      }
      const first = firstKept > 1 ? firstKept : 0;
      const progress = new Progress("comparing blocks", archive.manifest.before - first);
      await compareArchive(archive, reader, (height) => progress.show(height + 1 - first));
      edge = {
        first: before,
        timestamp: reader.block({ height: before })?.header.timestamp ?? 0,
        genesis: reader.block({ height: 0 })?.header.size ?? 0,
        skipped: reader.firstTransactionOf(before) ?? 0,
      };
    } finally {
      reader.dispose();
    }
    mkdirSync(part, { mode: 0o700 });
    const copy = join(part, "ledger.db");
    writePrunedCopy(file, copy, edge, progressOf("copying tables"));
    const was = statSync(file).size;
    closeWhole(database);
    if (immutableName(file) === undefined) {
      throw new NotYet(
        `${file} could not be written completely: make room on the disk, and run it again`,
      );
    }
    // A WAL that returned after a power cut would belong to another file.
    syncFolderOf(file);
    renameSync(copy, file);
    syncFolderOf(file);
    console.log(
      `${path} has block 0 and the blocks from ${before} on: ledger.db has ${statSync(file).size} bytes, ${was} before`,
    );
    console.log(
      `serve older blocks from the archive: moneta serve --archive ${where}; keep the archive: nothing else has them`,
    );
    return EXIT.done;
  } catch (thrown) {
    throw failureOf(thrown, database.isOpen ? database : undefined);
  } finally {
    if (database.isOpen) {
      closeWhole(database);
    }
    rmSync(part, { recursive: true, force: true });
  }
}

/** Source: proofs §6. */
function assertMayPrune(reader: LedgerReader, before: number, directory: DataDirectory): void {
  const { height, newest } = reader;
  const oldest = newest.header.timestamp - KEYS_RECOGNISED_SECONDS;
  const allowed = reader.heightAt(oldest - 1) ?? 0;
  if (before > allowed) {
    throw new SettingProblem(
      `--before ${before}: must be at most ${allowed}, because blocks up to ${KEYS_RECOGNISED_SECONDS} s older than the newest, ${height}, have temporary keys that may be repeated`,
    );
  }
  const signed = new SignedTreeFile(directory.signedTree).read();
  const claimed = reader.claimedRoot(signed?.size ?? reader.size)?.height ?? -1;
  if (claimed < before) {
    throw new SettingProblem(
      `--before ${before}: no checkpoint covers a state root of a later block: the node makes roots with --state-roots above 0, and signs a checkpoint for GET /checkpoint`,
    );
  }
  for (const { file, after } of webhookPositions(directory)) {
    const known = parseTransactionId(after)?.height ?? -1;
    if (known < before) {
      throw new SettingProblem(
        `--before ${before}: the webhook of ${file} has delivered the blocks up to ${known} only: wait until it has delivered block ${before}, or remove the file if there is no such webhook any more`,
      );
    }
  }
}

function webhookPositions({
  webhooks: folder,
}: DataDirectory): readonly { readonly file: string; readonly after: string }[] {
  if (statSync(folder, { throwIfNoEntry: false }) === undefined) {
    return [];
  }
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .map((name) => {
      const file = join(folder, name);
      return { file, after: new WebhookPosition(file).read() ?? "" };
    });
}
