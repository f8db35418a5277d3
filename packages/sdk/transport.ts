import type { Problem } from "@moneta/protocol/client";
import { ProblemError, UnansweredError } from "./errors.ts";

/** A request on the wire. */
export interface WireRequest {
  readonly method: string;
  /** With its query string. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** Whether a repeat returns the same response and has no further effect. */
  readonly isRepeatable: boolean;
  readonly isWrite: boolean;
  readonly signal?: AbortSignal | undefined;
  /** A longer body throws RangeError. */
  readonly bytesMax?: number | undefined;
}

export interface TransportOptions {
  /** URL of a node without a trailing slash. */
  readonly url: string;
  readonly fetch: typeof fetch;
  /** Timeout of one attempt, ms. */
  readonly timeoutMs: number;
  /** Number of retries. */
  readonly retries: number;
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
/** The longest `Retry-After` that is obeyed. */
const LONGEST_RETRY_AFTER_MS = 60_000;

/**
 * Refused before anything was written: too many requests, overload or start, lag.
 * Source: conventions §3.
 */
const COME_BACK: ReadonlySet<string> = new Set(["9001", "9002", "9003"]);

/** Whether a refused request may succeed later. */
export function mayPass({ code }: Pick<Problem, "code">): boolean {
  return COME_BACK.has(code);
}

/**
 * Sends a request and retries it if it was not started, or if a repeat is harmless. Throws
 * ProblemError for a refusal, UnansweredError without a response, and the reason of the signal.
 */
export async function deliver(request: WireRequest, options: TransportOptions): Promise<Response> {
  let wasInDoubt = false;
  for (let attempt = 0; ; attempt += 1) {
    const outcome = await attemptOnce(request, options);
    if (outcome.is === "answered") {
      return outcome.response;
    }
    const isLast = attempt >= options.retries;
    const pauseMs = pauseBefore(attempt, outcome);
    if (outcome.is === "refused") {
      const mayComeBack = mayPass(outcome.problem) && pauseMs <= LONGEST_RETRY_AFTER_MS;
      if (isLast || !mayComeBack) {
        throw withDoubt(new ProblemError(outcome.problem), wasInDoubt && request.isWrite);
      }
    } else {
      const { cause } = outcome;
      wasInDoubt ||= !isUnsent(cause);
      if (isLast || (wasInDoubt && !request.isRepeatable)) {
        throw new UnansweredError(`${options.url} has not answered: ${reasonOf(cause)}`, {
          mayHaveHappened: request.isWrite && wasInDoubt,
          cause,
        });
      }
    }
    await pause(pauseMs, request.signal);
  }
}

/**
 * A refusal after an attempt without a response. Overload, lag and an expired key do not show
 * whether that attempt was done.
 */
function withDoubt(error: ProblemError, isInDoubt: boolean): Error {
  const saysNothing = mayPass(error) || error.code === "2020";
  return isInDoubt && saysNothing
    ? new UnansweredError(`An attempt went unanswered, and then: ${error.message}`, {
        mayHaveHappened: true,
        cause: error,
      })
    : error;
}

type Outcome =
  | { readonly is: "answered"; readonly response: Response }
  | { readonly is: "refused"; readonly problem: Problem; readonly retryAfterMs: number | undefined }
  | { readonly is: "unanswered"; readonly cause: unknown };

async function attemptOnce(
  { method, path, headers, body, signal, bytesMax }: WireRequest,
  { url, fetch, timeoutMs }: TransportOptions,
): Promise<Outcome> {
  signal?.throwIfAborted();
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url + path, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
    // Only a ledger sends its height; proxies and captive portals do not. Source: conventions §2.3.
    if (response.ok && response.headers.has("ledger-height")) {
      // A response counts only if it is complete.
      const whole = await wholeBody(response, bytesMax);
      return { is: "answered", response: new Response(whole, response) };
    }
    const problem = await problemOf(response);
    return problem === undefined
      ? {
          is: "unanswered",
          cause: new Error(`status ${response.status} of something else than a ledger`),
        }
      : { is: "refused", problem, retryAfterMs: retryAfterMs(response) };
  } catch (cause) {
    if (signal?.aborted) {
      throw signal.reason;
    }
    // A repeat would be as long.
    if (cause instanceof RangeError) {
      throw cause;
    }
    return { is: "unanswered", cause };
  }
}

/** The bytes of a body; throws RangeError as soon as there are more than `bytesMax`. */
async function wholeBody(response: Response, bytesMax = Number.POSITIVE_INFINITY): Promise<Blob> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for (const reader = response.body?.getReader(); ; ) {
    const { value } = (await reader?.read()) ?? {};
    if (value === undefined) {
      return new Blob(parts);
    }
    parts.push(value);
    length += value.length;
    if (length > bytesMax) {
      await reader?.cancel();
      throw new RangeError(`the response has more than ${bytesMax} bytes`);
    }
  }
}

/** The problem of a refused request; undefined if a proxy responded. */
export async function problemOf(response: Response): Promise<Problem | undefined> {
  if (!(response.headers.get("content-type") ?? "").startsWith("application/problem+json")) {
    await response.body?.cancel();
    return undefined;
  }
  return (await response.json()) as Problem;
}

function retryAfterMs({ headers }: Response): number | undefined {
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds * 1000 : undefined;
}

/**
 * `Retry-After`, else a random, exponentially growing pause, so that clients do not retry together.
 */
function pauseBefore(attempt: number, outcome: Outcome): number {
  const upTo = Math.min(FIRST_PAUSE_MS * 2 ** attempt, LONGEST_PAUSE_MS);
  const own = upTo / 2 + (Math.random() * upTo) / 2;
  return outcome.is === "refused" ? (outcome.retryAfterMs ?? own) : own;
}

/** Waits; throws the reason of the signal when it is aborted. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", end);
      resolve();
    }, ms);
    signal?.addEventListener("abort", end, { once: true });
    if (signal?.aborted) {
      end();
    }
  });
}

/** Codes of Node for a connection that was never made; browsers have none. */
const UNSENT: ReadonlySet<unknown> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
  // The handshake failed, before the request was sent.
  "CERT_HAS_EXPIRED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "ERR_TLS_CERT_ALTNAME_INVALID",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

/** Whether a request has not reached the node. */
export function isUnsent(cause: unknown): boolean {
  const inner = cause instanceof Error ? cause.cause : undefined;
  return inner instanceof Error && "code" in inner && UNSENT.has(inner.code);
}

/** The reason in words. */
export function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) {
    return String(cause);
  }
  // The error of fetch has the reason in its cause.
  return cause.cause instanceof Error && cause.cause.message !== ""
    ? cause.cause.message
    : cause.message;
}
