import type { Block } from "@moneta/protocol";

/**
 * The chain of blocks, the one thing that is shared and must last; everything else follows from it. Nothing but an implementation of this
 * knows how blocks are stored. Source: ARCHITECTURE.md.
 */
export interface BlockLog {
  /**
   * Stores a block behind the newest one, or says that somebody else has stored one at this height: then nothing has changed. It calls
   * `commitViews` once, not before nobody can take the height away any more; when the call resolves, block and views are
   * durable. After a crash in between the views may lack the block, never the other way round: whoever opens them catches up by `read`.
   */
  append(block: Block, commitViews: () => void): Promise<"appended" | "conflict">;

  /** The block at a height, undefined if there is none yet. */
  block(height: number): Block | undefined;

  /** All blocks from a height on, oldest first, as many as there are when each is asked for. */
  read(fromHeight: number): Iterable<Block>;

  /** Number of the newest block, -1 if there is none. */
  height(): number;

  /** Calls with every new height, after it is durable; returns what ends that. */
  follow(listener: (height: number) => void): () => void;
}
