import { InvalidBlock } from "@moneta/ledger";
import { NO_BLOCK } from "@moneta/protocol";
import type { Replica } from "../follower/replica.ts";
import type { ArchiveReader } from "./archive-reader.ts";
import type { ArchivedBlock } from "./archived-block.ts";
import { WrongArchive } from "./layout.ts";

const BLOCKS_AT_ONCE = 1000;
const LENGTH_AT_ONCE = 4 << 20;

/** Resumable. Throws `WrongArchive`, `NotYet`, and `UnknownRules` before unknown rules. */
export async function adoptArchive(
  replica: Replica,
  archive: ArchiveReader,
  onBlock: (done: number, total: number) => void,
): Promise<void> {
  const { before } = archive.manifest;
  assertSameLedger(replica, archive);
  let page: ArchivedBlock[] = [];
  let length = 0;
  const adopt = async (): Promise<void> => {
    await replica.adopt(page).catch((thrown: unknown) => {
      throw thrown instanceof InvalidBlock
        ? new WrongArchive(`${archive.where}: ${thrown.message}`)
        : thrown;
    });
    onBlock(replica.head.height + 1, before);
    [page, length] = [[], 0];
  };
  const { height, id } = replica.head;
  for await (const block of archive.blocks(height + 1, height === -1 ? NO_BLOCK : id)) {
    page.push(block);
    length += block.operations.reduce((sum, operation) => sum + operation.length, 0);
    if (page.length === BLOCKS_AT_ONCE || length >= LENGTH_AT_ONCE) {
      await adopt();
    }
  }
  if (page.length > 0) {
    await adopt();
  }
}

function assertSameLedger(replica: Replica, { where, manifest }: ArchiveReader): void {
  const { ledger_id, before, last } = manifest;
  for (const [height, id] of [
    [0, ledger_id],
    [before - 1, last],
  ] as const) {
    const own = height <= replica.head.height ? replica.read().block({ height })?.id : id;
    if (own !== id) {
      throw new WrongArchive(
        `${where}: block ${height} is ${id} there and ${own} here: the archive is of another ledger or another history`,
      );
    }
  }
}
