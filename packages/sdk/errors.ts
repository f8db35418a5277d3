import type { FaultCode, Problem } from "@moneta/protocol/client";

/** Every code that a ledger refuses a request with. Source: conventions §3. */
export type ProblemCode = FaultCode;

/** The ledger has refused a request and changed nothing; `message` says what was wrong and what would be right. Source: conventions §3, RFC 9457. */
export class ProblemError extends Error {
  override readonly name: string = "ProblemError";
  readonly status: number;
  readonly code: ProblemCode;
  readonly title: string;
  /** The parameter to blame, if it is one. */
  readonly parameter: string | undefined;
  /** Ids of the listings that a request may have meant (`7107`). */
  readonly listings: readonly string[];

  constructor(problem: Problem) {
    super(problem.detail);
    this.status = problem.status;
    this.code = problem.code as ProblemCode;
    this.title = problem.title;
    this.parameter = problem.parameter;
    this.listings = problem.listings ?? [];
  }
}

/** There was no answer of the ledger, also not when asked again: the network, a proxy or the service fails. */
export class UnansweredError extends Error {
  override readonly name: string = "UnansweredError";
  /** Whether a write may have been done: true if it was sent. Look at the ledger before it is made anew. */
  readonly mayHaveHappened: boolean;

  constructor(
    message: string,
    { mayHaveHappened, cause }: { readonly mayHaveHappened: boolean; readonly cause?: unknown },
  ) {
    super(message, { cause });
    this.mayHaveHappened = mayHaveHappened;
  }
}
