import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { finished } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as delay } from "node:timers/promises";
import { cursorText, explain, type Fault } from "@moneta/protocol";
import type { FastifyReply, FastifyRequest } from "fastify";
import { ClientShares } from "../../client-shares.ts";
import type { Service } from "../../service.ts";
import { clientOf } from "../requests/client-name.ts";
import { elementId } from "../requests/list-element.ts";
import { loggedRequest } from "../requests/logged-request.ts";

export interface Answer {
  readonly contentType: string;
  readonly body: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  /** By default the newest of all. */
  readonly height?: number;
  /** Undefined at the end of the list. */
  readonly next?: Readonly<Record<string, string>>;
}

/** Its parts are made as the client reads them. */
export interface ChunkedAnswer extends Omit<Answer, "body" | "next"> {
  readonly chunks: AsyncIterable<string>;
}

/** Continues until the client or the node ends it. */
export interface StreamAnswer {
  readonly contentType: string;
  begin(response: ServerResponse): void;
}

export function json(value: unknown, headers?: Readonly<Record<string, string>>): Answer {
  return jsonText(JSON.stringify(value), headers);
}

export function jsonText(body: string, headers?: Readonly<Record<string, string>>): Answer {
  return { contentType: "application/json", body, ...(headers === undefined ? {} : { headers }) };
}

export function plain(body: string, headers?: Readonly<Record<string, string>>): Answer {
  return {
    contentType: "text/plain; charset=utf-8",
    body,
    ...(headers === undefined ? {} : { headers }),
  };
}

export interface AskedList {
  readonly list: string;
  readonly values: object;
}

/** `last` goes into the cursor; `archive` has older entries. Source: chain §10. */
export function listPage(
  items: readonly string[],
  { list, values }: AskedList,
  last: number | string | undefined,
  archive?: string,
): Answer {
  const listed = `{"items":[${items.join(",")}]`;
  if (last === undefined) {
    return jsonText(
      archive === undefined ? `${listed}}` : `${listed},"archive":${JSON.stringify(archive)}}`,
    );
  }
  const cursor = cursorText(list, last, { ...values });
  return { ...jsonText(`${listed},"cursor":${JSON.stringify(cursor)}}`), next: { cursor } };
}

/** Source: chain §10. */
export const PAGE = 50;
export const PAGE_MAX = 100;

/** 200 without content. Source: tokens §1.3. */
export function nothing(headers: Readonly<Record<string, string>>): Answer {
  return plain("", headers);
}

/** Source: conventions §3. */
export function problem(
  fault: Fault,
  element?: string,
  index?: number,
): Answer & { readonly status: number } {
  const explained = { ...explain(fault, element), index };
  return {
    status: explained.status,
    contentType: "application/problem+json",
    body: JSON.stringify(explained),
    headers: faultHeaders(fault),
  };
}

/** Seconds; undefined if a retry is useless. */
export function retryAfterOf(fault: Fault): number | undefined {
  switch (fault.code) {
    case "9001":
    case "9002":
    case "9004":
    case "9006":
      return fault.retryAfter;
    case "9003":
      return 1;
    default:
      return undefined;
  }
}

function faultHeaders(fault: Fault): Record<string, string> {
  switch (fault.code) {
    case "9001":
    case "9002":
    case "9003":
    case "9004":
    case "9006":
      return { "Retry-After": String(retryAfterOf(fault)) };
    case "3102":
    case "3103":
    case "3104":
    case "3105":
    case "3106":
      // The status 405 of POST /address requires the header.
      return explain(fault).status === 405 ? { Allow: "POST" } : {};
    case "9405":
      return { Allow: fault.allowed.join(", ") };
    case "9415":
      return "encoding" in fault ? { "Accept-Encoding": "identity" } : {};
    default:
      return {};
  }
}

