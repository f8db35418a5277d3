import { type Block, blockId, MerkleTree, NO_BLOCK } from "@moneta/protocol";
import { leafOf } from "./chain/block-builder.ts";
import { InvalidBlock } from "./chain/invalid-block.ts";
import type { Database } from "./database.ts";
import type { Executor } from "./executor.ts";
import type { StoredBlocks } from "./log/block-log.ts";
import { sha256 } from "./sha256.ts";
import { firstTransaction } from "./views/blocks.ts";
import { HeadView } from "./views/head.ts";

/**
 * Headers of block 0 and the last `links` blocks, and the newest block's transactions. Throws
 * `InvalidBlock`. Source: chain §6.5.
 */
export function checkStored(stored: Executor, log: StoredBlocks, links: number): void {
  let previous = NO_BLOCK;
  for (let height = 0; height <= stored.head.height; height += 1) {
    const first = Math.max(log.firstKept, stored.head.height - links + 1);
    if (height === 1 && first > 1) {
      height = first;
      previous = stored.blocks.atHeight(height)?.header.previous ?? NO_BLOCK;
    }
    const block = stored.blocks.atHeight(height);
    if (block === undefined || block.header.previous !== previous || block.header.sn !== height) {
      throw new InvalidBlock({ height }, "it does not follow the block before it");
    }
    if (blockId(block.header, sha256) !== block.id) {
      throw new InvalidBlock({ height }, "its id is not the hash of its header");
    }
    previous = block.id;
  }
  const { height } = stored.head;
  if (height === -1) {
    return;
  }
  const newest = log.block(height);
  if (newest === undefined) {
    throw new InvalidBlock({ height }, NOT_IN_LOG);
  }
  checkRoot(stored, newest);
  checkTree(stored, newest);
}

/**
 * Throws `InvalidBlock` if state and views have a block that the log lacks: both are committed
 * together.
 */
export function checkLogEnd(tables: Database, log: StoredBlocks): void {
  const { height } = new HeadView(tables, "read").get() ?? { height: -1 };
  const end = log.height();
  if (end < height) {
    throw new InvalidBlock({ height: end + 1 }, NOT_IN_LOG);
  }
}

const NOT_IN_LOG = "state and views have it, but the log does not";

function checkTree(stored: Executor, { header: { sn: height, size, tree } }: Block): void {
  if (
    stored.tree.size !== size ||
    hex(stored.tree.root()) !== tree ||
    !stored.treeView.hasEdge(size) ||
    hex(stored.treeView.root(size)) !== tree
  ) {
    throw new InvalidBlock({ height }, "the stored tree is not the one that it commits to");
  }
}

function checkRoot({ transactions }: Executor, { header, operations }: Block): void {
  const { sn: height, timestamp } = header;
  const tree = new MerkleTree(sha256);
  for (const [position, text] of operations.entries()) {
    const stored = transactions.at(firstTransaction(header) + position);
    const made = stored && leafOf({ height, position, timestamp }, text, stored.record);
    if (stored === undefined || made?.contentHash.startsWith(stored.contentHash) !== true) {
      throw new InvalidBlock(
        { height, position },
        "its stored record is that of another operation",
      );
    }
    tree.append(made.leaf);
  }
  if (hex(tree.root()) !== header.root || operations.length !== header.count) {
    throw new InvalidBlock({ height }, "its transactions are not those that its header commits to");
  }
}

function hex(hash: Uint8Array): string {
  return Buffer.from(hash).toString("hex");
}
