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
  /** What the file is opened under where the disk takes no writes: the thread then only reads. */
  readonly immutableName?: string | undefined;
  /** For block 0, if there is none; undefined where none may be made. */
  readonly genesis:
    | { readonly operations: readonly string[]; readonly timestamp: number }
    | undefined;
  readonly verifyAtStart: "none" | "links";
  readonly keepState: KeepState;
  /** Whether a state tree follows the ledger. */
  readonly keepChanges: boolean;
  /** The log that other nodes append to, too; undefined for the local one. */
  readonly shared?: SharedLogData | undefined;
  /** The node that is followed; undefined for one that writes. */
  readonly source?: SourceData | undefined;
  /** Most operations, and their characters, that batches are merged to while a turn is awaited. */
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
  /** Where the highest timeline is remembered. */
  readonly timelineFile: string;
  readonly deployment: "test" | "production";
  /** How far clocks may be apart before writes are held, seconds; Infinity: they never are. */
  readonly clockTolerance: number;
  /** What the node's clock showed before this start, Unix seconds; 0 if that is not known. */
  readonly clockBefore: number;
  /** Where other threads call the rows that the cluster shares. */
  readonly rows: readonly MessagePort[];
}

/** What it sends once the ledger is open. */
export interface Ready {
  /** Number of the newest block. */
  readonly height: number;
  /** A version of the rules that is announced or in force, and that this software does not know. */
  readonly unknownVersion: UnknownVersion | undefined;
}

/** Units, for one block if the log is local. */
export interface Batch {
  /** Batches are counted from 0. */
  readonly batch: number;
  readonly units: readonly Unit[];
  /** By the places of units: the versions of the keys that verified them, where they are not all 0. */
  readonly keyVersions?: { readonly [unit: number]: KeyVersions };
  /** The node's clock, Unix seconds. A shared log has its own. */
  readonly now: number;
  /** With a shared log: until when each may wait, by the monotonic clock, ms. */
  readonly deadlines?: readonly number[];
  /** Of each unit, how many operations it counts as; with a shared log only. */
  readonly counts?: readonly number[];
  /** Whether there is so much to do that the block may be logged alone. */
  readonly mayLog?: boolean;
}

/**
 * What the main thread sends. `look` asks for the newest block that a shared log had after it was
 * sent. `flush` asks that readers see all blocks; `isRead`: a request waits for that. `inTree`:
 * the state tree has what the blocks up to one have changed. `end` closes
 * the ledger after the batches before it.
 */
export type ToLedger =
  | ({ readonly kind: "batch" } & Batch)
  | { readonly kind: "look"; readonly look: number }
  | { readonly kind: "flush"; readonly isRead: boolean }
  | { readonly kind: "inTree"; readonly height: number }
  | { readonly kind: "end" };

/** Units of a batch that outcomes are of, which follow each other. */
export interface BatchPart {
  readonly batch: number;
  readonly from: number;
  readonly count: number;
}

/**
 * The text is the transaction id of a lone operation that was done: texts cross threads at half the
 * cost of objects.
 */
export type PostedOutcome = string | Outcome;

/** The outcomes of a block's units. */
export interface BatchResult extends Omit<Execution, "outcomes"> {
  readonly outcomes: readonly PostedOutcome[];
  /** What the outcomes are of, in their order. */
  readonly parts: readonly BatchPart[];
  readonly unknownVersion: UnknownVersion | undefined;
  /** Why nothing could be stored, undefined if it could. */
  readonly failure: StorageTrouble | undefined;
}

/** Why a block cannot be stored: for clients, and with the names of files for operators. */
export interface StorageTrouble {
  readonly reason: string;
  readonly detail: string;
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
  /** Ledger time minus the monotonic clock, ms, by the log's clock as far as it is trusted. */
  readonly ledgerMs: number | undefined;
  /** Why the clocks keep this node from writing; undefined if they do not. */
  readonly clockHold: string | undefined;
  readonly timeline: number;
  /** Why a restart would not know the timeline; undefined if it would. */
  readonly unkept: string | undefined;
  /** Why nothing may be written to it, such as a setting that it has; undefined if it may. */
  readonly unfit: string | undefined;
  /** The newest block that was seen in the log; -1 before the first look. */
  readonly logHeight: number;
  /** Whether the node has had all blocks of the log once. */
  readonly hasCaughtUp: boolean;
  /** Why nothing is taken from it or appended to it now, for the operator. */
  readonly trouble: string | undefined;
  /** The SQLSTATE of that, if it is a refusal of the engine. */
  readonly troubleCode: string | undefined;
  readonly diverged: Divergence | undefined;
  /** The block that does not follow from the rules, and why. */
  readonly refused: string | undefined;
  /** Why this node cannot store a block that is in the log, such as a full disk of its own. */
  readonly unstored: StorageTrouble | undefined;
  /** Why the engine stores no block of this node, until a probe finds that it would. */
  readonly engine: EngineTrouble | undefined;
  /** Whether a block is in doubt now. */
  readonly isInDoubt: boolean;
  /** Whether a COMMIT has not been confirmed for `--sync-seconds`. */
  readonly isSlow: boolean;
  /** Since the last report. */
  readonly turns: readonly TurnMeasured[];
  readonly conflicts: number;
  readonly doubts: { readonly appended: number; readonly absent: number };
}

/** Before the first answer of the log. */
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

/** What the ledger thread sends while the ledger is open. */
export type FromOpenLedger =
  | ({ readonly kind: "result" } & BatchResult)
  /** Units that have waited too long: they are refused, or in doubt. */
  | ({ readonly kind: "expired" } & Pick<BatchResult, "outcomes" | "parts">)
  /** Others' blocks, or those that were logged alone, can be read. */
  | ({ readonly kind: "followed" } & Ready)
  /** The log's height after a `look`, which the views have; undefined if it was not found out. */
  | { readonly kind: "looked"; readonly look: number; readonly height: number | undefined }
  | ({ readonly kind: "log" } & LogReport)
  /** Of the node that is followed. */
  | { readonly kind: "passedOn"; readonly checkpoint: PassedOnCheckpoint }
  | { readonly kind: "checkpoint"; readonly result: CheckpointResult }
  /** Whether blocks can be stored again, after one could not. */
  | { readonly kind: "storage"; readonly failure: StorageTrouble | undefined };

/**
 * All that it sends. After `syncFailed` it stands still and closes nothing: the process has to end.
 */
export type FromLedger =
  | FromOpenLedger
  | ({ readonly kind: "ready" } & Ready)
  | { readonly kind: "syncFailed"; readonly message: string };
