import { isUtf8 } from "node:buffer";
import { randomUUID } from "node:crypto";
import { type IncomingMessage, METHODS } from "node:http";
import type { Socket } from "node:net";
import rateLimit from "@fastify/rate-limit";
import { sha256 } from "@moneta/ledger";
import {
  type AnyOperation,
  type AnyRead,
  DERIVED_OPERATIONS,
  explain,
  type Fault,
  faucet,
  OPERATIONS,
  READS,
  Refused,
  type Request,
  readRequest,
  refuse,
} from "@moneta/protocol";
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type HTTPMethods,
  LogController,
} from "fastify";
import type { Service } from "../service.ts";
import { type Answer, json, plain } from "./answer.ts";
import { openApi } from "./openapi.ts";
import { READ_HANDLERS } from "./reads.ts";
import { mergeParameters, type ParameterPlaces } from "./request-parameters.ts";
import { WRITES } from "./writes.ts";

/** A head of 512 KiB lets every documented maximum through the query string. Source: conventions §1.3. */
export const HEAD_BYTES_MAX = 512 * 1024;
/** How long a client may take to send its head, and the whole request: slow ones must not fill the server. */
const HEADERS_TIMEOUT_MS = 20_000;
const REQUEST_TIMEOUT_MS = 60_000;
const KEEP_ALIVE_TIMEOUT_MS = 72_000;
/** How long `Ledger-Height-Min` may wait. Source: conventions §2.3. */
const CATCH_UP_MS = 5000;
const CATCH_UP_STEP_MS = 10;

/** On every answer: what no answer of an API needs a browser to do, and that pages of all origins may call it, as nothing here depends on cookies. */
const COMMON_HEADERS = {
  "X-Content-Type-Options": "nosniff",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers":
    "Transaction-Id, Replay-Nonce, Ledger-Height, Retry-After, Link, ETag, X-Request-Id",
} as const;

/** What a page of another origin may send. */
const PREFLIGHT_HEADERS = {
  "Access-Control-Allow-Methods": "GET, HEAD, POST, PUT",
  "Access-Control-Allow-Headers": "*",
  "Access-Control-Max-Age": "86400",
} as const;

type Body = ParameterPlaces["body"];
const NO_BODY: Body = { kind: "none" };

/** Thrown to the error handler where a library calls us, and there is no other way out. */
class FaultThrown extends Error {
  readonly fault: Fault;

  constructor(fault: Fault) {
    super(fault.code);
    this.fault = fault;
  }
}

