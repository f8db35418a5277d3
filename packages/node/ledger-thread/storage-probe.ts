import { type Ledger, StorageFailure, type Time, type Unit } from "@moneta/ledger";
import type { StorageTrouble } from "./ledger-messages.ts";

/** Source: conventions §3. */
export const PROBE_EVERY_MS = 5000;
/** A probe has at least this size, and the space that a block may need. */
export const PROBE_BYTES_MIN = 256 * 1024;
const BYTES_PER_CHARACTER = 4;

export interface StorageProbeOptions {
  readonly ledger: Pick<Ledger, "probe">;
  readonly time: Time;
  /** Does work that changes the database. */
  readonly run: (work: () => void) => void;
  readonly onProbed: () => void;
}

/** Why no block can be stored, until a probe or another block is. */
export class StorageProbe {
  readonly #options: StorageProbeOptions;
  #failure: StorageTrouble | undefined;
  #timer: { cancel(): void } | undefined;

  constructor(options: StorageProbeOptions) {
    this.#options = options;
  }

  get failure(): StorageTrouble | undefined {
    return this.#failure;
  }

  /**
   * Probes for the space of `units`, because no write is accepted meanwhile that would show it.
   * Throws what is no `StorageFailure`.
   */
  note(thrown: unknown, units: readonly Unit[] = []): StorageTrouble {
    const length = units.flat().reduce((sum, text) => sum + text.length, 0);
    return this.#probeLater(thrown, Math.max(PROBE_BYTES_MIN, BYTES_PER_CHARACTER * length));
  }

  /** Once a block is stored. */
  end(): void {
    this.#failure = undefined;
    this.#timer?.cancel();
  }

  #probeLater(thrown: unknown, bytes: number): StorageTrouble {
    if (!(thrown instanceof StorageFailure)) {
      throw thrown;
    }
    const { time, run } = this.#options;
    this.#timer?.cancel();
    this.#timer = time.after(PROBE_EVERY_MS, () => run(() => this.#probe(bytes)));
    this.#failure = { reason: thrown.reason, detail: thrown.message };
    return this.#failure;
  }

  #probe(bytes: number): void {
    if (this.#failure === undefined) {
      return;
    }
    try {
      this.#options.ledger.probe(bytes);
      this.#failure = undefined;
    } catch (thrown) {
      this.#probeLater(thrown, bytes);
    }
    this.#options.onProbed();
  }
}
