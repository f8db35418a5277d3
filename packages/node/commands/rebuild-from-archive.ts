import { availableParallelism } from "node:os";
import { checkLedgerFile, InvalidBlock } from "@moneta/ledger";
import { adoptArchive } from "../archive/adopt-archive.ts";
import { ArchiveReader } from "../archive/archive-reader.ts";
import { lockDirectory, makeDataDirectory } from "../data-directory/data-directory.ts";
import { noteArchive } from "../data-directory/log-source.ts";
import { Replica } from "../follower/replica.ts";
import { Progress, progressOf } from "../progress.ts";
import { SettingProblem } from "../settings.ts";
import { shellWord } from "../shell-word.ts";
import { PLATFORM_VERIFIER } from "../signatures/chosen-verifier.ts";
import { EXIT, unlessWrong } from "./exit-codes.ts";

/** Checks signatures; resumable. Returns the exit code. Source: proofs §4. */
export async function rebuildFromArchive(
  path: string,
  from: string,
  keys: readonly string[],
): Promise<number> {
  return await unlessWrong(async () => {
    const archive = await ArchiveReader.open(from, keys);
    const { before, ledger_id, size, root } = archive.manifest;
    const directory = makeDataDirectory(path);
    using _lock = lockDirectory(directory, path);
    checkLedgerFile(directory.ledger);
    const replica = openReplica(directory.ledger, path);
    try {
      const own = replica.head.height + 1;
      if (own < before) {
        // New blocks written here would begin a second history.
        noteArchive(directory, archive.where);
      }
      const progress = new Progress("replaying blocks", before);
      await adoptArchive(replica, archive, (done) => progress.show(done));
      console.log(
        `${path} has the ${before} blocks of the archive, ${Math.max(before - own, 0)} of them new: ledger ${ledger_id}, ${size} transactions with their signatures, root ${root}`,
      );
      if (own < before) {
        console.log(
          `to continue with the blocks of a node: moneta serve --data ${shellWord(path)} --log URL. Only if no node has later ones, remove ${directory.logCopying}: then a node may continue the ledger`,
        );
      }
    } finally {
      await replica.close();
    }
    return EXIT.done;
  });
}

/** Throws `SettingProblem` if existing blocks are invalid. */
function openReplica(file: string, path: string): Replica {
  try {
    return Replica.open(file, {
      threads: availableParallelism(),
      verifier: PLATFORM_VERIFIER,
      onBlock: progressOf("replaying own blocks"),
    });
  } catch (thrown) {
    throw thrown instanceof InvalidBlock
      ? new SettingProblem(
          `the blocks in ${path} have been changed or damaged: ${thrown.message}; that says nothing about the archive. Name a new directory`,
        )
      : thrown;
  }
}
