import type { Problem } from "@moneta/protocol/client";
import { wholeBody } from "./body.ts";
import { Doubt, isDoubt, meaningOf } from "./doubt.ts";
import { ProblemError, UnansweredError } from "./errors.ts";
import type { Nodes } from "./nodes.ts";

export interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly isRepeatable: boolean;
  readonly isWrite: boolean;
  /** Called with each response, refusals and unusable ones included. */
  readonly onResponse: (response: Response) => void;
  /** Called when an attempt leaves open whether a write was done. */
  readonly onDoubt?: (() => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly bytesMax?: number | undefined;
}

export interface TransportOptions {
  readonly nodes: Nodes;
  readonly fetch: typeof fetch;
  readonly timeoutMs: number;
  readonly retries: number;
}

const PROBLEM_BYTES_MAX = 64 << 10;

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
/** A longer `Retry-After` is cut to this. */
const LONGEST_RETRY_AFTER_MS = 60_000;

/** Rate, overload, lag, doubt; only the last may be done. Source: conventions §3, cluster §3. */
const COME_BACK: ReadonlySet<string> = new Set(["9001", "9002", "9003", "9004"]);
/** Statuses for which other nodes are tried. Source: cluster §4. */
const ELSEWHERE: ReadonlySet<number> = new Set([502, 503, 504]);

export function mayPass({ code }: Pick<Problem, "code">): boolean {
  return COME_BACK.has(code);
}

export function isOfNode({ status }: Pick<Problem, "status">): boolean {
  return ELSEWHERE.has(status);
}

/**
 * Retries at the next node if a repeat is harmless or nothing was started. Throws ProblemError,
 * UnansweredError, and the reason of the signal.
 */
export async function deliver(request: WireRequest, options: TransportOptions): Promise<Response> {
  const { nodes } = options;
  const doubt = new Doubt();
  let wasInDoubt = false;
  let round: Failure[] = [];
  for (let attempt = 1; ; attempt += 1) {
    const { url } = nodes;
    const outcome = await attemptOnce(request, url, options);
    if (outcome instanceof Response) {
      return outcome;
    }
    const { problem } = outcome;
    doubt.note(problem);
    if (leavesOpen(outcome)) {
      wasInDoubt = true;
      request.onDoubt?.();
    }
    round.push(outcome);
    const isOfOneNode = problem === undefined || isOfNode(problem);
    if (isOfOneNode) {
      nodes.leave(url);
    }
    const isOver = !isOfOneNode || nodes.isRoundOver(attempt);
    const isLast = doubt.isSpent(attempt, options) || !round.some(mayComeBack);
    if ((wasInDoubt && !request.isRepeatable) || (isOver && isLast)) {
      throw errorOf(outcome, url, wasInDoubt && request.isWrite);
    }
    if (isOver) {
      await pause(pauseAfter(round, attempt / nodes.urls.length), request.signal);
      round = [];
    }
  }
}

export type Failure =
  | { readonly problem: Problem; readonly retryAfterMs: number | undefined }
  | { readonly problem?: undefined; readonly cause: unknown; readonly retryAfterMs?: undefined };

export function leavesOpen(failure: Failure): boolean {
  return failure.problem === undefined ? !isUnsent(failure.cause) : isDoubt(failure.problem);
}

function mayComeBack(failure: Failure): boolean {
  return (
    failure.problem === undefined ||
    (mayPass(failure.problem) && (failure.retryAfterMs ?? 0) <= LONGEST_RETRY_AFTER_MS)
  );
}

/** `isInDoubt`: this or an earlier attempt may have done a write. */
export function errorOf(failure: Failure, url: string, isInDoubt: boolean): Error {
  if (failure.problem === undefined) {
    const { cause } = failure;
    return new UnansweredError(`${url} did not respond: ${reasonOf(cause)}`, {
      mayHaveHappened: isInDoubt,
      cause,
    });
  }
  return meaningOf(new ProblemError(failure.problem), isInDoubt);
}

async function attemptOnce(
  { method, path, headers, body, signal, bytesMax, isWrite, onResponse }: WireRequest,
  url: string,
  { fetch, timeoutMs }: TransportOptions,
): Promise<Response | Failure> {
  signal?.throwIfAborted();
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url + path, {
      method,
      headers,
      body: body ?? null,
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
    onResponse(response);
    // Proxies and captive portals do not send it. Source: conventions §2.3.
    if (response.ok && response.headers.has("ledger-height")) {
      // A response counts only if it is complete.
      const whole = await wholeBody(response, bytesMax);
      return new Response(whole, response);
    }
    return await failureOf(response);
  } catch (cause) {
    if (signal?.aborted) {
      throw signal.reason;
    }
    // A write may have been done whatever the length of its response.
    if (cause instanceof RangeError && !isWrite) {
      throw cause;
    }
    return { cause };
  }
}

export async function failureOf(response: Response): Promise<Failure> {
  const problem = await problemOf(response);
  const seconds = Number(response.headers.get("retry-after"));
  return problem === undefined
    ? { cause: new Error(`status ${response.status} of something else than a ledger`) }
    : { problem, retryAfterMs: seconds > 0 ? seconds * 1000 : undefined };
}

async function problemOf(response: Response): Promise<Problem | undefined> {
  if (!(response.headers.get("content-type") ?? "").startsWith("application/problem+json")) {
    await response.body?.cancel();
    return undefined;
  }
  const text = new TextDecoder().decode(await wholeBody(response, PROBLEM_BYTES_MAX));
  const problem: unknown = JSON.parse(text);
  return isProblem(problem) ? problem : undefined;
}

/** Only a ledger's problem has them all. Source: conventions §3. */
export function isProblem(value: unknown): value is Problem {
  const { code, detail } = (value ?? {}) as Partial<Problem>;
  return /^[0-9]{4}$/.test(String(code)) && typeof detail === "string";
}

/** Random and exponential without `Retry-After`, so that clients do not retry together. */
function pauseAfter(round: readonly Failure[], rounds: number): number {
  const upTo = Math.min(FIRST_PAUSE_MS * 2 ** (rounds - 1), LONGEST_PAUSE_MS);
  const own = upTo / 2 + (Math.random() * upTo) / 2;
  const wanted = round.map((one) => (one.problem && mayComeBack(one) && one.retryAfterMs) || 0);
  return Math.max(...wanted) || own;
}

/** Throws the reason of the signal when it is aborted. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener("abort", end);
        resolve();
      },
      Math.min(ms, LONGEST_RETRY_AFTER_MS),
    );
    signal?.addEventListener("abort", end, { once: true });
    if (signal?.aborted) {
      end();
    }
  });
}

/** Codes of Node for a connection that was never made or not trusted; browsers have none. */
const UNSENT =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|E(HOST|NET)UNREACH|UND_ERR_CONNECT_TIMEOUT)$|CERT|LEAF_SIGNATURE/;

function isUnsent(cause: unknown): boolean {
  const inner = cause instanceof Error ? cause.cause : undefined;
  return inner instanceof Error && "code" in inner && UNSENT.test(String(inner.code));
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) {
    return String(cause);
  }
  // The error of fetch has the reason in its cause.
  return cause.cause instanceof Error && cause.cause.message !== ""
    ? cause.cause.message
    : cause.message;
}
