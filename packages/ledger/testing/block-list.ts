import { type Block, blockText } from "@moneta/protocol";
import { invariant } from "../invariant.ts";
import type { BlockLog } from "../log/block-log.ts";
import { type StoredBlock, storedBlock } from "../log/stored-block.ts";

/** A log in memory, so that a test can hand any blocks to a ledger. */
export class BlockList implements BlockLog {
  readonly firstKept = 1;
  readonly blocks: Block[];

  constructor(blocks: readonly Block[] = []) {
    this.blocks = [...blocks];
  }

  append(block: Block): StoredBlock {
    invariant(block.header.sn === this.blocks.length, "blocks are appended in their order");
    this.blocks.push(block);
    return storedBlock(block);
  }

  block(height: number): Block | undefined {
    return this.blocks[height];
  }

  operation(height: number, position: number): string | undefined {
    return this.blocks[height]?.operations[position];
  }

  size(height: number): number | undefined {
    const block = this.blocks[height];
    return block && Buffer.byteLength(blockText(block));
  }

  *read(fromHeight: number): Iterable<Block> {
    for (let height = fromHeight; height < this.blocks.length; height += 1) {
      yield this.blocks[height] as Block;
    }
  }

  height(): number {
    return this.blocks.length - 1;
  }
}
