// Server-sent events as text. Source: chain §11, WHATWG HTML.

export interface Considered {
  readonly id: string | undefined;
  readonly height: number;
}

/** Milliseconds before a client reconnects. */
export const RETRY = "retry: 2000\n\n";

/** `data` is JSON on one line. */
export function transactionEvent(id: string, data: string): string {
  return `event: transaction\nid: ${id}\ndata: ${data}\n\n`;
}

export function heightEvent({ id, height }: Considered): string {
  return `event: height\n${id === undefined ? "" : `id: ${id}\n`}data: {"sn":${height}}\n\n`;
}

/** Without an id: the client resumes after the previous event. */
export function droppedEvent(reason: string): string {
  return `event: dropped\ndata: ${JSON.stringify({ reason })}\n\n`;
}
