import type { Block } from "@moneta/protocol";
import type { RedoLog } from "./redo-log.ts";
import type { StoredBlock } from "./stored-block.ts";

/**
 * The node's own copy of the chain, from which everything else follows. Source: ARCHITECTURE.md.
 */
export interface StoredBlocks {
  /** 1 if no blocks have been pruned. */
  readonly firstKept: number;

  block(height: number): Block | undefined;

  operation(height: number, position: number): string | undefined;

  /** Bytes of `blockText`, which is not read for it. */
  size(height: number): number | undefined;

  /**
   * Oldest first, including blocks added meanwhile. Throws `InvalidBlock` if one is missing before
   * later ones.
   */
  read(fromHeight: number): Iterable<Block>;

  /** -1 if there is none. */
  height(): number;
}

/** Height -1 before block 0. */
export interface BlockPlace {
  readonly height: number;
  readonly id: string;
}

/**
 * The log of blocks, the only durable shared part, with the node's copy of it. Source:
 * ARCHITECTURE.md.
 */
export interface BlockLog extends StoredBlocks {
  /** Stores the next block in the caller's transaction. Throws if it is not the next. */
  append(block: Block): StoredBlock;

  /** Makes blocks durable before their transaction is committed. */
  readonly redo?: RedoLog | undefined;
}

export interface EngineTrouble {
  /** SQLSTATE, or `ROW_DROPPED`. */
  readonly code: string;
  readonly reason: string;
}

/** In place of a SQLSTATE: no error, and the row is not kept. */
export const ROW_DROPPED = "dropped";

/** How a turn's block has ended. Source: cluster §3. */
export type Appended =
  /** It is in the log and stays there, and so does all that the turn has read. */
  | { readonly kind: "certain" }
  /** It is not in the log and never will be: the log may have continued without it. */
  | { readonly kind: "conflict"; readonly reason: string }
  /** It is not in the log and never will be: the engine refuses it. */
  | ({ readonly kind: "refused" } & EngineTrouble)
  /** It may be in the log, now or later. */
  | { readonly kind: "doubt"; readonly reason: string };

/**
 * The time in which this node alone may append, ended by exactly one method. Source: cluster §3.
 */
export interface Turn {
  /** Oldest first: visible, and not yet certain. */
  readonly blocks: readonly Block[];
  /** Unix seconds. */
  readonly now: number;
  /** Never rejects. */
  append(block: Block): Promise<Appended>;
  /** Releases the append lock by the barrier; true once what was read is certain. Never rejects. */
  end(): Promise<boolean>;
  giveBack(): Promise<void>;
  /**
   * Ends the turn; why the engine would not store a block of this size. Rejects with
   * `LogUnavailable`.
   */
  probe(block: Block): Promise<EngineTrouble | undefined>;
}

/** A log that others append to as well. Source: cluster §2 to §6. */
export interface SharedLog extends BlockLog {
  /**
   * Waits for the append lock. Rejects with `LogUnavailable`, with `BehindLog` if too much is
   * missing, or with `Diverged`.
   */
  turn(options: { readonly place: () => BlockPlace; readonly timeoutMs: number }): Promise<Turn>;

  /**
   * Whether a doubted block is in the log, for good. Rejects with `LogUnavailable` or `Diverged`:
   * it is still in doubt.
   */
  settle(doubted: BlockPlace): Promise<"appended" | "absent">;

  /** Certain blocks after a place, oldest first, in one step. Rejects like `settle`. */
  next(place: BlockPlace): Promise<readonly Block[]>;

  /** The log's newest block, once certain. Rejects as `settle` does. */
  look(place: BlockPlace): Promise<BlockPlace>;

  /** Sets the callback for blocks that may have become certain. */
  onNews(call: () => void): void;

  readonly status: LogStatus;

  takeTurns(): readonly TurnMeasured[];

  close(): void;
}

export interface LogStatus {
  /** By the monotonic clock, ms. */
  readonly heardMs: number | undefined;
  /** The log's clock minus the node's, ms. */
  readonly clockOffsetMs: number | undefined;
  /** The log's clock minus the monotonic clock, ms. */
  readonly engineMs: number | undefined;
  readonly timeline: number;
  readonly unkept: string | undefined;
  readonly unfit: string | undefined;
}

/** How long a turn was waited for and held, ms. */
export interface TurnMeasured {
  readonly waitMs: number;
  readonly lengthMs: number;
  readonly kind: Appended["kind"] | "barrier" | "uncertain" | "givenBack";
}

/** The message gives the reason for the operator. */
export class LogUnavailable extends Error {
  override readonly name: string = "LogUnavailable";

  get code(): string | undefined {
    const { code } = (this.cause ?? {}) as { readonly code?: unknown };
    return typeof code === "string" && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
  }
}

/** Too many blocks are missing: the node has to catch up first. */
export class BehindLog extends Error {
  override readonly name: string = "BehindLog";
}

/** At a height the log has another block than this node, or none. Source: cluster §6. */
export class Diverged extends Error {
  override readonly name: string = "Diverged";
  readonly height: number;
  /** Undefined if the log ends before. */
  readonly ours: string;
  readonly theirs: string | undefined;

  constructor(at: {
    readonly height: number;
    readonly ours: string;
    readonly theirs: string | undefined;
  }) {
    const { height, ours, theirs } = at;
    const found = theirs === undefined ? "no block" : `the block ${theirs}`;
    super(`at height ${height} this node has the block ${ours}, but the log has ${found}`);
    this.height = height;
    this.ours = ours;
    this.theirs = theirs;
  }
}
