import { SYSTEM_TIME } from "@moneta/ledger";
import type { LogReport } from "./ledger-thread/ledger-messages.ts";

/** After so many ms without an answer from the log, answers say how old they are. */
const FRESH_MS = 5000;

/** What a node knows of a log that is not its own alone. Source: cluster §4, §8. */
export class LogState {
  readonly #staleMs: number;
  readonly #nowMs: () => number;
  #report: LogReport | undefined;

  /** `staleSeconds` after its last answer from the log a node is not ready any more. */
  constructor(staleSeconds: number, nowMs: () => number = SYSTEM_TIME.nowMs) {
    this.#staleMs = staleSeconds * 1000;
    this.#nowMs = nowMs;
  }

  take(report: LogReport): void {
    this.#report = report;
  }

  /** What is wrong, for the operator. */
  get trouble(): string | undefined {
    return this.#report?.trouble;
  }

  /** How long the log has not been heard from, s; undefined while it is. */
  get ageSeconds(): number | undefined {
    const heardMs = this.#report?.heardMs;
    // Without any answer it is as old as the process, or older.
    const ageMs = this.#nowMs() - (heardMs ?? 0);
    return ageMs <= FRESH_MS ? undefined : Math.floor(ageMs / 1000);
  }

  /** Why reads must not be served, undefined if they may. */
  get notReady(): string | undefined {
    const { hasCaughtUp = false, heardMs, trouble = "" } = this.#report ?? {};
    const because = trouble === "" ? "" : `: ${trouble}`;
    if (!hasCaughtUp || heardMs === undefined) {
      return `The node has not caught up with its log yet${because}`;
    }
    return this.#nowMs() - heardMs > this.#staleMs
      ? `The node has not heard from its log for ${this.ageSeconds} s${because}`
      : undefined;
  }
}
