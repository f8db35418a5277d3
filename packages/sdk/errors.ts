import type { FaultCode, Problem } from "@moneta/protocol/client";

/** Every code that a ledger refuses a request with. Source: conventions §3. */
export type ProblemCode = FaultCode;

/** What a request needs and what the payer can spend: of a token in its smallest unit, or units of an item. */
export type Shortfall = { readonly needed: bigint; readonly spendable: bigint } & (
  | { readonly token: string; readonly item?: undefined }
  | { readonly item: string; readonly token?: undefined }
);

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
    this.shortfall = shortfallOf(problem);
  }

  /** The message with the amounts of a token's `shortfall` as `textOf` writes them: `(amount) => decimalText(amount, 8)`. */
  inDecimals(textOf: (amount: bigint) => string): string {
    if (this.shortfall?.token === undefined) {
      return this.message;
    }
    const { token, needed, spendable } = this.shortfall;
    return this.message
      .replace(`${needed} of token ${token}`, () => textOf(needed))
      .replace(`only ${spendable}`, () => `only ${textOf(spendable)}`);
  }
}

function shortfallOf({ needed, spendable, token, item }: Problem): Shortfall | undefined {
  if (needed === undefined || spendable === undefined) {
    return undefined;
  }
  const amounts = { needed: BigInt(needed), spendable: BigInt(spendable) };
  return token !== undefined
    ? { ...amounts, token }
    : item !== undefined
      ? { ...amounts, item }
      : undefined;
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
