import { type BigIntStats, statSync } from "node:fs";
import { stat } from "node:fs/promises";
import type { WriteHold } from "../write-state.ts";
import { UNTIL_MENDED_SECONDS } from "../write-state.ts";

const GONE: ReadonlySet<string> = new Set(["ENOENT", "ENOTDIR"]);

/** SQLite reports no error for a removed or replaced file, and all writes are lost. */
export class LedgerFileWatch {
  readonly #file: string;
  readonly #opened: BigIntStats;
  readonly #onChange: (isGone: boolean) => void;
  #isGone = false;

  /** `file` is open. `onChange` is called when it disappears and when it is back. */
  constructor(file: string, onChange: (isGone: boolean) => void) {
    this.#file = file;
    this.#opened = statSync(file, { bigint: true });
    this.#onChange = onChange;
  }

  hold(): WriteHold | undefined {
    return this.#isGone
      ? {
          reason: "the ledger's file is no longer in the node's data directory",
          retryAfter: UNTIL_MENDED_SECONDS,
        }
      : undefined;
  }

  /** Call it periodically. */
  async look(): Promise<void> {
    const isGone = await this.#isElsewhere();
    if (isGone !== undefined && isGone !== this.#isGone) {
      this.#isGone = isGone;
      this.#onChange(isGone);
    }
  }

  /** Undefined if it cannot be determined, as on a failing disk. */
  async #isElsewhere(): Promise<boolean | undefined> {
    try {
      const { dev, ino } = await stat(this.#file, { bigint: true });
      return dev !== this.#opened.dev || ino !== this.#opened.ino;
    } catch (thrown) {
      return GONE.has((thrown as NodeJS.ErrnoException).code ?? "") ? true : undefined;
    }
  }
}
