import type { FaultCode, Problem } from "@moneta/protocol/client";

/** Every code that a ledger refuses a request with. Source: conventions §3. */
export type ProblemCode = FaultCode;

/** What a payer would need of a token, and can spend, both in its smallest unit. */
export interface Shortfall {
  readonly token: string;
  readonly needed: bigint;
  readonly spendable: bigint;
}

const SHORTFALL = /needs ([0-9]{1,41}) of token ([0-9]{1,41}) but can spend only ([0-9]{1,41})/;

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
  /** What the payer lacks (`5000`, `5001`). */
  readonly shortfall: Shortfall | undefined;

  constructor(problem: Problem) {
    super(problem.detail);
    this.status = problem.status;
    this.code = problem.code as ProblemCode;
    this.title = problem.title;
    this.parameter = problem.parameter;
    this.listings = problem.listings ?? [];
    const [, needed = "", token, spendable = ""] = SHORTFALL.exec(problem.detail) ?? [];
    this.shortfall =
      token !== undefined && /^500[01]$/.test(problem.code)
        ? { token, needed: BigInt(needed), spendable: BigInt(spendable) }
        : undefined;
  }

  /** The message with the amounts of `shortfall` as `textOf` writes them: `(amount) => decimalText(amount, 8)`. */
  inDecimals(textOf: (amount: bigint) => string): string {
    if (this.shortfall === undefined) {
      return this.message;
    }
    const { needed, spendable } = this.shortfall;
    return this.message.replace(
      SHORTFALL,
      () => `needs ${textOf(needed)} but can spend only ${textOf(spendable)}`,
    );
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
