import type { Problem } from "@moneta/protocol/client";
import { ProblemError, UnansweredError } from "./errors.ts";

/** A request as it goes over the wire. */
export interface WireRequest {
  readonly method: string;
  /** With its query string. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** Whether the same request again gets the same answer and does nothing more. */
  readonly isRepeatable: boolean;
  readonly isWrite: boolean;
  readonly signal?: AbortSignal | undefined;
}

export interface TransportOptions {
  /** Of a node, without a slash at its end. */
  readonly url: string;
  readonly fetch: typeof fetch;
  /** How long one attempt may take until its answer is there, ms. */
  readonly timeoutMs: number;
  /** How often a request is sent again. */
  readonly retries: number;
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
/** A node that asks for more patience than this is given up. */
const LONGEST_RETRY_AFTER_MS = 60_000;

/** Refused before anything was written: too many requests, overloaded or starting, lagging. Source: conventions §3. */
const COME_BACK: ReadonlySet<string> = new Set(["9001", "9002", "9003"]);

/** Whether what is refused now may be taken later. */
export function mayPass({ code }: Pick<Problem, "code">): boolean {
  return COME_BACK.has(code);
}

/**
 * Sends a request until it is answered. What the ledger has not begun is sent again after the pause that it asks for; what may have been done is sent again only if
 * repeating it is harmless. Throws ProblemError for a refusal, UnansweredError if there is no answer, and the signal's reason once that is aborted.
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
 * A refusal of what may have been done before: that the ledger lags or is overloaded says nothing about the attempt that went unanswered, nor does a key that has
 * expired meanwhile where another node has done it.
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
  { method, path, headers, body, signal }: WireRequest,
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
    // Every answer of a ledger names its height; what a proxy or a hotel's network says with status 200 does not. Source: conventions §2.3.
    if (response.ok && response.headers.has("ledger-height")) {
      // Read whole before it counts as an answer: what breaks off in the middle is none.
      const whole = await response.arrayBuffer();
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
    return { is: "unanswered", cause };
  }
}

/** What the ledger says of a request that it refuses; undefined if it is a proxy that speaks. */
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

/** As long as the ledger asks for; else at random up to twice as long each time, so that clients who failed together do not come back together. */
function pauseBefore(attempt: number, outcome: Outcome): number {
  const upTo = Math.min(FIRST_PAUSE_MS * 2 ** attempt, LONGEST_PAUSE_MS);
  const own = upTo / 2 + (Math.random() * upTo) / 2;
  return outcome.is === "refused" ? (outcome.retryAfterMs ?? own) : own;
}

/** Waits; throws the signal's reason once it is aborted. */
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

/** What Node says of a connection that was never made; browsers do not tell. */
const UNSENT: ReadonlySet<unknown> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
  // The request comes behind the handshake, and that has failed.
  "CERT_HAS_EXPIRED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "ERR_TLS_CERT_ALTNAME_INVALID",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

function isUnsent(cause: unknown): boolean {
  const inner = cause instanceof Error ? cause.cause : undefined;
  return inner instanceof Error && "code" in inner && UNSENT.has(inner.code);
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) {
    return String(cause);
  }
  // What fetch throws says no more than that it failed; why is in its cause.
  return cause.cause instanceof Error && cause.cause.message !== ""
    ? cause.cause.message
    : cause.message;
}
