import type { Block } from "@moneta/protocol";
import type { RedoLog } from "./redo-log.ts";
import type { StoredBlock } from "./stored-block.ts";

/**
 * The node's own copy of the chain, which readers and replay use; everything else follows from it.
 * Source: ARCHITECTURE.md.
 */
export interface StoredBlocks {
  /** The first block after block 0 that is stored: 1 if no earlier ones have been pruned. */
  readonly firstKept: number;

  /** The block at a height, if it exists. */
  block(height: number): Block | undefined;

  /** One operation of the block at a height, in canonical form, if it exists. */
  operation(height: number, position: number): string | undefined;

  /** Bytes of the block's text (`blockText`), which is not read for it; undefined without block. */
  size(height: number): number | undefined;

  /**
   * All blocks from a height on, oldest first, including those added during the iteration. Throws
   * `InvalidBlock` if one is missing before later ones.
   */
  read(fromHeight: number): Iterable<Block>;

  /** Number of the newest block, -1 if there is none. */
  height(): number;
}

/** A block, by its number and id; height -1 with the id of no block before block 0. */
export interface BlockPlace {
  readonly height: number;
  readonly id: string;
}

/**
 * The log of blocks, the only durable shared part, with the node's copy of it. Only implementations
 * determine how blocks are stored. Source: ARCHITECTURE.md.
 */
export interface BlockLog extends StoredBlocks {
  /**
   * Stores a certain block after the newest one of the copy, in the caller's transaction, and
   * returns its row. Throws if the block is not the next.
   */
  append(block: Block): StoredBlock;

  /** Makes blocks durable before their transaction is committed; undefined where nothing does. */
  readonly redo?: RedoLog | undefined;
}

/** Why an engine stores no block, such as a full disk. */
export interface EngineTrouble {
  /** SQLSTATE, or `ROW_DROPPED`. */
  readonly code: string;
  /** The engine's message, for operators. */
  readonly reason: string;
}

/** In place of a SQLSTATE: the engine has reported no error, and has not kept the row. */
export const ROW_DROPPED = "dropped";

/** How a turn's block has ended. Source: cluster §3. */
export type Appended =
  /** It is in the log and stays there, and so does all that the turn has read. */
  | { readonly kind: "certain" }
  /** It is not in the log and never will be: the log has gone on without it, or may have. */
  | { readonly kind: "conflict"; readonly reason: string }
  /** It is not in the log and never will be: the engine refuses it, whatever other nodes do. */
  | ({ readonly kind: "refused" } & EngineTrouble)
  /** It may be in the log, now or later, until `SharedLog.settle` has found out. */
  | { readonly kind: "doubt"; readonly reason: string };

/**
 * The time in which this node alone may append. It is ended by exactly one of its methods.
 * Source: cluster §3.
 */
export interface Turn {
  /** The log's blocks after the given place, oldest first: visible, and not yet certain. */
  readonly blocks: readonly Block[];
  /** The log's clock, Unix seconds. */
  readonly now: number;
  /** Appends the block that follows the newest one of the turn. Never rejects. */
  append(block: Block): Promise<Appended>;
  /**
   * Releases the append lock without a block, by the barrier: resolves to true once the read
   * blocks, and the absence of others, are certain. Never rejects.
   */
  end(): Promise<boolean>;
  /** Gives the turn back, with nothing certain. Never rejects. */
  giveBack(): Promise<void>;
  /**
   * Ends the turn after it has found out whether the engine would store a block of this size: why
   * not, undefined if it would. Rejects with `LogUnavailable` where that is not known.
   */
  probe(block: Block): Promise<EngineTrouble | undefined>;
}

/** A log that others append to as well. Source: cluster §2 to §6. */
export interface SharedLog extends BlockLog {
  /**
   * Waits for the append lock, for a node whose newest block is at `place()` when it gets it.
   * Rejects with `LogUnavailable` in time, with `BehindLog` if too much is missing, or with
   * `Diverged`.
   */
  turn(options: { readonly place: () => BlockPlace; readonly timeoutMs: number }): Promise<Turn>;

  /**
   * Finds out whether a block in doubt is in the log; from then on it never comes in later. Rejects
   * with `LogUnavailable`, or with `Diverged`; then it is still in doubt.
   */
  settle(doubted: BlockPlace): Promise<"appended" | "absent">;

  /**
   * Certain blocks after a place, oldest first, as many as fit into one step; none if no more are
   * known to be certain. Rejects like `settle`.
   */
  next(place: BlockPlace): Promise<readonly Block[]>;

  /**
   * The log's newest block after the call has begun, once it is certain; `place` is the newest one
   * of this node. Rejects as `settle` does.
   */
  look(place: BlockPlace): Promise<BlockPlace>;

  /** Sets the callback for blocks that may have become certain. */
  onNews(call: () => void): void;

  readonly status: LogStatus;

  /** The turns that have ended since the last call, and how long each was waited for. */
  takeTurns(): readonly TurnMeasured[];

  close(): void;
}

/** The state of a shared log. */
export interface LogStatus {
  /** Time of its last response, by the monotonic clock, ms; undefined before the first. */
  readonly heardMs: number | undefined;
  /** The log's clock minus the node's, ms; undefined before the first response. */
  readonly clockOffsetMs: number | undefined;
  /** The log's clock minus the monotonic clock, ms; undefined before the first response. */
  readonly engineMs: number | undefined;
  /** 0 before the first certain block, and for logs without timelines. */
  readonly timeline: number;
  /** Why a restart would not know the timeline, such as a full disk. */
  readonly unkept: string | undefined;
  /** Why nothing may be written to it, such as a setting that it has; undefined if it may. */
  readonly unfit: string | undefined;
}

/** How long a turn was waited for and held, ms, and how it ended. */
export interface TurnMeasured {
  readonly waitMs: number;
  readonly lengthMs: number;
  readonly kind: Appended["kind"] | "barrier" | "uncertain" | "givenBack";
}

/** The log is not reachable or usable now; the message gives the reason for the operator. */
export class LogUnavailable extends Error {
  override readonly name: string = "LogUnavailable";

  /** The SQLSTATE with which the engine has refused; undefined if it was something else. */
  get code(): string | undefined {
    const { code } = (this.cause ?? {}) as { readonly code?: unknown };
    return typeof code === "string" && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
  }
}

/** The turn has come, but too many blocks are missing: the node has to catch up first. */
export class BehindLog extends Error {
  override readonly name: string = "BehindLog";
}

/**
 * The log's history has changed: at a height it has another block than this node, or none.
 * Source: cluster §6.
 */
export class Diverged extends Error {
  override readonly name: string = "Diverged";
  readonly height: number;
  /** The id that this node has there, and the log's; undefined if the log ends before. */
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
