import type { Problem } from "@moneta/protocol/client";
import { ProblemError, UnansweredError } from "./errors.ts";
import type { Nodes } from "./nodes.ts";

/** What is retried, and how often at each node. */
interface Retrying {
  readonly nodes: Nodes;
  readonly retries: number;
}

/** How long a write in doubt is repeated: longer than an engine takes to fail over, ms. */
const PATIENCE_MS = 120_000;

/**
 * The node cannot tell yet whether the ledger has the write, or had a fault in the midst of it.
 * Source: cluster §3, conventions §3.
 */
const IN_DOUBT = /^9(004|500)$/;

/** Whether a refusal leaves the outcome of a write open. */
export function isDoubt({ code }: { readonly code: string }): boolean {
  return IN_DOUBT.test(code);
}

/**
 * What an error means for a write, which may have been done before if it was in doubt: what nodes say
 * of themselves, and an expired key, do not show that it was not.
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

/** For how long a write is repeated that nodes have been in doubt about. */
export class Doubt {
  #untilMs = 0;

  note(problem: Pick<Problem, "code"> | undefined): void {
    if (problem !== undefined && isDoubt(problem)) {
      this.#untilMs ||= Date.now() + PATIENCE_MS;
    }
  }

  /** Whether so many attempts are enough: no doubt is worth another one. */
  isSpent(attempts: number, { nodes, retries }: Retrying): boolean {
    return attempts > retries * nodes.urls.length && Date.now() >= this.#untilMs;
  }
}
