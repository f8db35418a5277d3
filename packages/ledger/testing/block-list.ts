import type { Block } from "@moneta/protocol";
import type { BlockLog } from "../log/block-log.ts";

/** A log in memory, so that a test can hand any blocks to a ledger, or let two ledgers write to one log. */
export class BlockList implements BlockLog {
  readonly blocks: Block[];
  readonly #listeners: Set<(height: number) => void> = new Set();

  constructor(blocks: readonly Block[] = []) {
    this.blocks = [...blocks];
  }

  async append(block: Block, commitViews: () => void): Promise<"appended" | "conflict"> {
    if (block.header.sn !== this.blocks.length) {
      return "conflict";
    }
    this.blocks.push(block);
    commitViews();
    for (const listener of this.#listeners) {
      listener(block.header.sn);
    }
    return "appended";
  }

  block(height: number): Block | undefined {
    return this.blocks[height];
  }

  *read(fromHeight: number): Iterable<Block> {
    for (let height = fromHeight; height < this.blocks.length; height += 1) {
      yield this.blocks[height] as Block;
    }
  }

  height(): number {
    return this.blocks.length - 1;
  }

  follow(listener: (height: number) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
