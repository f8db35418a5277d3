import { randomUUID } from "node:crypto";
import { type IncomingMessage, METHODS } from "node:http";
import type { Socket } from "node:net";
import rateLimit from "@fastify/rate-limit";
import { SyncFailure } from "@moneta/ledger";
import { address, batch, type Fault } from "@moneta/protocol";
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from "fastify";
import { SignedTreeFailure } from "../data-directory/signed-tree-file.ts";
import type { Service } from "../service.ts";
import type { Settings } from "../settings.ts";
import { BatchStreams } from "./batches/batch-streams.ts";
import { type Connections, NO_ROOM_FOR_HEAD, TOO_MANY_CONNECTIONS } from "./connections.ts";
import { HEAD_BYTES_MAX, PATH_RULES } from "./path-rules.ts";
import { addBodyParsers, holdsBodyBack } from "./requests/body.ts";
import { clientOf } from "./requests/client-name.ts";
import { FaultThrown, faultOf } from "./requests/fault-thrown.ts";
import { loggedRequest } from "./requests/logged-request.ts";
import { ReceivedBodies } from "./requests/received-bodies.ts";
import { COMMON_HEADERS, problem, Sender } from "./responses/answer.ts";
import { addRoutes } from "./routes.ts";

/** Slow clients must not fill the server. */
const HEADERS_TIMEOUT_MS = 20_000;
const REQUEST_TIMEOUT_MS = 60_000;
const KEEP_ALIVE_TIMEOUT_MS = 72_000;
/** How often Node applies these limits. */
export const CHECKING_INTERVAL_MS = 2_000;

const MINUTE_MS = 60_000;

/** Served although the log's history has changed. Source: cluster §6. */
const SERVED_ALWAYS = /^\/(health|metrics|ready)\/?(\?|$)/;

const BATCH = batch.route?.split(" ")[1];

/** Source: docs/operating.md, Monitoring. */
const OPERATOR_ROUTES: ReadonlySet<string> = new Set(["/metrics"]);

const noSchema = (): never => {
  throw new Error("no route has a schema");
};
/** Fastify would load its compilers, 80 ms of each start. */
const NO_SCHEMAS = { buildValidator: noSchema, buildSerializer: noSchema };

