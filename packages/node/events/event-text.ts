// Server-sent events as text. Source: chain §11, WHATWG HTML.

/** How far a stream has come: the newest transaction that was considered for it, and that one's block. Before the first there is none. */
export interface Considered {
  readonly id: string | undefined;
  readonly height: number;
}

/** What a stream begins with: how long a client waits before it comes back. */
export const RETRY = "retry: 2000\n\n";

/** `data` is JSON on one line. */
export function transactionEvent(id: string, data: string): string {
  return `event: transaction\nid: ${id}\ndata: ${data}\n\n`;
}

export function heightEvent({ id, height }: Considered): string {
  return `event: height\n${id === undefined ? "" : `id: ${id}\n`}data: {"sn":${height}}\n\n`;
}

/** The last event of a stream that the node ends; without an id, so that the client goes on behind the one before. */
export function droppedEvent(reason: string): string {
  return `event: dropped\ndata: ${JSON.stringify({ reason })}\n\n`;
}
