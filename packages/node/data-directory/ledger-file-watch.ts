import { type BigIntStats, statSync } from "node:fs";
import { stat } from "node:fs/promises";
import type { WriteHold } from "../write-state.ts";
import { UNTIL_MENDED_SECONDS } from "../write-state.ts";

/** Codes that prove that the file is no longer in its place. */
const GONE: ReadonlySet<string> = new Set(["ENOENT", "ENOTDIR"]);

/**
 * Detects that the ledger's open file was removed, moved or replaced. SQLite reports no error, and
 * everything that it writes is lost with the process.
 */
export class LedgerFileWatch {
  readonly #file: string;
  readonly #opened: BigIntStats;
  readonly #onChange: (isGone: boolean) => void;
  #isGone = false;

  /** `file` exists and is open. `onChange` is called when it disappears and when it is back. */
  constructor(file: string, onChange: (isGone: boolean) => void) {
    this.#file = file;
    this.#opened = statSync(file, { bigint: true });
    this.#onChange = onChange;
  }

  /** Why nothing may be written; undefined if the file is in its place. */
  hold(): WriteHold | undefined {
    return this.#isGone
      ? {
          reason: "the ledger's file is no longer in the node's data directory",
          retryAfter: UNTIL_MENDED_SECONDS,
        }
      : undefined;
  }

  /** Checks the place of the file; call it periodically. */
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
