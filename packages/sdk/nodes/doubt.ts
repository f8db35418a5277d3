import type { Problem } from "@moneta/protocol/client";
import { UnansweredError } from "./errors.ts";

/** How long a write in doubt is repeated: longer than an engine takes to fail over, ms. */
const PATIENCE_MS = 120_000;

/** The node cannot tell yet whether the ledger has the write. Source: cluster §3. */
const IN_DOUBT = "9004";

/** Whether a refusal leaves the outcome of a write open. */
export function isDoubt({ code }: { readonly code: string }): boolean {
  return code === IN_DOUBT;
}

/** What to throw where a write has stayed in doubt. */
export function unresolved(problem: Error): UnansweredError {
  return new UnansweredError(problem.message, { mayHaveHappened: true, cause: problem });
}

/** For how long a write is repeated that nodes have been in doubt about. */
export class Doubt {
  #untilMs = 0;

  note(problem: Pick<Problem, "code"> | undefined): void {
    if (problem !== undefined && isDoubt(problem)) {
      this.#untilMs ||= Date.now() + PATIENCE_MS;
    }
  }

  /** Whether there is one that is worth another attempt. */
  get isOpen(): boolean {
    return Date.now() < this.#untilMs;
  }
}
