import type { LedgerReader } from "@moneta/ledger";
import { NO_BLOCK, TILE_WIDTH } from "@moneta/protocol";
import type { ArchiveReader } from "./archive-reader.ts";
import { GrowingTiles, type TreeEdge } from "./growing-tiles.ts";
import { CHECKPOINT_FILE, type Tree, WrongArchive } from "./layout.ts";

const TILES_TOGETHER = 16;

const EMPTY_TREE: TreeEdge = { size: 0, hashes: () => Buffer.of(), leafTexts: () => [] };

/**
 * With an open reader also against that ledger. Throws `WrongArchive`, `NotYet`.
 * Source: proofs §4.6, §6.
 */
export async function compareArchive(
  archive: ArchiveReader,
  reader: LedgerReader | undefined,
  onBlock: (height: number) => void,
): Promise<void> {
  const { firstKept: from, previous, edge } = await beginning(archive, reader);
  let comparisons: Promise<unknown>[] = [];
  const compare = (file: string, bytes: Uint8Array): void => {
    // An unhandled rejection would end the process.
    comparisons.push(archive.assertFile(file, bytes).catch((thrown: unknown) => thrown));
  };
  const settle = async (): Promise<void> => {
    const results = await Promise.all(comparisons);
    comparisons = [];
    const fault = results.find((each) => each !== undefined);
    if (fault !== undefined) {
      throw fault;
    }
  };
  const tiles = new GrowingTiles(edge, compare);
  for await (const { header, id, leaves } of archive.blocks(from, previous, "index")) {
    const { sn: height } = header;
    const own = reader === undefined ? id : reader.block({ height })?.id;
    // Its id commits to all of it, which has been checked.
    if (own !== id) {
      throw wrong(archive, `block ${height} is ${id}, and the ledger's is ${own}`);
    }
    for (const leaf of leaves) {
      tiles.append(leaf);
      if (comparisons.length >= TILES_TOGETHER) {
        await settle();
      }
    }
    if (tiles.root !== header.tree) {
      throw wrong(archive, `block ${height}: the tree is not the one that it commits to`);
    }
    onBlock(height);
  }
  tiles.putPartial();
  const { checkpoint } = archive.manifest;
  if (checkpoint !== "") {
    compare(CHECKPOINT_FILE, Buffer.from(checkpoint));
  }
  await settle();
}

async function beginning(
  archive: ArchiveReader,
  reader: LedgerReader | undefined,
): Promise<{
  readonly firstKept: number;
  readonly previous: string;
  readonly edge: TreeEdge;
}> {
  const firstKept = reader?.firstKept ?? 0;
  if (reader === undefined || firstKept <= 1) {
    return { firstKept: 0, previous: NO_BLOCK, edge: EMPTY_TREE };
  }
  const previous = reader.block({ height: firstKept })?.header.previous ?? NO_BLOCK;
  const size = reader.firstTransactionOf(firstKept) ?? 0;
  const start = size - (size % TILE_WIDTH);
  const edge = await archive.edgeOf(reader, size);
  if (!reader.tree.hashes(0, start, size).equals(edge.hashes(0, start, size))) {
    throw wrong(archive, `its leaves from ${start} to ${size - 1} differ from the ledger`);
  }
  return { firstKept, previous, edge };
}

/** Says how an archive differs from the reader's blocks; undefined if it does not. */
export function whyOther(
  { ledger_id, before, last, root }: Tree,
  reader: LedgerReader,
): string | undefined {
  if (reader.block({ height: 0 })?.id !== ledger_id) {
    return `the archive of another ledger, ${ledger_id}`;
  }
  const { firstKept, tree } = reader;
  if (before < firstKept) {
    return undefined; // nothing of it is stored
  }
  // Of a ledger that has been pruned up to there, the next block says what it follows.
  const next = before === firstKept ? reader.block({ height: before })?.header : undefined;
  const treeBefore = next && Buffer.from(tree.root(next.size - next.count)).toString("hex");
  const own =
    next === undefined
      ? reader.block({ height: before - 1 })
      : { id: next.previous, header: { tree: treeBefore } };
  return own?.id === last && own.header.tree === root
    ? undefined
    : `an archive whose block ${before - 1} is ${last}, and this ledger's is ${own?.id ?? "not there"}`;
}

function wrong({ where }: ArchiveReader, what: string): WrongArchive {
  return new WrongArchive(`${where}: ${what}`);
}
