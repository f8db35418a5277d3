import type { Problem } from "@moneta/protocol/client";
import { ProblemError, UnansweredError } from "./errors.ts";
import type { Nodes } from "./nodes.ts";

interface Retrying {
  readonly nodes: Nodes;
  readonly retries: number;
}

/** How long a write in doubt is repeated, ms: longer than an engine takes to fail over. */
const PATIENCE_MS = 120_000;

/** Source: cluster §3, conventions §3. */
const IN_DOUBT = /^9(004|500)$/;

export function isDoubt({ code }: { readonly code: string }): boolean {
  return IN_DOUBT.test(code);
}

/** A node's own state or an expired key does not show that it was not done. */
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

export class Doubt {
  #untilMs = 0;

  note(problem: Pick<Problem, "code"> | undefined): void {
    if (problem !== undefined && isDoubt(problem)) {
      this.#untilMs ||= Date.now() + PATIENCE_MS;
    }
  }

  isSpent(attempts: number, { nodes, retries }: Retrying): boolean {
    return attempts > retries * nodes.urls.length && Date.now() >= this.#untilMs;
  }
}