/** Makes the server: routes, parsing and documentation all follow from the descriptions. It does not listen yet. */
export async function makeServer(service: Service): Promise<FastifyInstance> {
  const { settings, metrics } = service;
  const app = Fastify({
    logger: { level: settings["log-level"], stream: process.stderr },
    logController: new LogController({ disableRequestLogging: true }),
    // A logger for each request costs more than most requests have to say: the few lines there are name the request themselves.
    childLoggerFactory: (logger) => logger,
    genReqId: (request) => ownRequestId(request) ?? nextRequestId(),
    trustProxy: settings["trust-proxy"] === "yes",
    bodyLimit: settings["body-bytes-max"],
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: {
      maxHeaderSize: HEAD_BYTES_MAX,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requireHostHeader: false,
    },
    return503OnClosing: false,
    exposeHeadRoutes: true,
    routerOptions: {
      ignoreTrailingSlash: true,
      maxParamLength: HEAD_BYTES_MAX,
      // Parsed by us, because malformed encodings must be refused.
      querystringParser: (query) => ({ query }),
    },
    frameworkErrors: (error, request, reply) => sendError(error, request, reply),
    clientErrorHandler: (error, socket) => answerClientError(error, socket, service.queue.height),
  });

  for (const method of METHODS) {
    // All that Node can parse, so that a known path answers 405 rather than 404.
    if (!app.supportedMethods.includes(method) && method !== "CONNECT") {
      app.addHttpMethod(method);
    }
  }
  addBodyParsers(app);
  if (settings["rate-limit"] > 0 || settings["address-rate-limit"] > 0) {
    await app.register(rateLimit, {
      global: settings["rate-limit"] > 0,
      max: settings["rate-limit"],
      timeWindow: 60_000,
      errorResponseBuilder: (_request, { ttl, max }) =>
        new FaultThrown({
          code: "9001",
          retryAfter: Math.ceil(ttl / 1000),
          limit: `${max} requests a minute`,
        }),
    });
  }

  app.addHook("onResponse", (request, reply, done) => {
    metrics.noteRequest({
      route: request.routeOptions.url ?? "",
      method: request.method,
      status: reply.statusCode,
      seconds: reply.elapsedTime / 1000,
    });
    request.log.debug(
      {
        reqId: request.id,
        method: request.method,
        url: request.url.slice(0, 200),
        status: reply.statusCode,
        ms: reply.elapsedTime,
      },
      "request",
    );
    done();
  });
  app.setErrorHandler((error: FastifyError | FaultThrown, request, reply) =>
    sendError(error, request, reply),
  );
  app.setNotFoundHandler((request, reply) =>
    sendFault({ code: "9404", path: request.url.split("?")[0] as string }, request, reply),
  );

  addRoutes(app, service);
  // What a client expects beside `100-continue` changes nothing; Node itself would answer 417 without a word.
  app.server.on("checkExpectation", app.routing);
  return app;

  function sendError(error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const fault = faultOf(error, settings["body-bytes-max"], request);
    if (fault.code === "9500") {
      request.log.error({ err: error, reqId: request.id }, "request failed");
    }
    return sendFault(fault, request, reply);
  }

  function sendFault(fault: Fault, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    return send(reply, request, problemAnswer(fault), explain(fault).status);
  }

  function addRoutes(app: FastifyInstance, service: Service): void {
    const methods = new Map<string, HTTPMethods[]>();
    const add = (
      method: HTTPMethods,
      path: string,
      handler: (
        request: FastifyRequest,
        reply: FastifyReply,
      ) => Promise<FastifyReply> | FastifyReply,
      config: object = {},
    ): void => {
      methods.set(path, [...(methods.get(path) ?? []), method]);
      app.route({ method, url: path, handler, config });
    };

    for (const description of [...OPERATIONS, ...DERIVED_OPERATIONS, ...READS]) {
      if (
        description.route === undefined ||
        (description === faucet && service.faucet === undefined)
      ) {
        continue;
      }
      const [method, path] = description.route.split(" ") as [HTTPMethods, string];
      const isAddress = description.route === "POST /address" && settings["address-rate-limit"] > 0;
      add(
        method,
        path.replaceAll(/\{(\w+)\}/g, ":$1"),
        description.kind === "read" ? readHandler(description) : writeHandler(description),
        isAddress ? { rateLimit: { max: settings["address-rate-limit"] } } : {},
      );
    }
    const document = json(openApi(service));
    add("GET", "/openapi.json", (request, reply) => send(reply, request, document));
    add("GET", "/health", (request, reply) => send(reply, request, json({ status: "up" })));
    add("GET", "/ready", (request, reply) =>
      service.isReady()
        ? send(reply, request, json({ status: "ready", height: service.queue.height }))
        : sendFault(
            { code: "9002", reason: "The service is shutting down", retryAfter: 10 },
            request,
            reply,
          ),
    );
    add("GET", "/metrics", async (request, reply) =>
      send(reply, request, { contentType: metrics.contentType, body: await metrics.text() }),
    );

    // What is known by other methods only: 405 with those that are. A browser may ask about all of them.
    for (const [path, allowed] of methods) {
      app.options(path, (request, reply) =>
        send(reply, request, { ...plain(""), headers: PREFLIGHT_HEADERS }, 204),
      );
      app.route({
        method: app.supportedMethods.filter(
          (method) => !["HEAD", "OPTIONS", ...allowed].includes(method),
        ) as HTTPMethods[],
        url: path,
        handler: (request, reply) =>
          sendFault({ code: "9405", method: request.method, allowed }, request, reply),
      });
    }
  }

  function readHandler(
    description: AnyRead,
  ): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
    const handle = READ_HANDLERS.get(description.name);
    if (handle === undefined) {
      throw new Error(`nothing answers ${description.name}`);
    }
    const cacheControl =
      description.cache === "immutable" ? "public, max-age=31536000, immutable" : "no-store";
    return async (request, reply) => {
      const parsed = await parse(description, request);
      if (parsed instanceof Refused) {
        return sendFault(parsed.fault, request, reply);
      }
      const reader = service.reading();
      const answer = handle(parsed.values, reader, service);
      if (answer instanceof Refused) {
        return sendFault(answer.fault, request, reply);
      }
      const headers: Record<string, string> = { ...answer.headers, "Cache-Control": cacheControl };
      if (description.cache === "never") {
        return send(reply, request, { ...answer, height: reader.height, headers });
      }
      const etag = `"${sha256.hex(answer.body).slice(0, 32)}"`;
      headers["ETag"] = etag;
      return isKnown(request.headers["if-none-match"], etag)
        ? send(reply, request, { ...answer, height: reader.height, headers, body: "" }, 304)
        : send(reply, request, { ...answer, height: reader.height, headers });
    };
  }

  function writeHandler(
    description: AnyOperation,
  ): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
    const handle = WRITES.get(description.name);
    if (handle === undefined) {
      throw new Error(`nothing answers ${description.name}`);
    }
    return async (request, reply) => {
      const parsed = await parse(description, request);
      if (parsed instanceof Refused) {
        return sendFault(parsed.fault, request, reply);
      }
      const header = (name: string): string | undefined => request.headers[name]?.toString();
      const answer = await handle(service, parsed, header);
      return answer instanceof Refused
        ? sendFault(answer.fault, request, reply)
        : send(reply, request, answer);
    };
  }

  async function parse(
    description: AnyOperation | AnyRead,
    request: FastifyRequest,
  ): Promise<Request | Refused> {
    const heightMin = request.headers["ledger-height-min"];
    if (heightMin !== undefined) {
      const refused = await waitForHeight(String(heightMin));
      if (refused !== undefined) {
        return refused;
      }
    }
    const merged = mergeParameters({
      path: request.params as Record<string, string>,
      query: (request.query as { query: string }).query,
      body: (request.body as Body | undefined) ?? NO_BODY,
    });
    return merged instanceof Refused ? merged : readRequest(description, merged);
  }

  /** Source: conventions §2.3. */
  async function waitForHeight(wanted: string): Promise<Refused | undefined> {
    if (!/^(0|[1-9][0-9]{0,14})$/.test(wanted)) {
      const reason = "must be the number of a block";
      return refuse({ code: "3005", parameter: "Ledger-Height-Min", reason });
    }
    const deadline = Date.now() + CATCH_UP_MS;
    while (service.queue.height < Number(wanted)) {
      if (Date.now() >= deadline) {
        return refuse({ code: "9003", height: service.queue.height, wanted: Number(wanted) });
      }
      await new Promise((resolve) => setTimeout(resolve, CATCH_UP_STEP_MS));
    }
    return undefined;
  }

  function send(
    reply: FastifyReply,
    request: FastifyRequest,
    answer: Answer,
    status = 200,
  ): FastifyReply {
    // Written past Fastify, which would add a charset to the content type and look at each header twice.
    reply.hijack();
    reply.raw.writeHead(status, {
      ...COMMON_HEADERS,
      "Ledger-Height": answer.height ?? service.queue.height,
      "Cache-Control": "no-store",
      ...(status >= 400 ? { "X-Request-Id": request.id } : {}),
      ...answer.headers,
      "Content-Type": answer.contentType,
      ...(status === 304 || status === 204
        ? {}
        : { "Content-Length": Buffer.byteLength(answer.body) }),
      // A connection that stays open would keep a service that is shutting down.
      ...(service.isReady() ? {} : { Connection: "close" }),
    });
    reply.raw.end(answer.body);
    return reply;
  }
}

