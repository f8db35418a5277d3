import type { Transaction } from "./api.ts";
import { ProblemError, UnansweredError } from "./errors.ts";
import { refuseUnknown } from "./refuse-unknown.ts";
import { mayPass, pause, problemOf } from "./transport.ts";
import { wireTexts } from "./wire-text.ts";

/** Streams transactions with a record that matches every given member. Source: chain §11. */
export interface EventFilter {
  /** Up to 100 addresses; the record is filed under one of them. */
  readonly address?: readonly string[] | undefined;
  readonly token?: readonly (string | number)[] | undefined;
  /** Items, projects or listings. */
  readonly item?: readonly string[] | undefined;
  /** Types of records; `block` adds an event after every block. */
  readonly type?: readonly string[] | undefined;
  /** Id of an event: start after it. */
  readonly after?: string | undefined;
  /** Start with the first transaction of this block. */
  readonly from?: number | undefined;
}

/** A transaction, or the position of the stream. To resume there, pass `id` as `after`. */
export type LedgerEvent =
  | { readonly kind: "transaction"; readonly id: string; readonly transaction: Transaction }
  | { readonly kind: "height"; readonly id: string | undefined; readonly height: number };

export interface EventOptions {
  /** Ends the stream; the iteration ends without an error. */
  readonly signal?: AbortSignal | undefined;
  /** Receives the reason before the stream reconnects. */
  readonly onReconnect?: ((cause: unknown) => void) | undefined;
}

/**
 * A live node sends something every 15 s; after this time the connection counts as lost.
 * Source: chain §11.
 */
const SILENT_MS = 45_000;
const LONGEST_PAUSE_MS = 30_000;

/**
 * The events of a ledger from now on, or from the position in the filter. Reconnects without
 * missing or repeating events. Throws ProblemError if the node refuses the filter.
 */
export async function* eventStream(
  { url, fetch }: { readonly url: string; readonly fetch: typeof globalThis.fetch },
  filter: EventFilter,
  { signal, onReconnect }: EventOptions,
): AsyncGenerator<LedgerEvent, void, undefined> {
  refuseUnknown("events", "address token item type after from", filter);
  let start: EventFilter = filter;
  let retryMs = 2000;
  let failures = 0;
  while (!signal?.aborted) {
    const connection = new AbortController();
    const end = (): void => connection.abort();
    signal?.addEventListener("abort", end, { once: true });
    try {
      for await (const message of connect({ url, fetch }, start, connection)) {
        failures = 0;
        retryMs = message.retryMs ?? retryMs;
        if (message.id !== undefined) {
          start = { ...filter, from: undefined, after: message.id };
        }
        if (message.event === "dropped") {
          break;
        }
        const event = eventOf(message);
        if (event !== undefined) {
          yield event;
        }
      }
      onReconnect?.(undefined);
    } catch (cause) {
      if (signal?.aborted) {
        return;
      }
      if (cause instanceof ProblemError && !mayPass(cause)) {
        throw cause;
      }
      onReconnect?.(cause);
    } finally {
      signal?.removeEventListener("abort", end);
      connection.abort(); // also when the caller has left the loop
    }
    await pause(Math.min(retryMs * 2 ** failures, LONGEST_PAUSE_MS), signal).catch(() => undefined);
    failures += 1;
  }
}

/** A raw message of the stream. Source: WHATWG HTML, server-sent events. */
interface Message {
  readonly event: string;
  readonly id: string | undefined;
  readonly data: string;
  readonly retryMs: number | undefined;
}

function eventOf({ event, id, data }: Message): LedgerEvent | undefined {
  switch (event) {
    case "transaction":
      return { kind: "transaction", id: id ?? "", transaction: JSON.parse(data) };
    case "height":
      return { kind: "height", id, height: (JSON.parse(data) as { readonly sn: number }).sn };
    default:
      return undefined; // what later versions may say
  }
}

/** The messages of one connection. */
async function* connect(
  { url, fetch }: { readonly url: string; readonly fetch: typeof globalThis.fetch },
  filter: EventFilter,
  connection: AbortController,
): AsyncGenerator<Message, void, undefined> {
  const query = new URLSearchParams(wireTexts({ ...filter }, false));
  let watch = setTimeout(() => connection.abort(), SILENT_MS);
  try {
    // The query needs no CORS preflight, Last-Event-ID would.
    const response = await fetch(`${url}/events?${query}`, { signal: connection.signal });
    if (!response.ok || response.body === null) {
      const problem = await problemOf(response);
      throw problem === undefined
        ? new UnansweredError(`${url} does not stream: status ${response.status}`, {
            mayHaveHappened: false,
          })
        : new ProblemError(problem);
    }
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      clearTimeout(watch);
      watch = setTimeout(() => connection.abort(), SILENT_MS);
      const messages = (text + read.value).split(/\r?\n\r?\n/);
      text = messages.pop() ?? "";
      yield* messages.map(parseMessage);
    }
  } finally {
    clearTimeout(watch);
  }
}

function parseMessage(text: string): Message {
  const fields = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const [, name = "", value = ""] = /^([^:]+):? ?(.*)$/.exec(line) ?? [];
    const before = name === "data" ? fields.get(name) : undefined;
    fields.set(name, before === undefined ? value : `${before}\n${value}`);
  }
  const retry = Number(fields.get("retry") ?? Number.NaN);
  return {
    event: fields.get("event") ?? "",
    id: fields.get("id"),
    data: fields.get("data") ?? "",
    retryMs: Number.isFinite(retry) ? retry : undefined,
  };
}
