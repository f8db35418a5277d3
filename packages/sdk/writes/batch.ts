import type { Problem } from "@moneta/protocol/client";
import type { Call, CallOptions } from "../call.ts";
import { isId, type Ledger, randomText } from "../ledger.ts";
import { Doubt, isDoubt, meaningOf } from "../nodes/doubt.ts";
import { ProblemError, UnansweredError } from "../nodes/errors.ts";
import { isOfNode, isProblem, mayPass, pause } from "../nodes/transport.ts";
import { refuseUnknown } from "../values/refuse-unknown.ts";
import { wireTexts } from "../values/wire-text.ts";
import type { PreparedWrite, SentWrite } from "./prepared-write.ts";

/**
 * An operation of a batch: a write of `actor.prepare`, or an unsigned one by its name and its
 * parameters. A repeated `idempotency_key` creates the same `address` again.
 */
export type BatchWrite =
  | PreparedWrite
  | {
      readonly operation: string;
      readonly idempotency_key?: string;
      readonly [parameter: string]: unknown;
    };

/** Source: batches §1.1. */
const OPERATIONS_MAX = 1000;
const BYTES_MAX = 3 << 20;
const RETRY_AFTER_MS = 1000;

export interface OperationResult {
  readonly status: number;
  readonly transaction_id?: string;
  readonly result?: unknown;
  readonly location?: string;
  readonly problem?: Problem & { readonly index?: number; readonly retry_after?: number };
}

/** UnansweredError if it is unknown. */
export type Outcome = SentWrite | ProblemError | UnansweredError;

export interface Sent {
  readonly operation: string;
  readonly text: string;
  readonly bytes: number;
  readonly isRepeatable: boolean;
  /** Whether it was done, or may have been because of an attempt without a response. */
  mayBeDone: boolean;
}

/** Uses few requests, and retries what was refused because of load. */
export async function sendBatch(
  ledger: Ledger,
  writes: readonly BatchWrite[],
  options: CallOptions,
): Promise<readonly (SentWrite | ProblemError)[]> {
  const ledgerId = await ledger.id();
  const sent = writes.map((write) => elementOf(write, ledger, ledgerId));
  return await sendElements(ledger, sent, options);
}

export async function sendElements(
  ledger: Ledger,
  sent: readonly Sent[],
  options: CallOptions,
  all: readonly Sent[] = sent,
): Promise<readonly (SentWrite | ProblemError)[]> {
  const results: (SentWrite | ProblemError)[] = [];
  for (let first = 0; first < sent.length; ) {
    let bytes = 0;
    const fitting = sent.slice(first, first + OPERATIONS_MAX).filter((one, index) => {
      bytes += one.bytes + 1;
      return index === 0 || bytes <= BYTES_MAX;
    });
    try {
      results.push(...(await sendPart(ledger, fitting, options)));
    } catch (thrown) {
      // An earlier attempt may have done these; this failure does not show that it did not.
      throw meaningOf(
        thrown,
        all.some(({ mayBeDone }) => mayBeDone),
      );
    }
    first += fitting.length;
  }
  return results;
}

/** Retries temporary refusals; later operations must not overtake them. */
async function sendPart(
  ledger: Ledger,
  part: readonly Sent[],
  options: CallOptions,
): Promise<readonly (SentWrite | ProblemError)[]> {
  const results: Outcome[] = [];
  let left = part.map((one, index) => ({ one, index }));
  const { nodes } = ledger.transport;
  const doubt = new Doubt();
  for (let attempt = 1; ; attempt += 1) {
    const { url } = nodes;
    const answers = await send(
      ledger,
      left.map(({ one }) => one),
      options,
    );
    let retryAfterMs = RETRY_AFTER_MS;
    const again: typeof left = [];
    for (const [position, each] of left.entries()) {
      const result = answers[position] as OperationResult;
      results[each.index] = outcomeOf(ledger, each.one, result);
      const { problem } = result;
      if (problem === undefined || !mayPass(problem)) {
        continue;
      }
      const { retry_after = 0 } = problem;
      retryAfterMs = Math.max(retryAfterMs, retry_after * 1000 || 0);
      if (isOfNode(problem)) {
        nodes.leave(url);
      }
      doubt.note(problem);
      again.push(each);
    }
    const isOver =
      again.length === 0 ||
      again.some(({ one }) => one.mayBeDone && !one.isRepeatable) ||
      doubt.isSpent(attempt, ledger.transport);
    if (isOver) {
      return results.map(known);
    }
    left = again;
    if (nodes.isRoundOver(attempt)) {
      await pause(retryAfterMs, options.signal);
    }
  }
}

