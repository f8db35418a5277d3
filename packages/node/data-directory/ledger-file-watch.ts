import { type BigIntStats, statSync } from "node:fs";
import { stat } from "node:fs/promises";
import type { WriteHold } from "../write-state.ts";
import { UNTIL_MENDED_SECONDS } from "../write-state.ts";

/** What says for certain that the file is not where it was. */
const GONE: ReadonlySet<string> = new Set(["ENOENT", "ENOTDIR"]);

/**
 * Notices that the ledger's file was removed, moved or replaced while the node has it open. SQLite
 * goes on without an error, and all that it writes ends with the process.
 */
export class LedgerFileWatch {
  readonly #file: string;
  readonly #opened: BigIntStats;
  readonly #onChange: (isGone: boolean) => void;
  #isGone = false;

  /** `file` is there, and open. `onChange` is called when it goes and when it is back. */
  constructor(file: string, onChange: (isGone: boolean) => void) {
    this.#file = file;
    this.#opened = statSync(file, { bigint: true });
    this.#onChange = onChange;
  }

  /** Why nothing may be written, undefined if the file is in its place. */
  hold(): WriteHold | undefined {
    return this.#isGone
      ? {
          reason: "the ledger's file is no longer in the node's data directory",
          retryAfter: UNTIL_MENDED_SECONDS,
        }
      : undefined;
  }

  /** Looks at the place of the file. To be called from time to time. */
  async look(): Promise<void> {
    const isGone = await this.#isElsewhere();
    if (isGone !== undefined && isGone !== this.#isGone) {
      this.#isGone = isGone;
      this.#onChange(isGone);
    }
  }

  /** Undefined if that cannot be told, as on a disk that fails. */
  async #isElsewhere(): Promise<boolean | undefined> {
    try {
      const { dev, ino } = await stat(this.#file, { bigint: true });
      return dev !== this.#opened.dev || ino !== this.#opened.ino;
    } catch (thrown) {
      return GONE.has((thrown as NodeJS.ErrnoException).code ?? "") ? true : undefined;
    }
  }
}