/** Bodies are taken as they are, to be merged with the other parameters. */
function addBodyParsers(app: FastifyInstance): void {
  const textOf = (bytes: Buffer): string => {
    if (!isUtf8(bytes)) {
      throw new FaultThrown({ code: "1006", parameter: undefined, reason: "the body is no UTF-8" });
    }
    return bytes.toString();
  };
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "buffer" },
    async (_request: unknown, bytes: Buffer): Promise<Body> => ({
      kind: "form",
      text: textOf(bytes),
    }),
  );
  app.addContentTypeParser(
    "application/json",
    { parseAs: "buffer" },
    async (_request: unknown, bytes: Buffer): Promise<Body> =>
      bytes.length === 0 ? NO_BODY : { kind: "json", text: textOf(bytes) },
  );
  app.addContentTypeParser(
    "*",
    { parseAs: "buffer" },
    async (request: FastifyRequest, bytes: Buffer): Promise<Body> => {
      if (bytes.length > 0) {
        throw new FaultThrown({ code: "9415", given: request.headers["content-type"] ?? "" });
      }
      return NO_BODY;
    },
  );
}

function faultOf(error: Error, bodyBytesMax: number, request: FastifyRequest): Fault {
  if (error instanceof FaultThrown) {
    return error.fault;
  }
  switch ("code" in error ? error.code : undefined) {
    case "FST_ERR_CTP_BODY_TOO_LARGE":
      return { code: "9413", bytesMax: bodyBytesMax };
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      return { code: "9415", given: request.headers["content-type"] ?? "" };
    case "FST_ERR_CTP_INVALID_CONTENT_LENGTH":
      return {
        code: "1006",
        parameter: undefined,
        reason: "the body is shorter or longer than its Content-Length",
      };
    case "FST_ERR_BAD_URL":
      return {
        code: "1006",
        parameter: undefined,
        reason: "a malformed percent-encoding in the path",
      };
    default:
      return { code: "9500", reference: String(request.id) };
  }
}

