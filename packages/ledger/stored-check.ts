import {
  type Block,
  blockId,
  contentText,
  leafText,
  MerkleTree,
  NO_BLOCK,
  transactionId,
} from "@moneta/protocol";
import { InvalidBlock } from "./chain/invalid-block.ts";
import type { Executor } from "./executor.ts";
import type { StoredBlocks } from "./log/block-log.ts";
import { sha256 } from "./sha256.ts";
import { firstTransaction } from "./views/blocks.ts";

/**
 * Checks all headers, and the transactions of the newest block: what a node checks at its start.
 * Throws `InvalidBlock`. Source: chain §6.5.
 */
export function checkStored(
  stored: Executor,
  log: StoredBlocks,
  onBlock: ((height: number) => void) | undefined,
): void {
  let previous = NO_BLOCK;
  for (let height = 0; height <= stored.head.height; height += 1) {
    const block = stored.blocks.atHeight(height);
    if (block === undefined || block.header.previous !== previous || block.header.sn !== height) {
      throw new InvalidBlock({ height }, "it does not follow the block before it");
    }
    if (blockId(block.header, sha256) !== block.id) {
      throw new InvalidBlock({ height }, "its id is not the hash of its header");
    }
    previous = block.id;
    onBlock?.(height);
  }
  const newest = log.block(stored.head.height);
  if (newest !== undefined) {
    checkRoot(stored, newest);
    checkTree(stored, newest);
  }
}

/** The tree of proofs and the tree that the next block continues are those of the newest header. */
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
    const contentHash = sha256.hex(contentText(text));
    if (stored === undefined || !contentHash.startsWith(stored.contentHash)) {
      throw new InvalidBlock(
        { height, position },
        "its stored record is that of another operation",
      );
    }
    const id = transactionId({ height, position, contentHash });
    const recordHash = sha256.hex(stored.record);
    tree.append(leafText({ id, operationHash: sha256.hex(text), recordHash, timestamp }));
  }
  if (hex(tree.root()) !== header.root || operations.length !== header.count) {
    throw new InvalidBlock({ height }, "its transactions are not those that its header commits to");
  }
}

function hex(hash: Uint8Array): string {
  return Buffer.from(hash).toString("hex");
}