/** Does not listen yet. Routes, parsing and documentation follow from the descriptions. */
export async function makeServer(
  service: Service,
  connections: Connections,
  log: FastifyBaseLogger,
): Promise<FastifyInstance> {
  const { settings } = service;
  const hops = settings["trust-proxy"];
  const sender = new Sender(service);
  const faultThrown = (error: Error, request: FastifyRequest): Fault => {
    if (error instanceof SyncFailure) {
      service.onFailure(error);
    }
    const fault = faultOf(error, request);
    if (fault.code === "9500" || error instanceof SignedTreeFailure) {
      request.log.error({ err: error, ...loggedRequest(request) }, "request failed");
    }
    return fault;
  };
  const sendError = (error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    sender.refuse(request, reply, faultThrown(error, request));

  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    // A logger for each request is expensive.
    childLoggerFactory: (logger) => logger,
    genReqId: (request) => ownRequestId(request) ?? nextRequestId(),
    trustProxy: hops === 0 ? false : (_address, hop) => hop < hops,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: {
      maxHeaderSize: HEAD_BYTES_MAX,
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: CHECKING_INTERVAL_MS,
      requireHostHeader: false,
    },
    return503OnClosing: false,
    schemaController: { compilersFactory: NO_SCHEMAS },
    exposeHeadRoutes: true,
    routerOptions: {
      ...PATH_RULES,
      // Malformed encodings must be refused.
      querystringParser: (query) => ({ query }),
    },
    frameworkErrors: sendError,
    clientErrorHandler: (error, socket) => {
      answerClientError({ fault: clientFault(error, settings), socket, service, connections });
    },
  });
  connections.watch(app.server);
  // By the route, so that no spelling of a path passes.
  const isClosed = (route: string, socket: Socket): boolean =>
    OPERATOR_ROUTES.has(route) &&
    settings["operator-listen"] !== "public" &&
    !connections.isOperator(socket);

  for (const method of METHODS) {
    // A known path returns 405 rather than 404 for all methods that Node parses.
    if (!app.supportedMethods.includes(method) && method !== "CONNECT") {
      app.addHttpMethod(method);
    }
    if (method === "QUERY") {
      // Fastify would fail without a Content-Type.
      app.addHttpMethod(method, { overrideExisting: true });
    }
  }
  app.addHook("onRequest", async (request, reply) => {
    const reason = whyNotHttp(request.raw);
    if (reason !== undefined) {
      reply.raw.shouldKeepAlive = false;
      throw new FaultThrown({ code: "1006", parameter: undefined, reason });
    }
    const { url: route = "" } = request.routeOptions;
    if (isClosed(route, request.raw.socket)) {
      throw new FaultThrown({ code: "9404", path: pathOf(request) });
    }
    if (request.is404 && holdsBodyBack(request.raw)) {
      throw new FaultThrown({ code: "9404", path: pathOf(request) });
    }
    if (SERVED_ALWAYS.test(request.url)) {
      return;
    }
    const fault = service.log?.fault;
    if (fault !== undefined) {
      throw new FaultThrown(fault);
    }
    if (connections.isReserved(request.raw.socket)) {
      reply.raw.shouldKeepAlive = false;
      throw new FaultThrown(NO_ROOM_FOR_CONNECTION);
    }
    if (connections.hasTooMany(clientOf(request.ip), reply.raw)) {
      throw new FaultThrown(tooManyConnections(settings));
    }
  });
  addBodyParsers(
    app,
    new ReceivedBodies(settings["body-bytes-max"]),
    (request) => request.routeOptions.url === BATCH && BatchStreams.takes(request),
  );
  noteRequests(app, service);
  app.setErrorHandler(sendError);
  app.setNotFoundHandler((request, reply) =>
    sender.refuse(request, reply, { code: "9404", path: pathOf(request) }),
  );
  const limit = await limitRequests(app, settings["rate-limit"]);
  const addressesMax = settings["address-rate-limit"];
  addRoutes(
    app,
    service,
    sender,
    {
      own: {
        [address.name]: addressesMax === 0 ? undefined : limit.own(addressesMax, "new addresses"),
      },
      all: limit.all,
    },
    (thrown, request) => faultThrown(thrown as Error, request),
  );
  app.server.on("connect", (_request: IncomingMessage, socket: Socket) => {
    const fault: Fault = { code: "9405", method: "CONNECT", allowed: ["GET", "POST", "PUT"] };
    answerClientError({ fault, socket, service, connections });
  });
  return app;
}

/**
 * By client and minute, 0 for no limit; further limits count well-formed requests.
 * Source: accounts §4.
 */
async function limitRequests(
  app: FastifyInstance,
  max: number,
): Promise<{ readonly all: Count; readonly own: (max: number, what: string) => Count }> {
  await app.register(rateLimit, {
    global: max > 0,
    max,
    timeWindow: MINUTE_MS,
    keyGenerator: ({ ip }) => clientOf(ip),
    errorResponseBuilder: (_request, { ttl }) => new FaultThrown(tooMany(max, "requests", ttl)),
  });
  if (max > 0) {
    const count = app.rateLimit();
    app.addHook("onRequest", async function (request, reply) {
      if (request.is404) {
        await count.call(this, request, reply);
      }
    });
  }
  const counting =
    (limit: ReturnType<typeof app.createRateLimit>, most: number, what: string): Count =>
    async (request) => {
      const answer = await limit(request);
      return answer.isAllowed || !answer.isExceeded ? undefined : tooMany(most, what, answer.ttl);
    };
  return {
    // Without options it counts where all requests are counted.
    all: max === 0 ? async () => undefined : counting(app.createRateLimit(), max, "requests"),
    own: (ownMax, what) =>
      counting(
        app.createRateLimit({
          max: ownMax,
          timeWindow: MINUTE_MS,
          keyGenerator: ({ ip }) => clientOf(ip),
        }),
        ownMax,
        what,
      ),
  };
}

function tooManyConnections({ "connections-per-client-max": max }: Settings): Fault {
  return { code: "9001", retryAfter: 1, limit: `${max} connections of one client` };
}

