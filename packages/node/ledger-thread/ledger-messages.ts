import type { MessagePort } from "node:worker_threads";
import type {
  Checkpointed,
  EngineTrouble,
  EngineUrlParts,
  Execution,
  KeepState,
  KeyVersions,
  Outcome,
  TurnMeasured,
  Unit,
  UnknownVersion,
} from "@moneta/ledger";
import type { PassedOnCheckpoint, SourceData } from "../follower/follower-messages.ts";

export interface LedgerThreadData {
  readonly file: string;
  /** The name of the file on a disk that takes no writes: the thread then only reads. */
  readonly immutableName?: string | undefined;
  /** For a missing block 0; undefined if none may be made. */
  readonly genesis:
    | { readonly operations: readonly string[]; readonly timestamp: number }
    | undefined;
  readonly verifyAtStart: "none" | "links";
  readonly keepState: KeepState;
  /** Whether a state tree follows the ledger. */
  readonly keepChanges: boolean;
  /** The log that other nodes append to, too; undefined for the local one. */
  readonly shared?: SharedLogData | undefined;
  /** The followed node; undefined for a node that writes. */
  readonly source?: SourceData | undefined;
  /**
   * Maximum of operations, and of their characters, to which batches are merged while the append
   * lock is awaited.
   */
  readonly operationsMax: number;
  readonly bytesMax: number;
}

/** A log in PostgreSQL. */
export interface SharedLogData {
  readonly url: EngineUrlParts;
  readonly schema: string;
  readonly turnMs: number;
  /** `--sync-seconds`, ms. */
  readonly syncMs: number;
  /** The file with the highest timeline. */
  readonly timelineFile: string;
  readonly deployment: "test" | "production";
  /** Difference of clocks at which writes are held, seconds; Infinity: never. */
  readonly clockTolerance: number;
  /** The node's clock before this start, Unix seconds; 0 if unknown. */
  readonly clockBefore: number;
  /** Ports on which other threads call the shared rows. */
  readonly rows: readonly MessagePort[];
}

/** Sent once the ledger is open. */
export interface Ready {
  /** Number of the newest block. */
  readonly height: number;
  /** A version of the rules that is announced or in force, and unknown to this software. */
  readonly unknownVersion: UnknownVersion | undefined;
}

/** Units, for one block if the log is local. */
export interface Batch {
  /** Batches are counted from 0. */
  readonly batch: number;
  readonly units: readonly Unit[];
  /** By index of the unit: the versions of the keys that verified it, unless all are 0. */
  readonly keyVersions?: { readonly [unit: number]: KeyVersions };
  /** The node's clock, Unix seconds. A shared log has its own. */
  readonly now: number;
  /** With a shared log: the deadline of each unit, by the monotonic clock, ms. */
  readonly deadlines?: readonly number[];
  /** With a shared log: the weight of each unit. */
  readonly counts?: readonly number[];
  /** Whether the load is high enough that the block may be only logged. */
  readonly mayLog?: boolean;
}

/**
 * To the ledger thread. `look` requests the newest block of a shared log after it was sent. `flush`
 * makes all blocks visible to readers; `isRead`: a request waits for that. `inTree`: the state tree
 * has the changes of the blocks up to one. `end` closes the ledger after the batches before it.
 */
export type ToLedger =
  | ({ readonly kind: "batch" } & Batch)
  | { readonly kind: "look"; readonly look: number }
  | { readonly kind: "flush"; readonly isRead: boolean }
  | { readonly kind: "inTree"; readonly height: number }
  | { readonly kind: "end" };

/** Consecutive units of a batch. */
export interface BatchPart {
  readonly batch: number;
  readonly from: number;
  readonly count: number;
}

/**
 * A text is the transaction id of a lone operation that was done: texts cross threads at half the
 * cost of objects.
 */
export type PostedOutcome = string | Outcome;

/** The outcomes of a block's units. */
export interface BatchResult extends Omit<Execution, "outcomes"> {
  readonly outcomes: readonly PostedOutcome[];
  /** The units of the outcomes, in order. */
  readonly parts: readonly BatchPart[];
  readonly unknownVersion: UnknownVersion | undefined;
  /** Why nothing could be stored. */
  readonly failure: StorageTrouble | undefined;
}

