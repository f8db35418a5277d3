import type { FaultCode, Problem } from "@moneta/protocol/client";
import { isAmountText } from "../values/wire-text.ts";

/** Source: conventions §3. */
export type ProblemCode = FaultCode;

/** Of a token in its smallest unit, or units of an item. */
export type Shortfall = { readonly needed: bigint; readonly spendable: bigint } & (
  | { readonly token: string; readonly item?: undefined }
  | { readonly item: string; readonly token?: undefined }
);

/**
 * The ledger refused a request and changed nothing; `message` gives the reason.
 * Source: conventions §3, RFC 9457.
 */
export class ProblemError extends Error {
  override readonly name: string = "ProblemError";
  readonly status: number;
  readonly code: ProblemCode;
  readonly title: string;
  /** The parameter that caused it, if it is one. */
  readonly parameter: string | undefined;
  /** Ids of the listings that match an ambiguous request (`7107`). */
  readonly listings: readonly string[];
  /**
   * The insufficient balance of a payer (`5000`, `5001`), or the rest of a grant's limit (`7005`).
   */
  readonly shortfall: Shortfall | undefined;
  /** The index of the refused operation in a batch or group, from 0. */
  readonly index: number | undefined;

  constructor(problem: Problem & { readonly index?: number }) {
    super(problem.detail);
    this.status = problem.status;
    this.code = problem.code as ProblemCode;
    this.title = problem.title;
    this.parameter = problem.parameter;
    this.listings = [problem.listings ?? []].flat();
    this.shortfall = shortfallOf(problem);
    this.index = problem.index;
  }

  /**
   * The message with amounts of a token formatted by `textOf`, such as `(amount) =>
   * decimalText(amount, 8)`.
   */
  inDecimals(textOf: (amount: bigint) => string): string {
    if (this.shortfall?.token === undefined) {
      return this.message;
    }
    const { token, needed, spendable } = this.shortfall;
    return this.message
      .replace(`${needed} of token ${token}`, () => textOf(needed))
      .replace(`only ${spendable}`, () => `only ${textOf(spendable)}`);
  }

  /** The message, or one made from it, with Unix seconds formatted by `textOf`. */
  inTimes(textOf: (time: number) => string, message = this.message): string {
    return OF_TIMES.test(this.code) || /^(?:since|until|at)$/.test(this.parameter ?? "")
      ? message
          .replace("a time in Unix seconds", "a time")
          .replace(TIME, (seconds) => textOf(Number(seconds)))
      : message;
  }
}

/** Refusals with times in their messages. */
const OF_TIMES = /^(?:1102|7113|720[1-9])$/;
const TIME = /(?<![\w.])[1-9][0-9]{9}(?![\w]|\.[0-9])/g;

function shortfallOf(problem: Problem): Shortfall | undefined {
  const { needed, left, spendable = left, token, item } = problem;
  if (!isAmountText(needed) || !isAmountText(spendable)) {
    return undefined;
  }
  const amounts = { needed: BigInt(needed), spendable: BigInt(spendable) };
  return token !== undefined
    ? { ...amounts, token }
    : item !== undefined
      ? { ...amounts, item }
      : undefined;
}

/**
 * No response, even after retries: the network, a proxy or the service failed. Or no response shows
 * whether a write was done.
 */
export class UnansweredError extends Error {
  override readonly name: string = "UnansweredError";
  /** True if a sent write may have been done: check the ledger before you repeat it. */
  readonly mayHaveHappened: boolean;

  constructor(
    message: string,
    { mayHaveHappened, cause }: { readonly mayHaveHappened: boolean; readonly cause?: unknown },
  ) {
    super(message, { cause });
    this.mayHaveHappened = mayHaveHappened;
  }
}
