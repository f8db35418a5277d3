import { join } from "node:path";
import { InvalidBlock, type LedgerReader, StateTree, sha256 } from "@moneta/ledger";
import { NO_BLOCK, TILE_WIDTH } from "@moneta/protocol";
import type { SignedTree } from "../data-directory/signed-tree-file.ts";
import { SettingProblem } from "../settings.ts";
import { recordedBlock } from "./archive-writer.ts";
import { checkedBlock, linesOf } from "./archived-block.ts";
import { ChunkWriter } from "./chunk-writer.ts";
import { HASH_BYTES } from "./growing-tiles.ts";
import { KEYS_RECOGNISED_SECONDS, type SnapshotManifest } from "./snapshot-reader.ts";

const HASHES_OF_LINE = 1024;

/**
 * `signed` is the newest signed tree. Throws `SettingProblem` and `InvalidBlock`.
 * Source: proofs §5.
 */
export function writeSnapshot(
  file: string,
  from: {
    readonly reader: LedgerReader;
    readonly signed: SignedTree;
    readonly sign: (tree: SignedTree) => string;
    readonly scratch: string;
  },
): SnapshotManifest {
  const { reader, signed, scratch } = from;
  const last = reader.blockWithTransaction(signed.size - 1);
  const claim = reader.claimedRoot(signed.size);
  // Block 1 adds the ledger id to the entries.
  if (last === undefined || claim === undefined || claim.height < 1) {
    throw new SettingProblem(
      "no signed checkpoint of this node covers a state root yet: the node makes roots with --state-roots above 0, and signs a checkpoint for GET /checkpoint",
    );
  }
  const { height, root } = claim;
  if (height < reader.keptSince) {
    throw new SettingProblem(
      `the newest state root in a checkpoint is that of block ${height}, and the state is kept since block ${reader.keptSince} only: see --keep-state`,
    );
  }
  const at = reader.block({ height });
  const since = (at?.header.timestamp ?? 0) - KEYS_RECOGNISED_SECONDS;
  const first = Math.max(1, reader.heightAt(since - 1) ?? 1);
  const skipped = reader.firstTransactionOf(first) ?? 0;
  const { sn, size, tree } = last.header;
  const manifest: SnapshotManifest = {
    snapshot: 1,
    ledger: reader.ledgerName(),
    ledger_id: reader.state.ledgerId,
    ...{ height, first, skipped },
    ...{ before: sn + 1, last: last.id, size, root: tree },
    checkpoint: from.sign({ size, tree }),
  };
  using writer = new ChunkWriter(file);
  writer.add(0, [JSON.stringify(manifest)]);
  writer.add(0, hashLines(reader, skipped));
  const computed = StateTree.open(join(scratch, "state.tree"), {
    ...{ ledgerId: manifest.ledger_id, keptRoots: "none", access: "write" },
  });
  try {
    using sorted = computed.sortedEntries();
    for (const [key, text] of reader.asOf(height).entries()) {
      sorted.add(key, sha256.bytes(text));
      writer.add(0, [`[${JSON.stringify(key)},${text}]`]);
    }
    const place = { height, timestamp: at?.header.timestamp ?? 0, block: at?.id ?? "" };
    const found = Buffer.from(computed.rebuildFrom(place, sorted).root).toString("hex");
    if (found !== root) {
      throw new InvalidBlock(
        { height },
        `the state has the root ${found}, and the ledger claims ${root}`,
      );
    }
  } finally {
    computed.close();
  }
  let previous = NO_BLOCK;
  for (const number of [0, ...range(first, sn + 1)]) {
    const block = recordedBlock(reader, number);
    previous = number === first && first > 1 ? block.header.previous : previous;
    const checked = checkedBlock(block, { height: number, previous });
    if (typeof checked === "string") {
      throw new InvalidBlock({ height: number }, checked);
    }
    writer.add(0, linesOf(block));
    previous = block.id;
  }
  writer.finish();
  return manifest;
}

/** Complete subtrees of 256 leaves, then single leaves. */
function* hashLines({ tree }: LedgerReader, leaves: number): Generator<string> {
  const subtrees = Math.floor(leaves / TILE_WIDTH);
  for (const [level, from, to] of [
    [1, 0, subtrees],
    [0, subtrees * TILE_WIDTH, leaves],
  ] as const) {
    for (let start = from; start < to; start += HASHES_OF_LINE) {
      const hashes = tree.hashes(level, start, Math.min(to, start + HASHES_OF_LINE));
      if (hashes.length !== HASH_BYTES * (Math.min(to, start + HASHES_OF_LINE) - start)) {
        throw new SettingProblem("the ledger tree is incomplete: run moneta rebuild");
      }
      yield JSON.stringify(hashes.toString("base64"));
    }
  }
}

function* range(from: number, to: number): Generator<number> {
  for (let number = from; number < to; number += 1) {
    yield number;
  }
}