/** Why a block cannot be stored: for clients, and with file names for operators. */
export interface StorageTrouble {
  readonly reason: string;
  readonly detail: string;
}

/** The result of a WAL flush between two blocks. */
export type CheckpointResult = Checkpointed | { readonly failure: string };

/** The log's history has changed. Source: cluster §6. */
export interface Divergence {
  readonly height: number;
  readonly ours: string;
  /** Undefined if the log ends earlier. */
  readonly theirs: string | undefined;
}

/** The state of the followed log. */
export interface LogReport {
  /** Time of its last response, by the monotonic clock, ms. */
  readonly heardMs: number | undefined;
  /** The log's clock minus the node's, ms. */
  readonly clockOffsetMs: number | undefined;
  /** Ledger time minus the monotonic clock, ms, by the log's clock if it is trusted. */
  readonly ledgerMs: number | undefined;
  /** Why the clocks prevent this node from writing. */
  readonly clockHold: string | undefined;
  readonly timeline: number;
  /** Why a restart would not know the timeline. */
  readonly unkept: string | undefined;
  /** Why nothing may be written to it, such as one of its settings. */
  readonly unfit: string | undefined;
  /** The newest block seen in the log; -1 before the first look. */
  readonly logHeight: number;
  /** Whether the node has had all blocks of the log at some time. */
  readonly hasCaughtUp: boolean;
  /** Why no block is taken or appended now, for the operator. */
  readonly trouble: string | undefined;
  /** The SQLSTATE of `trouble`, if the engine refused. */
  readonly troubleCode: string | undefined;
  readonly diverged: Divergence | undefined;
  /** The block that violates the rules, and why. */
  readonly refused: string | undefined;
  /** Why this node cannot store a block of the log, such as its own full disk. */
  readonly unstored: StorageTrouble | undefined;
  /** Why the engine stores no block of this node, until a probe succeeds. */
  readonly engine: EngineTrouble | undefined;
  readonly isInDoubt: boolean;
  /** Whether a COMMIT has not been confirmed for `--sync-seconds`. */
  readonly isSlow: boolean;
  /** Since the last report. */
  readonly turns: readonly TurnMeasured[];
  readonly conflicts: number;
  readonly doubts: { readonly appended: number; readonly absent: number };
}

/** Before the first response of the log. */
export const EMPTY_REPORT: LogReport = {
  heardMs: undefined,
  clockOffsetMs: undefined,
  ledgerMs: undefined,
  clockHold: undefined,
  timeline: 0,
  unkept: undefined,
  unfit: undefined,
  logHeight: -1,
  hasCaughtUp: false,
  trouble: undefined,
  troubleCode: undefined,
  diverged: undefined,
  refused: undefined,
  unstored: undefined,
  engine: undefined,
  isInDoubt: false,
  isSlow: false,
  turns: [],
  conflicts: 0,
  doubts: { appended: 0, absent: 0 },
};

/** From the ledger thread while the ledger is open. */
export type FromOpenLedger =
  | ({ readonly kind: "result" } & BatchResult)
  /** Units whose deadline has passed: they are refused, or in doubt. */
  | ({ readonly kind: "expired" } & Pick<BatchResult, "outcomes" | "parts">)
  /** Blocks of other nodes, or blocks that were only logged, can be read. */
  | ({ readonly kind: "followed" } & Ready)
  /** The log's height after a `look`, which the views have; undefined if it is unknown. */
  | { readonly kind: "looked"; readonly look: number; readonly height: number | undefined }
  | ({ readonly kind: "log" } & LogReport)
  /** Of the followed node. */
  | { readonly kind: "passedOn"; readonly checkpoint: PassedOnCheckpoint }
  | { readonly kind: "checkpoint"; readonly result: CheckpointResult }
  /** Whether blocks can be stored again after a failure. */
  | { readonly kind: "storage"; readonly failure: StorageTrouble | undefined };

/**
 * From the ledger thread. After `syncFailed` it stands still and closes nothing: the process must
 * end.
 */
export type FromLedger =
  | FromOpenLedger
  | ({ readonly kind: "ready" } & Ready)
  | { readonly kind: "syncFailed"; readonly message: string };
