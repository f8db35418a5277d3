import type { LedgerReader } from "@moneta/ledger";
import type { CheckpointNote, CheckpointNotes } from "../checkpoint-notes.ts";
import { KeptCheckpoints } from "../kept-checkpoints.ts";
import type { PassedOnCheckpoint } from "./follower-messages.ts";

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
