import { ArchiveReader } from "../archive/archive-reader.ts";
import { compareArchive } from "../archive/compare-archive.ts";
import { Progress } from "../progress.ts";
import { EXIT, unlessWrong } from "./exit-codes.ts";

/** One of `keys` must have signed its tree. Returns the exit code. Source: proofs §4.6. */
export async function verifyArchive(where: string, keys: readonly string[]): Promise<number> {
  return await unlessWrong(async () => {
    const archive = await ArchiveReader.open(where, keys);
    const { ledger_id, before, size, root, checkpoint } = archive.manifest;
    const progress = new Progress("verifying blocks", before);
    await compareArchive(archive, undefined, (height) => progress.show(height + 1));
    console.log(
      `valid: blocks 0 to ${before - 1} of the ledger ${ledger_id}; ${size} transactions, root ${root}`,
    );
    const signed =
      keys.length > 0
        ? `its checkpoint is signed by ${keys.join(" or ")}`
        : `nothing shows whose tree this is: ${checkpoint === "" ? "it has no checkpoint" : "--key was not given"}`;
    console.log(
      `${signed}; signatures and effects are not recomputed: moneta rebuild NEW --from-archive ${where} does`,
    );
    return EXIT.done;
  });
}