const NO_ROOM_FOR_CONNECTION: Fault = {
  code: "9002",
  reason: "Too many connections are open",
  retryAfter: 1,
};

type Count = (request: FastifyRequest) => Promise<Fault | undefined>;

function tooMany(max: number, what: string, waitMs: number): Fault {
  return {
    code: "9001",
    retryAfter: Math.ceil(waitMs / 1000),
    limit: `${max} ${what} a minute from one client`,
  };
}

function pathOf({ url }: FastifyRequest): string {
  return url.split("?")[0] as string;
}

function noteRequests(app: FastifyInstance, { operatorEvents, settings }: Service): void {
  const isLogged = ["debug", "trace"].includes(settings["log-level"]);
  app.addHook("onResponse", (request, reply, done) => {
    const { method } = request;
    const { statusCode: status, elapsedTime } = reply;
    const route = request.routeOptions.url ?? "";
    operatorEvents.emit("request", { route, method, status, seconds: elapsedTime / 1000 });
    if (isLogged) {
      const ms = Math.round(elapsedTime * 1000) / 1000;
      // Nothing that the client wrote: users have pasted private keys into paths.
      request.log.debug({ ...loggedRequest(request), method, route, status, ms }, "request");
    }
    done();
  });
}

/** As HTTP/1.1 or 1.0. Source: RFC 9112 §2.3, §3.2. */
function whyNotHttp({ httpVersion, rawHeaders }: IncomingMessage): string | undefined {
  if (httpVersion !== "1.1" && httpVersion !== "1.0") {
    return `it is in HTTP/${httpVersion}, and HTTP/1.1 is spoken here`;
  }
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() === "host") {
      hosts += 1;
    }
  }
  return hosts > 1
    ? "it has more than one Host header"
    : hosts === 0 && httpVersion === "1.1"
      ? "it has no Host header"
      : undefined;
}

function answerClientError(refused: {
  readonly fault: Fault;
  readonly socket: Socket;
  readonly service: Pick<Service, "height" | "operatorEvents">;
  readonly connections: Connections;
}): void {
  const { fault, socket, service, connections } = refused;
  if (connections.isEnding(socket)) {
    return; // the rest of a refused one
  }
  const isRefused = fault.code === "9001"; // before it was taken in
  if (!socket.writable || !(connections.has(socket) || isRefused)) {
    socket.destroy(); // also after a TLS handshake that did not end in time
    return;
  }
  const answer = problem(fault);
  const headers = {
    ...COMMON_HEADERS,
    "Ledger-Height": service.height(),
    ...answer.headers,
    "Content-Type": answer.contentType,
    "Content-Length": Buffer.byteLength(answer.body),
    Connection: "close",
  };
  const response = connections.answering(socket);
  if (response === undefined) {
    service.operatorEvents.emit("problem", fault.code);
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`HTTP/1.1 ${answer.status} \r\n${lines.join("")}\r\n${answer.body}`);
    if (isRefused) {
      socket.destroySoon();
    } else {
      connections.end(socket);
    }
  } else if (response.req.complete) {
    // An earlier request is answered first.
    response.once("close", () => answerClientError(refused));
  } else if (response.headersSent) {
    response.once("close", () => connections.end(socket));
  } else {
    service.operatorEvents.emit("problem", fault.code);
    response.writeHead(answer.status, headers).end(answer.body);
  }
}

const HEADS_UNDER_WAY = "Too many heads of requests are under way, in all or of this client";

function clientFault({ code }: { readonly code?: string }, settings: Settings): Fault {
  switch (code) {
    case TOO_MANY_CONNECTIONS:
      return tooManyConnections(settings);
    case "HPE_HEADER_OVERFLOW":
      return { code: "9431", bytesMax: HEAD_BYTES_MAX };
    case NO_ROOM_FOR_HEAD:
      return { code: "9002", reason: HEADS_UNDER_WAY, retryAfter: 1 };
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return { code: "9408", reason: "The request was not complete in time." };
    default:
      return { code: "1006", parameter: undefined, reason: "no well-formed HTTP" };
  }
}

/** Unique in a log; they name the run of the service. */
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
