import type { LedgerReader } from "@moneta/ledger";
import type { Fault } from "@moneta/protocol";
import type { PassedOnCheckpoint } from "./follower/follower-messages.ts";

/** A signed checkpoint. Source: chain §12. */
export interface CheckpointNote {
  readonly note: string;
  /** Transactions that it covers, and the block that ends with them. */
  readonly size: number;
  readonly height: number;
}

/** The checkpoints that a node shows: its own, or those of other nodes. */
export interface CheckpointNotes {
  /** The keys that verify them, newest first. */
  readonly verifierKeys: readonly string[];
  /** Transactions in the newest signed one; 0 without one. */
  readonly signedSize: number;
  /**
   * Finds the checkpoint that `newest` has to show, if other nodes sign as well; undefined
   * otherwise. It resolves to a fault if that checkpoint cannot be shown.
   */
  readonly prepare: (() => Promise<Fault | undefined>) | undefined;
  /** Number of transactions that `newest` would cover; nothing is signed. */
  newestSize(reader: LedgerReader): number | undefined;
  /** The fault of the newest one of other nodes, which is therefore not shown. */
  readonly refused: string | undefined;
  /** Why there is none, without a full stop. */
  readonly whyNone: string;
  /** The newest one of the blocks that the reader sees, if any. */
  newest(reader: LedgerReader): CheckpointNote | undefined;
}

/** Number kept, because a reader may not see the blocks of the newest ones yet. */
const KEPT = 4;

/** The last checkpoints of other nodes, or of this one beside others. */
export class KeptCheckpoints<C extends CheckpointNote> {
  /** Newest first. */
  #kept: readonly C[] = [];

  add(checkpoint: C): void {
    this.#kept = [checkpoint, ...this.#kept].slice(0, KEPT);
  }

  forget(): void {
    this.#kept = [];
  }

  get newest(): C | undefined {
    return this.#kept[0];
  }

  /** The newest one of the blocks that the reader sees. */
  seenBy(reader: LedgerReader): C | undefined {
    return this.#kept.find(({ height }) => height <= reader.height);
  }
}

/** Verified checkpoints of the node that is followed. Source: cluster §8. */
export class PassedOnCheckpoints implements CheckpointNotes {
  readonly prepare = undefined;
  readonly refused = undefined;
  readonly whyNone =
    "This node passes on the checkpoints of the node that it follows, which has shown none yet";
  /** A checkpoint arrives before the blocks that it covers. */
  readonly #kept = new KeptCheckpoints<PassedOnCheckpoint>();

  take(checkpoint: PassedOnCheckpoint): void {
    this.#kept.add(checkpoint);
  }

  get verifierKeys(): readonly string[] {
    return this.#kept.newest?.keys ?? [];
  }

  get signedSize(): number {
    return this.#kept.newest?.size ?? 0;
  }

  newestSize(reader: LedgerReader): number | undefined {
    return this.newest(reader)?.size;
  }

  newest(reader: LedgerReader): CheckpointNote | undefined {
    return this.#kept.seenBy(reader);
  }
}
