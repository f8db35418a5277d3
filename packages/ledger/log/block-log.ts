import type { Block } from "@moneta/protocol";

/**
 * The chain of blocks, the one thing that is shared and must last; everything else follows from it.
 * Nothing but an implementation of this knows how blocks are stored. Source: ARCHITECTURE.md.
 */
export interface BlockLog {
  /**
   * Stores a block behind the newest one; throws if it is not the next, because nobody else writes
   * to the log. It calls `commitViews` once; when the call resolves, block and views are durable.
   * After a crash in between the views may lack the block, never the other way round: whoever opens
   * them catches up by `read`.
   */
  append(block: Block, commitViews: () => void): Promise<void>;

  /** The block at a height, undefined if there is none yet. */
  block(height: number): Block | undefined;

  /** One operation of the block at a height, in canonical form; undefined if there is none. */
  operation(height: number, position: number): string | undefined;

  /** Bytes of the block's text (`blockText`), which is not read for it; undefined without block. */
  size(height: number): number | undefined;

  /** All blocks from a height on, oldest first, as many as there are when each is asked for. */
  read(fromHeight: number): Iterable<Block>;

  /** Number of the newest block, -1 if there is none. */
  height(): number;
}
