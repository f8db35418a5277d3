import { sha256 } from "@moneta/ledger";
import { blockId, parseTransactionId } from "@moneta/protocol";
import { ArchiveReader } from "../archive/archive-reader.ts";
import { readBlockLine } from "../archive/archived-block.ts";
import type { ProvenTransaction } from "../archive/archived-transaction.ts";
import { Progress } from "../progress.ts";
import { SettingProblem } from "../settings.ts";
import { transactionProofText, transactionText } from "../transaction-text.ts";
import { EXIT, unlessWrong } from "./exit-codes.ts";

const ID = /^(?:[0-9a-f]{64}|TRD040_[0-9A-Za-z]{1,64})$/;

/** Searches for ids that do not name their block. Returns the exit code. Source: proofs §4. */
export async function archiveGet(
  from: string,
  id: string,
  keys: readonly string[],
): Promise<number> {
  if (!ID.test(id)) {
    throw new SettingProblem(
      `${id} must be the id of a transaction, block or group, 64 lower-case hex digits, or of a trade, TRD040_...`,
    );
  }
  return await unlessWrong(async () => {
    const archive = await ArchiveReader.open(from, keys);
    const name = parseTransactionId(id);
    const found = name && (await archive.transaction(name));
    if (found === undefined && !(await printSearched(archive, id))) {
      const { before } = archive.manifest;
      throw new SettingProblem(
        `${archive.where} has the blocks before ${before}, and no ${id} in them`,
      );
    }
    if (found !== undefined) {
      print(archive, found);
    }
    return EXIT.done;
  });
}

/** Returns whether the archive has it. */
async function printSearched(archive: ArchiveReader, id: string): Promise<boolean> {
  const progress = new Progress("searching blocks", archive.manifest.before);
  let isFound = false;
  // As a whole text: the beginning of an id is in many.
  const lines = archive.linesWith(`"${id}"`, (done) => progress.show(done));
  for await (const { height, number, line } of lines) {
    if (number > 0) {
      const found = await archive.transaction({ height, position: number - 1 });
      if (found !== undefined) {
        print(archive, found);
        isFound = true;
      }
      continue;
    }
    // The next block names this one, too.
    const block = readBlockLine(line);
    if (typeof block === "object" && blockId(block.header, sha256) === id) {
      console.log(line);
      isFound = true;
    }
  }
  return isFound;
}

function print({ manifest }: ArchiveReader, found: ProvenTransaction): void {
  const { size, root, checkpoint } = manifest;
  const { block, record, leaf } = found;
  const { id } = JSON.parse(leaf) as { readonly id: string };
  const proof = transactionProofText({
    ...{ ...found, id, size, checkpoint, header: block.header },
    root: Uint8Array.fromHex(root),
  });
  console.log(`{"transaction":${transactionText(id, block, record)},"proof":${proof}}`);
}
