import { parseTransactionId } from "@moneta/protocol";
import { ArchiveReader } from "../archive/archive-reader.ts";
import { SettingProblem } from "../settings.ts";
import { transactionProofText, transactionText } from "../transaction-text.ts";
import { EXIT, unlessWrong } from "./exit-codes.ts";

/**
 * Prints a transaction of an archive and its proof, as a node returns them. Returns the exit code.
 * Source: proofs §4.
 */
export async function archiveGet(
  from: string,
  id: string,
  keys: readonly string[],
): Promise<number> {
  const name = parseTransactionId(id);
  if (name === undefined) {
    throw new SettingProblem(`${id} must be the id of a transaction, 64 lower-case hex digits`);
  }
  return await unlessWrong(async () => {
    const archive = await ArchiveReader.open(from, keys);
    const { before, root, size, checkpoint } = archive.manifest;
    const found = await archive.transaction(name);
    if (found === undefined) {
      throw new SettingProblem(
        `${archive.where} has the blocks before ${before}, and no transaction ${id} in them`,
      );
    }
    const { block, record } = found;
    const proof = transactionProofText({
      ...{ ...found, id, size, checkpoint, header: block.header },
      root: Uint8Array.fromHex(root),
    });
    console.log(`{"transaction":${transactionText(id, block, record)},"proof":${proof}}`);
    return EXIT.done;
  });
}