/** Access from all origins, because nothing here depends on cookies. */
export const COMMON_HEADERS = {
  "X-Content-Type-Options": "nosniff",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers":
    "Transaction-Id, Replay-Nonce, Ledger-Height, Ledger-Age, Location, Retry-After, Link, ETag, X-Request-Id, Date",
  "Cache-Control": "no-store",
} as const;

/** A proxy that terminates TLS adds its own. Source: RFC 6797. */
const STRICT_TRANSPORT = { "Strict-Transport-Security": "max-age=31536000" } as const;

/** Neither a body nor a length. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 304]);

/** In parts; the client reads nothing meanwhile. */
const STALLED_MS = 60_000;
/** Smaller responses are sent almost at once. */
const LARGE_BYTES = 64 << 10;
/** Unread by slow clients. Fifty requests for blocks of 16 MiB would exhaust the memory. */
const WAITING_BYTES_MAX = 256 << 20;
const WAIT_AGAIN_MS = 100;
const RETRY_AFTER = 10;

/** Only a short rest of a request is read, to keep the connection. */
const UNREAD_BYTES_MAX = 1 << 20;

function isLongAndUnread({ complete, headers }: IncomingMessage): boolean {
  return !complete && !(Number(headers["content-length"]) <= UNREAD_BYTES_MAX);
}

type SenderService = Pick<Service, "height" | "isEnding" | "operatorEvents"> &
  Partial<Pick<Service, "log">>;

/** Source: conventions §2.3. */
export class Sender {
  readonly #service: SenderService;
  readonly #waiting: ClientShares;

  constructor(service: SenderService, waitingBytesMax: number = WAITING_BYTES_MAX) {
    this.#service = service;
    this.#waiting = new ClientShares(waitingBytesMax);
  }

