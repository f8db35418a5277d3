import type { LedgerReader } from "@moneta/ledger";
import type { CheckpointNote } from "./checkpoint-notes.ts";

/** How many are kept: a reader may not see the blocks of the newest ones yet. */
const KEPT = 4;

/** The last checkpoints that this node knows of others, or has signed beside others. */
export class KeptCheckpoints<C extends CheckpointNote> {
  /** Newest first. */
  #kept: readonly C[] = [];

  add(checkpoint: C): void {
    this.#kept = [checkpoint, ...this.#kept].slice(0, KEPT);
  }

  /** Forgets all of them. */
  forget(): void {
    this.#kept = [];
  }

  get newest(): C | undefined {
    return this.#kept[0];
  }

  /** The newest one of what the reader sees. */
  seenBy(reader: LedgerReader): C | undefined {
    return this.#kept.find(({ height }) => height <= reader.height);
  }
}
