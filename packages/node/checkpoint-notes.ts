import type { LedgerReader } from "@moneta/ledger";
import type { Fault } from "@moneta/protocol";
import type { PassedOnCheckpoint } from "./follower/follower-messages.ts";

/** Source: chain §12. */
export interface CheckpointNote {
  readonly note: string;
  /** Transactions that it covers, and the block that ends with them. */
  readonly size: number;
  readonly height: number;
}

export interface CheckpointNotes {
  /** Newest first. */
  readonly verifierKeys: readonly string[];
  /** Transactions; 0 without one. */
  readonly signedSize: number;
  /** If other nodes sign as well: finds the checkpoint for `newest`, or a fault. */
  readonly prepare: (() => Promise<Fault | undefined>) | undefined;
  /** Signs nothing. */
  newestSize(reader: LedgerReader): number | undefined;
  readonly refused: string | undefined;
  /** Why there is none, without a full stop. */
  readonly whyNone: string;
  newest(reader: LedgerReader): CheckpointNote | undefined;
}

/** A reader may not see the blocks of the newest ones yet. */
const KEPT = 4;

export class KeptCheckpoints<C extends CheckpointNote> {
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

  seenBy(reader: LedgerReader): C | undefined {
    return this.#kept.find(({ height }) => height <= reader.height);
  }
}

/** Verified checkpoints of the followed node. Source: cluster §8. */
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
