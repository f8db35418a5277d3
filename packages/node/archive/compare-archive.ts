import type { LedgerReader } from "@moneta/ledger";
import { NO_BLOCK, TILE_WIDTH } from "@moneta/protocol";
import type { ArchiveReader } from "./archive-reader.ts";
import { leafTextOf } from "./archived-block.ts";
import { GrowingTiles } from "./growing-tiles.ts";
import { WrongArchive } from "./layout.ts";

/** Tiles that are read at the same time. */
const TILES_TOGETHER = 16;

/**
 * Compares an archive with a ledger, from the first block that the ledger has: headers, operations,
 * records and tiles, each read as it will be read later. The reader is open. Throws `WrongArchive`
 * with the difference, and `NotYet`. Source: proofs §6.
 */
export async function compareArchive(
  archive: ArchiveReader,
  reader: LedgerReader,
  onBlock: (height: number) => void,
): Promise<void> {
  const from = reader.firstKept > 1 ? reader.firstKept : 0;
  const size = reader.firstTransactionOf(from) ?? 0;
  const start = size - (size % TILE_WIDTH);
  const edge = await archive.edgeOf(reader, size);
  if (!reader.tree.hashes(0, start, size).equals(edge.hashes(0, start, size))) {
    throw new WrongArchive(
      `${archive.where}: its leaves from ${start} to ${size - 1} differ from the ledger`,
    );
  }
  let comparisons: Promise<void>[] = [];
  const settle = async (): Promise<void> => {
    const settled = await Promise.allSettled(comparisons);
    comparisons = [];
    const failed = settled.find(({ status }) => status === "rejected");
    if (failed?.status === "rejected") {
      throw failed.reason;
    }
  };
  const tiles = new GrowingTiles(edge, (file, bytes) =>
    comparisons.push(archive.assertTile(file, bytes)),
  );
  const previous = reader.block({ height: from })?.header.previous ?? NO_BLOCK;
  for await (const block of archive.blocks(from, previous, "index")) {
    const { header, operations, records } = block;
    const { sn: height } = header;
    const own = reader.block({ height })?.id;
    // Its id commits to all of it, which has been checked.
    if (own !== block.id) {
      throw new WrongArchive(
        `${archive.where}: block ${height} is ${block.id}, and the ledger's is ${own}`,
      );
    }
    for (const [position, operation] of operations.entries()) {
      tiles.append(leafTextOf(header, position, { operation, record: records[position] ?? "" }));
      if (comparisons.length >= TILES_TOGETHER) {
        await settle();
      }
    }
    onBlock(height);
  }
  tiles.putPartial();
  await settle();
}