async function send(
  ledger: Ledger,
  sent: readonly Sent[],
  options: CallOptions,
): Promise<readonly OperationResult[]> {
  const asked = `{"operations":[${sent.map(({ text }) => text).join(",")}]}`;
  const isRepeatable = sent.every((one) => one.isRepeatable);
  const onDoubt = (): void => {
    for (const one of sent) {
      one.mayBeDone = true;
    }
  };
  const { body: answer } = await ledger.post("/batch", asked, {
    ...options,
    isRepeatable,
    onDoubt,
  });
  return resultsOf(answer, sent.length);
}

/** Throws UnansweredError for any other response, because the outcome is unknown then. */
export function resultsOf(answer: unknown, count: number): readonly OperationResult[] {
  const { results } = (answer ?? {}) as { readonly results?: unknown };
  if (!Array.isArray(results) || results.length !== count || !results.every(isResult)) {
    throw new UnansweredError("The node did not report the result of each operation", {
      mayHaveHappened: true,
    });
  }
  return results;
}

export function isResult(value: unknown): value is OperationResult {
  const { transaction_id, location = "", problem } = (value ?? {}) as Partial<OperationResult>;
  return problem === undefined
    ? isId(transaction_id) && typeof location === "string" && /^[!-~]*$/.test(location)
    : isProblem(problem);
}

/** Throws TypeError for anything but a write, and for an unknown parameter. */
export function checkWrite(write: BatchWrite, ledger: Ledger): Call {
  const { operation, ...request } = write;
  const call = ledger.callOf(operation);
  if (call.key === undefined || operation === "faucet") {
    throw new TypeError(`${operation} cannot be in a batch`);
  }
  if (!isPrepared(write)) {
    refuseUnknown(operation, parametersOf(call), request);
  }
  return call;
}

/** Throws TypeError like `checkWrite` and for another ledger's write. */
export function elementOf(write: BatchWrite, ledger: Ledger, ledgerId: string): Sent {
  const { operation } = write;
  const call = checkWrite(write, ledger);
  let element: Readonly<Record<string, unknown>>;
  if (isPrepared(write)) {
    ledger.checkId(write, ledgerId);
    element = { operation, ...write.params, signature: write.signature };
  } else {
    const { operation: _, ...request } = write;
    const key = operation === "address" ? { idempotency_key: randomText() } : {};
    element = { operation, ...key, ...wireTexts(request, true) };
  }
  const text = JSON.stringify(element);
  const bytes = new TextEncoder().encode(text).length;
  const isRepeatable = call.key !== "" || "idempotency_key" in element;
  return { operation, text, bytes, isRepeatable, mayBeDone: false };
}

function isPrepared(write: BatchWrite): write is PreparedWrite {
  return typeof write["params"] === "object" && typeof write["ledgerId"] === "string";
}

function parametersOf({ parameters, key }: Call): string {
  const signing = !key ? "idempotency_key" : `${key} signature signed`;
  return `${parameters} ${signing}`.trim();
}

export function writtenOf(
  ledger: Ledger,
  operation: string,
  { status, transaction_id = "", result, location = "", problem }: OperationResult,
): SentWrite | ProblemError {
  if (problem !== undefined) {
    return new ProblemError(problem);
  }
  const headers = new Headers({ "Transaction-Id": transaction_id, Location: location });
  return ledger.answerOf<SentWrite>(operation, { status, headers, body: result });
}

export function outcomeOf(ledger: Ledger, sent: Sent, answer: OperationResult): Outcome {
  sent.mayBeDone ||= answer.problem === undefined || isDoubt(answer.problem);
  return meaningOf(writtenOf(ledger, sent.operation, answer), sent.mayBeDone);
}

export function known(outcome: Outcome): SentWrite | ProblemError {
  if (outcome instanceof UnansweredError) {
    throw outcome;
  }
  return outcome;
}
