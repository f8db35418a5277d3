import type { Problem } from "@moneta/protocol/client";
import { ProblemError, UnansweredError } from "./errors.ts";
import type { Nodes } from "./nodes.ts";

interface Retrying {
  readonly nodes: Nodes;
  readonly retries: number;
}

/** How long a write in doubt is repeated, ms: longer than an engine takes to fail over. */
const PATIENCE_MS = 120_000;

/**
 * The node does not know yet whether the ledger has the write, or failed during it. Source: cluster
 * §3, conventions §3.
 */
const IN_DOUBT = /^9(004|500)$/;

/** Whether a refusal leaves the outcome of a write open. */
export function isDoubt({ code }: { readonly code: string }): boolean {
  return IN_DOUBT.test(code);
}

/**
 * The error to report for a write that may have been done if it was in doubt. A node's own state or
 * an expired key does not show that it was not done.
 */
export function meaningOf<E>(error: E, wasInDoubt: boolean): E | UnansweredError {
  const saysNothing =
    error instanceof ProblemError
      ? /^9|^2020$/.test(error.code)
      : error instanceof UnansweredError && !error.mayHaveHappened;
  return wasInDoubt && saysNothing
    ? new UnansweredError(`It may have been done already: ${(error as Error).message}`, {
        mayHaveHappened: true,
        cause: error,
      })
    : error;
}

/** The time for which a write in doubt is repeated. */
export class Doubt {
  #untilMs = 0;

  note(problem: Pick<Problem, "code"> | undefined): void {
    if (problem !== undefined && isDoubt(problem)) {
      this.#untilMs ||= Date.now() + PATIENCE_MS;
    }
  }

  /** Whether the attempts are used up and no doubt is open. */
  isSpent(attempts: number, { nodes, retries }: Retrying): boolean {
    return attempts > retries * nodes.urls.length && Date.now() >= this.#untilMs;
  }
}