function problemAnswer(fault: Fault): Answer {
  const body = JSON.stringify(explain(fault));
  return { contentType: "application/problem+json", body, headers: faultHeaders(fault) };
}

function faultHeaders(fault: Fault): Record<string, string> {
  switch (fault.code) {
    case "9001":
    case "9002":
      return { "Retry-After": String(fault.retryAfter) };
    case "9003":
      return { "Retry-After": "1" };
    case "9405":
      return { Allow: fault.allowed.join(", ") };
    default:
      return {};
  }
}

/** Whether the client has the answer with this tag already. Source: RFC 9110 §13.1.2. */
function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  return (
    ifNoneMatch !== undefined &&
    (ifNoneMatch.trim() === "*" ||
      ifNoneMatch.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag))
  );
}

/** Answers what is no request that a handler could see: a head too large, too slow, or no HTTP at all. */
function answerClientError(error: Error & { code?: string }, socket: Socket, height: number): void {
  // With an answer under way, ours would be taken for the answer to an earlier request.
  const isAnswering = "_httpMessage" in socket && socket._httpMessage !== null;
  if (!socket.writable || isAnswering) {
    socket.destroy();
    return;
  }
  const fault: Fault =
    error.code === "HPE_HEADER_OVERFLOW"
      ? { code: "9431", bytesMax: HEAD_BYTES_MAX }
      : error.code === "ERR_HTTP_REQUEST_TIMEOUT"
        ? { code: "9408", reason: "The request was not complete in time." }
        : { code: "1006", parameter: undefined, reason: "no well-formed HTTP" };
  const { status, title } = explain(fault);
  const { contentType, body } = problemAnswer(fault);
  const headers = Object.entries({
    ...COMMON_HEADERS,
    "Ledger-Height": height,
    "Cache-Control": "no-store",
    "Content-Type": contentType,
    "Content-Length": Buffer.byteLength(body),
    Connection: "close",
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${title}\r\n${headers.join("")}\r\n${body}`);
}

/** Ids are unique in a log and say in which run of the service they were given. */
const RUN = randomUUID().slice(0, 8);
let requests = 0;

function nextRequestId(): string {
  requests += 1;
  return `${RUN}-${requests.toString(36)}`;
}

function ownRequestId(request: IncomingMessage): string | undefined {
  const given = request.headers["x-request-id"];
  return typeof given === "string" && /^[\w.-]{1,64}$/.test(given) ? given : undefined;
}
