import type {
  BlockPlace,
  Checkpointed,
  Execution,
  GroupOutcome,
  Outcome,
  Unit,
  UnknownVersion,
} from "@moneta/ledger";
import type { PassedOnCheckpoint, SourceData } from "../follower/follower-messages.ts";

/** What the ledger thread starts with. */
export interface LedgerThreadData {
  readonly file: string;
  /** For block 0, if there is none; undefined where none may be made. */
  readonly genesis:
    | { readonly operations: readonly string[]; readonly timestamp: number }
    | undefined;
  readonly verifyAtStart: "none" | "links";
  /** The node that is followed; undefined for one that writes. */
  readonly source?: SourceData | undefined;
}

/** What it sends once the ledger is open. */
export interface Ready {
  /** Number of the newest block. */
  readonly height: number;
  /** A version of the rules that is announced or in force, and that this software does not know. */
  readonly unknownVersion: UnknownVersion | undefined;
}

/** Operations and groups for one block, with the clock's time in Unix seconds. */
export interface Batch {
  readonly units: readonly Unit[];
  readonly now: number;
}

/** What the main thread sends. `end` closes the ledger after the batches before it. */
export type ToLedger = ({ readonly kind: "batch" } & Batch) | { readonly kind: "end" };

/** The outcomes of a batch, in its order. */
export interface BatchResult extends Omit<Execution, "outcomes"> {
  /**
   * A text is the transaction id of an operation that was done: texts cross threads at half the
   * cost of objects.
   */
  readonly outcomes: readonly (string | Outcome | GroupOutcome)[];
  readonly unknownVersion: UnknownVersion | undefined;
  /** Why nothing could be stored, undefined if it could. */
  readonly failure: string | undefined;
}

/** The result of copying the log of changes into the database, between two blocks. */
export type CheckpointResult = Checkpointed | { readonly failure: string };

/** The log is not what it was. Source: cluster §6. */
export interface Divergence {
  readonly height: number;
  readonly ours: string;
  /** Undefined if the log ends before. */
  readonly theirs: string | undefined;
}

/** What the node knows of the log that it follows. */
export interface LogReport {
  /** When it last had an answer, by the monotonic clock, ms; undefined before the first. */
  readonly heardMs: number | undefined;
  /** The log's clock minus the node's, ms. */
  readonly clockOffsetMs: number | undefined;
  readonly timeline: number;
  /** The newest block that was seen in the log; -1 before the first look. */
  readonly logHeight: number;
  /** Whether the node has had all blocks of the log once. */
  readonly hasCaughtUp: boolean;
  /** Why nothing is taken from it or appended to it now, for the operator. */
  readonly trouble: string | undefined;
  readonly diverged: Divergence | undefined;
  /** The block that the rules do not come to, and why. */
  readonly refused: string | undefined;
}

/** Others' blocks can be read. */
export interface Followed extends Ready {
  readonly place: BlockPlace;
}

/** What the ledger thread sends while the ledger is open. */
export type FromOpenLedger =
  | ({ readonly kind: "result" } & BatchResult)
  | ({ readonly kind: "followed" } & Followed)
  | ({ readonly kind: "log" } & LogReport)
  | { readonly kind: "passedOn"; readonly checkpoint: PassedOnCheckpoint }
  | { readonly kind: "checkpoint"; readonly result: CheckpointResult };

/**
 * All that it sends. After `syncFailed` it stands still and closes nothing: the process has to end.
 */
export type FromLedger =
  | FromOpenLedger
  | ({ readonly kind: "ready" } & Ready)
  | { readonly kind: "syncFailed"; readonly message: string };
