import { invariant, type LedgerReader, sha256 } from "@moneta/ledger";
import { leafHash, NO_BLOCK, TILE_WIDTH } from "@moneta/protocol";
import type { ArchiveReader } from "./archive-reader.ts";
import { leafTextOf } from "./archived-block.ts";
import { GrowingTiles, HASH_BYTES } from "./growing-tiles.ts";
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
  const texts = size > start ? await archive.leafTexts(start / TILE_WIDTH) : [];
  const hashes = texts.slice(0, size - start).map((text) => leafHash(sha256, text));
  if (!Buffer.concat(hashes).equals(reader.tree.hashes(0, start, size))) {
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
  const tiles = new GrowingTiles(
    {
      ...{ size, leafTexts: () => texts.slice(0, size - start) },
      hashes: (level, first, end) => {
        const own = reader.tree.hashes(level, first, end);
        invariant(own.length === (end - first) * HASH_BYTES, "the edge of the tree is stored");
        return own;
      },
    },
    (file, bytes) => comparisons.push(archive.assertTile(file, bytes)),
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
