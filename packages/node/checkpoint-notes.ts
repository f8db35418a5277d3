import type { LedgerReader } from "@moneta/ledger";
import type { Fault } from "@moneta/protocol";

/** A signed checkpoint. Source: chain §12. */
export interface CheckpointNote {
  readonly note: string;
  /** Transactions that it covers, and the block that ends with them. */
  readonly size: number;
  readonly height: number;
}

/** The checkpoints that a node shows: its own, or passed on from another one that has signed them. */
export interface CheckpointNotes {
  /** The keys that verify them, newest first. */
  readonly verifierKeys: readonly string[];
  /** Transactions in the newest one that has been signed; 0 without one. */
  readonly signedSize: number;
  /**
   * Finds out what `newest` has to show, where others sign as well; undefined where nobody does. It
   * resolves to why that cannot be shown.
   */
  readonly prepare: (() => Promise<Fault | undefined>) | undefined;
  /** How many transactions `newest` would cover: nothing is signed for it. */
  newestSize(reader: LedgerReader): number | undefined;
  /** What is wrong with the newest one of others, which is not shown therefore. */
  readonly refused: string | undefined;
  /** Why there is none where there is none, without a full stop. */
  readonly whyNone: string;
  /** The newest one of what the reader sees, undefined if there is none yet. */
  newest(reader: LedgerReader): CheckpointNote | undefined;
}
