import type { LedgerReader } from "@moneta/ledger";
import type { CheckpointNote, CheckpointNotes } from "../checkpoint-notes.ts";
import type { PassedOnCheckpoint } from "./follower-messages.ts";

/**
 * How many are kept: a checkpoint arrives before the blocks that it covers, and a reader may see
 * those of one before it.
 */
const KEPT = 4;

/** Checkpoints of the node that is followed, each found right. Source: cluster §8. */
export class PassedOnCheckpoints implements CheckpointNotes {
  readonly prepare = undefined;
  /** Newest first. */
  #kept: readonly PassedOnCheckpoint[] = [];

  take(checkpoint: PassedOnCheckpoint): void {
    this.#kept = [checkpoint, ...this.#kept].slice(0, KEPT);
  }

  get verifierKeys(): readonly string[] {
    return this.#kept[0]?.keys ?? [];
  }

  get signedSize(): number {
    return this.#kept[0]?.size ?? 0;
  }

  newestSize(reader: LedgerReader): number | undefined {
    return this.newest(reader)?.size;
  }

  newest(reader: LedgerReader): CheckpointNote | undefined {
    return this.#kept.find(({ height }) => height <= reader.height);
  }
}
