import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** Returns the changed response of a path with its query, or the same text, in latin1. */
export type Change = (path: string, body: string) => string;

/**
 * How long a connection may be idle: with Node's 5 s a slow machine closes one that its client is
 * just about to use.
 */
export const IDLE_MS = 60_000;

/**
 * A proxy before a node that changes responses as a test wants, so that the node appears to lie.
 * Each event of a stream is one response.
 */
export class ForwardingProxy implements AsyncDisposable {
  /** The target; undefined closes connections without a response. */
  target: string | undefined;
  change: Change = (_path, body) => body;
  /** Responds by itself if it returns true. */
  answer: (request: IncomingMessage, response: ServerResponse) => boolean = () => false;
  /** Whether a response is lost, although the node has executed the request. */
  loses: (request: IncomingMessage) => boolean = () => false;
  /** Paths with queries, in the order of requests. */
  readonly asked: string[] = [];
  readonly #server: Server;

  private constructor(target: string) {
    this.target = target;
    this.#server = createServer((request, response) => {
      this.#forward(request, response).catch(() => response.destroy());
    });
    this.#server.keepAliveTimeout = IDLE_MS;
  }

  static async to(target: string): Promise<ForwardingProxy> {
    const proxy = new ForwardingProxy(target);
    proxy.#server.listen(0, "127.0.0.1");
    await once(proxy.#server, "listening");
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  breakOff(): void {
    this.#server.closeAllConnections();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await Promise.resolve();
  }

  async #forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? "/";
    this.asked.push(path);
    if (this.answer(request, response)) {
      return;
    }
    if (this.target === undefined) {
      response.destroy();
      return;
    }
    const leaving = new AbortController();
    response.once("close", () => leaving.abort());
    const { method = "GET" } = request;
    const body = await buffer(request);
    const answer = await fetch(this.target + path, {
      method,
      headers: passedOn(request),
      ...(method === "GET" || method === "HEAD" ? {} : { body: new Uint8Array(body) }),
      signal: leaving.signal,
    });
    if (this.loses(request)) {
      await answer.arrayBuffer();
      response.destroy();
      return;
    }
    // fetch has decoded the body.
    const ofBody = ["content-encoding", "content-length", "transfer-encoding", "connection"];
    const headers = [...answer.headers].filter(([name]) => !ofBody.includes(name));
    response.writeHead(answer.status, Object.fromEntries(headers));
    response.flushHeaders();
    const isStream = answer.headers.get("content-type") === "text/event-stream";
    let rest = "";
    for await (const bytes of answer.body ?? []) {
      rest += Buffer.from(bytes).toString("latin1");
      const events = isStream ? rest.split("\n\n") : [rest];
      if (isStream) {
        rest = events.pop() as string;
        for (const event of events) {
          response.write(Buffer.from(this.change(path, `${event}\n\n`), "latin1"));
        }
      }
    }
    response.end(isStream ? "" : Buffer.from(this.change(path, rest), "latin1"));
  }
}

/** Forwarded request headers. Browsers with a cached response get the changed one, no 304. */
function passedOn({ headers }: IncomingMessage): Record<string, string> {
  const left = ["host", "connection", "content-length", "transfer-encoding", "if-none-match"];
  const texts = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    typeof value === "string" && !left.includes(name) ? [[name, value]] : [],
  );
  return Object.fromEntries(texts);
}
