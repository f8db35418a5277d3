import type { MessagePort } from "node:worker_threads";
import type {
  CheckpointResult,
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
import type { Address } from "@moneta/protocol";
import type { PassedOnCheckpoint, SourceData } from "../follower/follower-messages.ts";

export interface LedgerThreadData {
  readonly file: string;
  /** On a disk that takes no writes: the thread then only reads. */
  readonly immutableName?: string | undefined;
  /** Undefined if no block 0 may be made. */
  readonly genesis:
    | { readonly operations: readonly string[]; readonly timestamp: number }
    | undefined;
  readonly verifyAtStart: "none" | "links";
  readonly keepState: KeepState;
  readonly keepChanges: boolean;
  readonly shared?: SharedLogData | undefined;
  readonly source?: SourceData | undefined;
  /** To which batches are merged while the append lock is awaited. */
  readonly operationsMax: number;
  readonly bytesMax: number;
}

export interface SharedLogData {
  readonly url: EngineUrlParts;
  readonly schema: string;
  readonly turnMs: number;
  readonly syncMs: number;
  /** The file with the highest timeline. */
  readonly timelineFile: string;
  readonly deployment: "test" | "production";
  /** Seconds of difference at which writes are held; Infinity: never. */
  readonly clockTolerance: number;
  /** Unix seconds; 0 if unknown. */
  readonly clockBefore: number;
  readonly rows: readonly MessagePort[];
}

export interface Ready {
  readonly height: number;
  readonly unknownVersion: UnknownVersion | undefined;
}

export interface Batch {
  /** Counted from 0. */
  readonly batch: number;
  readonly units: readonly Unit[];
  /** By index of the unit: the key versions that verified it, unless all are 0. */
  readonly keyVersions?: { readonly [unit: number]: KeyVersions };
  /** Of committed blocks, so that the ledger thread need not look them up again. */
  readonly addressNumbers?: ReadonlyMap<Address, number> | undefined;
  /** Unix seconds. A shared log has its own clock. */
  readonly now: number;
  /** With a shared log: by unit, by the monotonic clock, ms. */
  readonly deadlines?: readonly number[];
  /** With a shared log: the weight of each unit. */
  readonly counts?: readonly number[];
  /** Under high load the block may be only logged. */
  readonly mayLog?: boolean;
}

/** `isRead`: a request waits. `inTree`: height of the state tree. `end`: after earlier batches. */
export type ToLedger =
  | ({ readonly kind: "batch" } & Batch)
  | { readonly kind: "look"; readonly look: number }
  | { readonly kind: "flush"; readonly isRead: boolean }
  | { readonly kind: "inTree"; readonly height: number }
  | { readonly kind: "end" };

export interface BatchPart {
  readonly batch: number;
  readonly from: number;
  readonly count: number;
}

/** A lone operation's transaction id: texts cross threads at half the cost. */
export type PostedOutcome = string | Outcome;

export interface BatchResult extends Omit<Execution, "outcomes"> {
  readonly outcomes: readonly PostedOutcome[];
  readonly parts: readonly BatchPart[];
  readonly unknownVersion: UnknownVersion | undefined;
  readonly failure: StorageTrouble | undefined;
}

/** `reason` is for clients, the other for operators. */
export interface StorageTrouble {
  readonly reason: string;
  readonly detail: string;
}

/** The log's history has changed. Source: cluster §6. */
export interface Divergence {
  readonly height: number;
  readonly ours: string;
  /** Undefined if the log ends earlier. */
  readonly theirs: string | undefined;
}

export interface LogReport {
  /** Its last response, by the monotonic clock, ms. */
  readonly heardMs: number | undefined;
  /** The log's clock minus the node's, ms. */
  readonly clockOffsetMs: number | undefined;
  /** Minus the monotonic clock, ms; by the log's clock if trusted. */
  readonly ledgerMs: number | undefined;
  readonly clockHold: string | undefined;
  readonly timeline: number;
  /** Why a restart would not know the timeline. */
  readonly unkept: string | undefined;
  /** Such as one of its settings. */
  readonly unfit: string | undefined;
  /** -1 before the first look. */
  readonly logHeight: number;
  /** At some time. */
  readonly hasCaughtUp: boolean;
  /** Why no block is taken or appended now, for the operator. */
  readonly trouble: string | undefined;
  /** The SQLSTATE of `trouble`, if the engine refused. */
  readonly troubleCode: string | undefined;
  readonly diverged: Divergence | undefined;
  /** The block that violates the rules, and why. */
  readonly refused: string | undefined;
  /** Why this node cannot store a block, such as its own full disk. */
  readonly unstored: StorageTrouble | undefined;
  /** Why the engine stores no block, until a probe succeeds. */
  readonly engine: EngineTrouble | undefined;
  readonly isInDoubt: boolean;
  /** No confirmation for `--sync-seconds`. */
  readonly isSlow: boolean;
  /** Since the last report. */
  readonly turns: readonly TurnMeasured[];
  readonly conflicts: number;
  readonly doubts: { readonly appended: number; readonly absent: number };
}

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

export type FromOpenLedger =
  | ({ readonly kind: "result" } & BatchResult)
  /** They are refused, or in doubt. */
  | ({ readonly kind: "expired" } & Pick<BatchResult, "outcomes" | "parts">)
  /** Blocks of other nodes, or only logged ones, can be read. */
  | ({ readonly kind: "followed" } & Ready)
  /** After a `look`: a height that the views have; undefined if unknown. */
  | { readonly kind: "looked"; readonly look: number; readonly height: number | undefined }
  | ({ readonly kind: "log" } & LogReport)
  | { readonly kind: "passedOn"; readonly checkpoint: PassedOnCheckpoint }
  | { readonly kind: "checkpoint"; readonly result: CheckpointResult }
  /** Undefined once blocks can be stored again. */
  | { readonly kind: "storage"; readonly failure: StorageTrouble | undefined };

/** After `syncFailed` it stops and closes nothing: the process must end. */
export type FromLedger =
  | FromOpenLedger
  | ({ readonly kind: "ready" } & Ready)
  | { readonly kind: "syncFailed"; readonly message: string };