  /** Refuses a large response while too many bytes of others are unread. */
  send(request: FastifyRequest, reply: FastifyReply, answer: Answer, status = 200): FastifyReply {
    if (reply.raw.headersSent) {
      return reply.hijack(); // refused while its body was being read
    }
    const { body, headers } = answer;
    const bytes = Buffer.byteLength(body);
    if (bytes > LARGE_BYTES && request.method !== "HEAD") {
      const client = clientOf(request.ip);
      if (this.#waiting.isOver(client, bytes)) {
        const reason = "Too many clients have not read what they were sent";
        return this.refuse(request, reply, { code: "9002", reason, retryAfter: RETRY_AFTER });
      }
      this.#waiting.add(client, bytes);
      // Unlike an event, also for an earlier disconnection.
      finished(reply.raw, () => this.#waiting.remove(client, bytes));
    }
    this.#writeHead(reply, status, answer, {
      ...(status >= 400 ? { "X-Request-Id": request.id } : {}),
      ...headers,
      ...(WITHOUT_BODY.has(status) ? {} : { "Content-Length": bytes }),
    });
    // ASCII, which the socket takes without encoding it.
    reply.raw.end(body, bytes === body.length ? "latin1" : "utf8");
    return reply;
  }

  /** Each once the client has read the one before. Disconnects a stalled client. */
  sendChunks(request: FastifyRequest, reply: FastifyReply, answer: ChunkedAnswer): FastifyReply {
    this.#writeHead(reply, 200, answer, answer.headers);
    if (request.method === "HEAD") {
      reply.raw.end();
      return reply;
    }
    reply.raw.setTimeout(STALLED_MS, () => cut(reply.raw));
    pipeline(this.#counted(answer.chunks, reply.raw, clientOf(request.ip)), reply.raw).catch(
      (thrown: Error & { code?: string }) => {
        // A response that failed is cut, so that it does not look complete.
        if (thrown.code !== "ERR_STREAM_PREMATURE_CLOSE") {
          request.log.error({ err: thrown, ...loggedRequest(request) }, "answer broken off");
        }
      },
    );
    return reply;
  }

  /** Each part is made only while few bytes of others are unread. */
  async *#counted(
    chunks: AsyncIterable<string>,
    response: ServerResponse,
    client: string,
  ): AsyncGenerator<string> {
    const parts = chunks[Symbol.asyncIterator]();
    const next = (): Promise<IteratorResult<string>> =>
      parts.next().catch((thrown: unknown) => {
        cut(response);
        throw thrown;
      });
    for (;;) {
      while (this.#waiting.isOver(client)) {
        await delay(WAIT_AGAIN_MS);
      }
      const { done, value: part } = await next();
      if (done === true) {
        return;
      }
      const bytes = Buffer.byteLength(part);
      this.#waiting.add(client, bytes);
      try {
        yield part;
      } finally {
        this.#waiting.remove(client, bytes);
      }
    }
  }

  #writeHead(
    reply: FastifyReply,
    status: number,
    { contentType, height }: Pick<Answer, "contentType" | "height">,
    headers: OutgoingHttpHeaders = {},
  ): void {
    // Fastify would add a charset and check each header twice.
    reply.hijack();
    reply.raw.writeHead(status, {
      ...COMMON_HEADERS,
      "Ledger-Height": height ?? this.#service.height(),
      ...this.#service.log?.ageHeader,
      ...headers,
      "Content-Type": contentType,
      ...("encrypted" in reply.raw.req.socket ? STRICT_TRANSPORT : {}),
      // It would delay a shutdown, or carry the rest of a large request.
      ...(this.#service.isEnding() || isLongAndUnread(reply.request.raw)
        ? { Connection: "close" }
        : {}),
    });
  }

  /** The caller writes the parts. Clients of HTTP/1.0 read until the connection ends. */
  begin(reply: FastifyReply, contentType: string): ServerResponse {
    // The request may end long after the response has begun.
    this.#writeHead(
      reply,
      200,
      { contentType },
      { "X-Accel-Buffering": "no", Connection: "close" },
    );
    reply.raw.flushHeaders();
    return reply.raw;
  }

  /** Source: chain §11. */
  stream(request: FastifyRequest, reply: FastifyReply, answer: StreamAnswer): FastifyReply {
    const { raw } = reply;
    if (raw.destroyed || raw.socket === null || raw.socket.destroyed) {
      return reply.hijack(); // the client did not wait for it
    }
    // Without chunks Python's requests waits for a full buffer, with chunks fopen of PHP does, which
    // sends this header.
    if (/\bclose\b/i.test(request.headers.connection ?? "")) {
      raw.removeHeader("Transfer-Encoding");
    }
    const response = this.begin(reply, answer.contentType);
    if (request.method === "HEAD") {
      response.end();
    } else {
      answer.begin(response);
    }
    return reply;
  }

  /** `height`: the block that the refusal reflects, by default the newest. */
  refuse(
    request: FastifyRequest,
    reply: FastifyReply,
    fault: Fault,
    height?: number,
  ): FastifyReply {
    return this.#sendProblem(request, reply, { fault, of: request, height });
  }

  refuseMember(
    request: FastifyRequest,
    reply: FastifyReply,
    refused: { readonly fault: Fault; readonly index: number; readonly of: object },
  ): FastifyReply {
    return this.#sendProblem(request, reply, refused);
  }

  #sendProblem(
    request: FastifyRequest,
    reply: FastifyReply,
    {
      fault,
      index,
      of,
      height = this.#service.height(),
    }: {
      readonly fault: Fault;
      readonly index?: number;
      readonly of: object;
      readonly height?: number | undefined;
    },
  ): FastifyReply {
    this.#service.operatorEvents.emit("problem", fault.code);
    const answer = problem(fault, elementId(of, fault), index);
    return this.send(request, reply, { ...answer, height }, answer.status);
  }
}

/** Without chunks the end of the connection would look like that of the response. */
function cut(response: ServerResponse): void {
  const { socket } = response;
  if (socket === null || "encrypted" in socket) {
    response.destroy();
  } else {
    socket.resetAndDestroy();
  }
}
