import type { Transaction } from "../api.ts";
import { refuseUnknown } from "../values/refuse-unknown.ts";
import { wireTexts } from "../values/wire-text.ts";
import { linesOf } from "./body.ts";
import { ProblemError } from "./errors.ts";
import { Nodes } from "./nodes.ts";
import { errorOf, failureOf, isOfNode, mayPass, pause } from "./transport.ts";

/** Streams transactions with a record that matches every given member. Source: chain §11. */
export interface EventFilter {
  /** Up to 100 addresses; the record is filed under one of them. */
  readonly address?: readonly string[] | undefined;
  readonly token?: readonly (string | number)[] | undefined;
  /** Items, projects or listings. */
  readonly item?: readonly string[] | undefined;
  /** Types of records; `block` adds an event after every block. */
  readonly type?: readonly string[] | undefined;
  /** Start after this event. */
  readonly after?: string | undefined;
  /** Start with the first transaction of this block. */
  readonly from?: number | undefined;
}

/** To resume there, pass `id` as `after`. */
export type LedgerEvent =
  | { readonly kind: "transaction"; readonly id: string; readonly transaction: Transaction }
  | { readonly kind: "height"; readonly id: string | undefined; readonly height: number };

export interface EventOptions {
  /** Ends the stream; the iteration ends without an error. */
  readonly signal?: AbortSignal | undefined;
  /** Receives the reason before the stream reconnects. */
  readonly onReconnect?: ((cause: unknown) => void) | undefined;
}

/** A live node sends something every 15 s. Source: chain §11. */
const SILENT_MS = 45_000;
const LONGEST_PAUSE_MS = 30_000;
/** Before the next of several nodes; also the shortest pause that a node can set. */
const NEXT_NODE_MS = 100;

/**
 * The events of a ledger from now on, or from the position in the filter. Reconnects, to the next
 * node if there are several, without missing or repeating events. Throws ProblemError if a node
 * refuses the filter, and `6008` if the ledger has lost the position because it was replaced or
 * restored to an older state; then read again what you keep of it.
 */
export async function* eventStream(
  { nodes, fetch }: { readonly nodes: Nodes; readonly fetch: typeof globalThis.fetch },
  filter: EventFilter,
  { signal, onReconnect }: EventOptions,
): AsyncGenerator<LedgerEvent, void, undefined> {
  refuseUnknown("events", "address token item type after from", filter);
  let start: EventFilter = filter;
  let retryMs = 2000;
  let failures = 0;
  while (!signal?.aborted) {
    const { url } = nodes;
    const connection = new AbortController();
    const end = (): void => connection.abort();
    signal?.addEventListener("abort", end, { once: true });
    let isDropped = false;
    try {
      for await (const message of connect({ url, fetch }, start, connection)) {
        failures = 0;
        retryMs = message.retryMs ?? retryMs;
        if (message.id !== undefined) {
          start = { ...filter, from: undefined, after: message.id };
        }
        if (message.event === "dropped") {
          isDropped = true;
          break;
        }
        const event = eventOf(message);
        if (event !== undefined) {
          yield event;
        }
      }
      if (!isDropped) {
        nodes.leave(url);
      }
      onReconnect?.(undefined);
    } catch (cause) {
      if (signal?.aborted) {
        return;
      }
      const isOfOneNode = !(cause instanceof ProblemError) || isOfNode(cause);
      if (cause instanceof ProblemError && !mayPass(cause) && !(isOfOneNode && nodes.areSeveral)) {
        throw cause;
      }
      if (isOfOneNode) {
        nodes.leave(url);
      }
      onReconnect?.(cause);
    } finally {
      signal?.removeEventListener("abort", end);
      connection.abort();
    }
    failures += 1;
    const rounds = Math.floor(failures / nodes.urls.length);
    // The next node may have lost the connection for the same reason.
    const pauseMs = nodes.isRoundOver(failures) ? retryMs * 2 ** (rounds - 1) : NEXT_NODE_MS;
    await pause(Math.min(pauseMs, LONGEST_PAUSE_MS), signal).catch(() => undefined);
  }
}

/** `Moneta.events` for one node and without the rest of the library: for workers of a page. */
export function eventsOf(
  url: string,
  filter: EventFilter,
  options: EventOptions,
): AsyncGenerator<LedgerEvent, void, undefined> {
  const nodes = new Nodes([url]);
  return eventStream({ nodes, fetch: (input, init) => fetch(input, init) }, filter, options);
}

/** Source: WHATWG HTML, server-sent events. */
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
      return undefined;
  }
}

async function* connect(
  { url, fetch }: { readonly url: string; readonly fetch: typeof globalThis.fetch },
  filter: EventFilter,
  connection: AbortController,
): AsyncGenerator<Message, void, undefined> {
  const query = new URLSearchParams(wireTexts({ ...filter }, false));
  let watch: ReturnType<typeof setTimeout> | undefined;
  const onPiece = (): void => {
    clearTimeout(watch);
    watch = setTimeout(() => connection.abort(), SILENT_MS);
  };
  onPiece();
  try {
    // A query needs no CORS preflight; the header Last-Event-ID would.
    const response = await fetch(`${url}/events?${query}`, { signal: connection.signal });
    if (!response.ok || response.body === null) {
      throw errorOf(await failureOf(response), url, false);
    }
    let fields = new Map<string, string>();
    for await (const line of linesOf(response, onPiece)) {
      if (line === "") {
        yield messageOf(fields);
        fields = new Map();
      } else {
        addField(fields, line);
      }
    }
  } finally {
    clearTimeout(watch);
  }
}

function addField(fields: Map<string, string>, line: string): void {
  const at = `${line}:`.indexOf(":");
  const name = line.slice(0, at);
  const value = line.slice(at + 1).replace(/^ /, "");
  // Each field has one line, so a message is bounded. Source: chain §11.
  if (/^(event|id|data|retry)$/.test(name)) {
    fields.set(name, value);
  }
}

function messageOf(fields: ReadonlyMap<string, string>): Message {
  const retry = Number(fields.get("retry"));
  return {
    event: fields.get("event") ?? "",
    id: fields.get("id"),
    data: fields.get("data") ?? "",
    retryMs: retry >= 0 ? Math.max(retry, NEXT_NODE_MS) : undefined,
  };
}
