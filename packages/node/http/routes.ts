import { setImmediate as nextTurn } from "node:timers/promises";
import { type LedgerReader, NotKept } from "@moneta/ledger";
import {
  type AnyOperation,
  type AnyRead,
  addressTransactions,
  batch,
  bundle,
  type Fault,
  group,
  OPERATIONS,
  type Parameters,
  RESERVED_WORDS,
  Refused,
  type Request,
  refuse,
  requestReader,
} from "@moneta/protocol";
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from "fastify";
import type { Service } from "../service.ts";
import type { BatchLimits } from "./batches/batch-limits.ts";
import { Batches } from "./batches/batches.ts";
import { Bundles } from "./batches/bundles.ts";
import { Groups } from "./batches/groups.ts";
import { OtherMethods } from "./other-methods.ts";
import { addPages, hasPages, wantsPage } from "./pages.ts";
import { readArchived } from "./reads/archived-reads.ts";
import { isPast, readerAsOf, refusedPast } from "./reads/as-of.ts";
import { CsvLists, type WantedCsv } from "./reads/csv-lists.ts";
import type { ReadHandler, Reply } from "./reads/read-handler.ts";
import { READ_HANDLERS } from "./reads/reads.ts";
import { proveRead } from "./reads/state-proofs.ts";
import { addReference } from "./reference/reference.ts";
import { type Body, holdsBodyBack, NO_BODY } from "./requests/body.ts";
import { clientOf } from "./requests/client-name.ts";
import { refusedHeight } from "./requests/height-wait.ts";
import { noteList } from "./requests/list-element.ts";
import { mergeParameters } from "./requests/request-parameters.ts";
import { TurnBudget } from "./requests/turn-budget.ts";
import { type Answer, json, plain, type Sender } from "./responses/answer.ts";
import { csvColumns, statementForm, wantsCsv } from "./responses/csv-answer.ts";
import { entityTag, isKnown } from "./responses/entity-tag.ts";
import { servedDescriptions } from "./served-descriptions.ts";
import { WRITES } from "./writes/writes.ts";
import { isForWriters, leadElsewhere } from "./writes/writes-elsewhere.ts";

type Handler = (
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<FastifyReply> | FastifyReply;

type BeforeBody = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

type Limit = (request: FastifyRequest) => Promise<Fault | undefined>;

const READS_TURN_MS = 10;

/** Takes some milliseconds to read. */
const LARGE_BODY = 256 * 1024;

/** A misspelt check would find a node ready that takes no writes. */
const NO_PURPOSE: Fault = {
  code: "3005",
  parameter: "for",
  reason: 'must be "writes" or left out',
};

const PREFLIGHT_HEADERS = {
  "Access-Control-Allow-Methods": "GET, HEAD, POST, PUT",
  "Access-Control-Allow-Headers": "*",
  "Access-Control-Max-Age": "86400",
} as const;

export function addRoutes(
  app: FastifyInstance,
  service: Service,
  sender: Sender,
  limits: {
    readonly own: { readonly [operation: string]: Limit | undefined };
    readonly all: Limit;
  },
  faultOf: BatchLimits["faultOf"],
): void {
  const batches = new Batches(service, sender, {
    countRequest: limits.all,
    countOperation: async (name, request) => await limits.own[name]?.(request),
    faultOf,
  });
  const groups = new Groups(service, sender, { countRequest: limits.all });
  const bundles = new Bundles(service, sender, { countRequest: limits.all });
  const takeStream: BeforeBody = (request, reply) => batches.takeStream(request, reply);
  const budget = new TurnBudget(READS_TURN_MS);
  const csvLists = new CsvLists(service, sender, budget);
  const elsewhere: Handler = (request, reply) =>
    leadElsewhere(request, reply, { settings: service.settings, sender });
  const known = new KnownPaths();
  const add = (
    method: HTTPMethods,
    path: string,
    handler: Handler,
    {
      isWrite = false,
      beforeBody,
    }: {
      readonly isWrite?: boolean;
      readonly beforeBody?: BeforeBody | undefined;
    } = {},
  ): void => {
    // HEAD must not write.
    const hasHead = method === "GET" && !isWrite;
    known.add(path, hasHead ? [method, "HEAD"] : [method]);
    const hooks = {
      ...(beforeBody === undefined ? {} : { preParsing: beforeBody }),
      ...(handler === elsewhere ? { onRequest: beforeBodyOf(elsewhere) } : {}),
    };
    app.route({ method, url: path, handler, exposeHeadRoute: hasHead, ...hooks });
  };

  for (const description of servedDescriptions(service)) {
    if (description.route === undefined) {
      continue;
    }
    const own =
      service.isFollower && isForWriters(description)
        ? elsewhere
        : description.kind === "read"
          ? orPages(
              description,
              readHandler(description, service, sender, { budget, csvLists, count: limits.all }),
              service,
              sender,
            )
          : description.name === batch.name
            ? (request: FastifyRequest, reply: FastifyReply) => batches.handle(request, reply)
            : description.name === group.name
              ? (request: FastifyRequest, reply: FastifyReply) => groups.handle(request, reply)
              : description.name === bundle.name
                ? (request: FastifyRequest, reply: FastifyReply) => bundles.handle(request, reply)
                : writeHandler(description, service, sender, limits.own[description.name]);
    const sharing = OPERATIONS.find(({ sharedRoute }) => sharedRoute?.route === description.route);
    const handler =
      sharing === undefined || own === elsewhere
        ? own
        : sharedHandler(own, sharing, writeHandler(sharing, service, sender, undefined));
    for (const route of [description.route, ...(description.otherRoutes ?? [])]) {
      const [method, path] = route.split(" ") as [HTTPMethods, string];
      const { url, rest } = urlOf(path, description.parameters);
      add(method, url, restNamed(handler, rest), {
        isWrite: description.kind === "write",
        beforeBody: description.name === batch.name ? takeStream : undefined,
      });
    }
  }
  addOwnRoutes(add, service, sender);

  const addPreflight = (path: string): void => {
    app.options(path, (request, reply) =>
      sender.send(request, reply, plain("", PREFLIGHT_HEADERS), 204),
    );
  };
  const usual = known.allMethods();
  const others = new OtherMethods();
  const refuseOthers = (
    url: string,
    methods: readonly string[],
    refuse: (request: FastifyRequest, reply: FastifyReply) => FastifyReply,
  ): void => {
    const method = usual.filter((one) => !methods.includes(one)) as HTTPMethods[];
    app.route({ method, url, handler: refuse, onRequest: beforeBodyOf(refuse) });
    others.add(url, refuse);
  };

  // Never ids: 404 for any method, unless they have a route. Source: tokens §1.2.
  for (const [path, words] of Object.entries(RESERVED_WORDS)) {
    for (const word of words) {
      const url = `${path}/${word}`;
      const own = known.methods(url);
      const answered = own.length > 0 ? [...own, "OPTIONS"] : [];
      refuseOthers(url, answered, (request, reply) =>
        sender.refuse(request, reply, { code: "9404", path: url }),
      );
      if (answered.length > 0) {
        addPreflight(url);
      }
      known.remove(url);
    }
  }
  // 405 with the allowed methods. Browsers may send preflight requests to all.
  for (const { path, methods } of known.all()) {
    addPreflight(path);
    const allowed = methods.filter((method) => method !== "HEAD");
    refuseOthers(path, [...methods, "OPTIONS"], (request, reply) =>
      sender.refuse(request, reply, { code: "9405", method: request.method, allowed }),
    );
  }
  app.route({
    method: app.supportedMethods.filter((method) => !usual.includes(method)) as HTTPMethods[],
    url: "/*",
    handler: (request, reply) => others.find(request.url)?.(request, reply) ?? reply.callNotFound(),
  });
}

/** If the handler needs no body and the client waits to send it. */
function beforeBodyOf(handler: Handler): BeforeBody {
  return async (request, reply) => {
    if (holdsBodyBack(request.raw)) {
      await handler(request, reply);
    }
  };
}

function urlOf(path: string, parameters: Parameters): { url: string; rest: string | undefined } {
  const rest = Object.keys(parameters).find(
    (name) => parameters[name]?.hasSlashes === true && path.endsWith(`{${name}}`),
  );
  const url = rest === undefined ? path : path.replace(`{${rest}}`, "*");
  return { url: url.replaceAll(/\{(\w+)\}/g, ":$1"), rest };
}

function restNamed(handler: Handler, name: string | undefined): Handler {
  return name === undefined
    ? handler
    : (request, reply) => {
        const { "*": rest = "", ...others } = request.params as Record<string, string>;
        request.params = { ...others, [name]: rest };
        return handler(request, reply);
      };
}

/** Paths that differ only in the names of their parameters are one. */
class KnownPaths {
  readonly #paths: Map<string, { readonly path: string; readonly methods: readonly string[] }> =
    new Map();

  add(path: string, methods: readonly string[]): void {
    const known = this.#paths.get(shapeOf(path));
    this.#paths.set(shapeOf(path), {
      path: known?.path ?? path,
      methods: [...(known?.methods ?? []), ...methods],
    });
  }

  methods(path: string): readonly string[] {
    return this.#paths.get(shapeOf(path))?.methods ?? [];
  }

  remove(path: string): void {
    this.#paths.delete(shapeOf(path));
  }

  allMethods(): readonly string[] {
    const used = [...this.#paths.values()].flatMap(({ methods }) => methods);
    return [...new Set([...used, "OPTIONS"])];
  }

  all(): Iterable<{ readonly path: string; readonly methods: readonly string[] }> {
    return this.#paths.values();
  }
}

function shapeOf(path: string): string {
  return path.replaceAll(/:\w+/g, ":");
}

function addOwnRoutes(
  add: (method: HTTPMethods, path: string, handler: Handler) => void,
  service: Service,
  sender: Sender,
): void {
  addReference(add, service, sender);
  addPages(add, service, sender);
  add("GET", "/health", (request, reply) => sender.send(request, reply, json({ status: "up" })));
  add("GET", "/ready", (request, reply) => {
    const { query } = request.query as { query: string };
    const purposes = new URLSearchParams(query).getAll("for");
    const fault = purposes.every((purpose) => purpose === "writes")
      ? unready(service, purposes.length > 0)
      : NO_PURPOSE;
    if (fault !== undefined) {
      return sender.refuse(request, reply, fault);
    }
    const height = service.height();
    const { text: writes } = service.writes;
    const log = service.log && { log: service.isFollower ? "followed" : "shared" };
    return sender.send(request, reply, json({ status: "ready", height, writes, ...log }));
  });
  add("GET", "/metrics", async (request, reply) => {
    const { metrics } = service;
    const body = await metrics.text();
    return sender.send(request, reply, { contentType: metrics.contentType, body });
  });
}

/** Source: cluster §4. */
function unready({ isReady, log, writes }: Service, isForWrites: boolean): Fault | undefined {
  if (!isReady()) {
    return { code: "9002", reason: "The service is shutting down", retryAfter: 10 };
  }
  if (log?.unready !== undefined) {
    return log.unready;
  }
  return isForWrites ? writes.unready : undefined;
}

/** Leads browsers to the explorer, if the node serves it. Source: explorer. */
function orPages({ route }: AnyRead, handler: Handler, service: Service, sender: Sender): Handler {
  if (route !== "GET /" || !hasPages(service)) {
    return handler;
  }
  return (request, reply) => {
    reply.raw.setHeader("Vary", "Accept");
    return wantsPage(request.headers.accept)
      ? sender.send(request, reply, plain("", { Location: "explorer" }), 303)
      : handler(request, reply);
  };
}

/** If the id is of the other operation's kind. */
function sharedHandler(own: Handler, { sharedRoute }: AnyOperation, other: Handler): Handler {
  return (request, reply) => {
    const [id = ""] = Object.values(request.params as Record<string, string>);
    if (sharedRoute?.when(id) !== true) {
      return own(request, reply);
    }
    request.params = { [sharedRoute.parameter]: id };
    return other(request, reply);
  };
}

function readHandler(
  description: AnyRead,
  service: Service,
  sender: Sender,
  {
    budget,
    csvLists,
    count,
  }: { readonly budget: TurnBudget; readonly csvLists: CsvLists; readonly count: Limit },
): Handler {
  const handle = READ_HANDLERS.get(description.name);
  if (handle === undefined) {
    throw new Error(`nothing answers ${description.name}`);
  }
  const columns = csvColumns(description);
  return async (request, reply) => {
    const parsed = await parse(description, service, request);
    if (parsed instanceof Refused) {
      return sender.refuse(request, reply, parsed.fault);
    }
    const late =
      (await service.caughtUp()) ??
      (description.isAsOf && (await refusedPast(parsed.values, service, request.raw.socket)));
    if (late !== undefined) {
      return sender.refuse(request, reply, late.fault);
    }
    const { countsAs } = description;
    const requests = countsAs === undefined ? 1 : Number(parsed.values[countsAs] ?? 1);
    for (let one = 1; one < requests; one += 1) {
      const exceeded = await count(request);
      if (exceeded !== undefined) {
        return sender.refuse(request, reply, exceeded);
      }
    }
    const header = (name: string): string | undefined => request.headers[name]?.toString();
    const client = (): string => clientOf(request.ip);
    const later = async <T>(part: (reader: LedgerReader) => T): Promise<T> => {
      await nextTurn();
      return await budget.run(() => part(service.reading()));
    };
    const about = { header, client, later, socket: request.raw.socket };
    const { archive } = service;
    const archived = (notKept: NotKept): Reply => {
      const { since, given } = notKept.fault;
      // The archive has no index by ids that do not name a block.
      const found =
        archive === undefined || given !== undefined
          ? undefined
          : readArchived(description, parsed.values, {
              ...{ service, since, later, socket: about.socket },
              ask: (message) => archive.read(message, { client, notKept }),
            });
      return found ?? refuse({ ...notKept.fault, archive: archive?.url });
    };
    if (columns !== undefined && wantsCsv(request.headers.accept)) {
      const { values } = parsed;
      const { searchParams } = new URL(request.url, "http://node");
      const statement =
        description.name === addressTransactions.name
          ? statementForm(request.headers.accept, searchParams)
          : undefined;
      if (statement instanceof Refused) {
        return sender.refuse(request, reply, statement.fault);
      }
      const read: WantedCsv["read"] = async (of) => {
        const newest = service.reading();
        const reader = shownBy(description, of, newest);
        const { height } = reader instanceof Refused ? newest : reader;
        const answer =
          reader instanceof Refused
            ? reader
            : await unlessNotKept(() => handle(of, reader, service, about), archived);
        return { height, answer: answer as Answer | Refused };
      };
      return csvLists.send(request, reply, { description, columns, statement, values, read });
    }
    if (budget.isSpent) {
      await budget.turn();
    }
    return budget.timed(() => {
      const newest = service.reading();
      const isProven = asksForProof(parsed.values);
      const reader = isProven ? newest : shownBy(description, parsed.values, newest);
      if (reader instanceof Refused) {
        return sender.refuse(request, reply, reader.fault, newest.height);
      }
      const { height } = reader;
      const isImmutable =
        description.cache === "immutable" ||
        // The checkpoint of a proof grows with the ledger.
        (description.isAsOf === true && !isProven && isPast(parsed.values, newest));
      const send = (answer: Awaited<ReturnType<ReadHandler>>): FastifyReply =>
        sendRead(description, sender, { request, reply, height, isImmutable, answer, columns });
      const handled = unlessNotKept(
        () =>
          isProven
            ? proveRead(description, parsed.values, { reader, service, later })
            : handle(parsed.values, reader, service, about),
        archived,
      );
      if (handled instanceof Refused) {
        // Not of the newest answered block, which the snapshot may lack.
        return sender.refuse(request, reply, handled.fault, height);
      }
      return handled instanceof Promise ? handled.then(send) : send(handled);
    });
  };
}

/** With `archived`, if that has the block's data. Source: proofs §5, §6. */
function unlessNotKept(read: () => Reply, archived: (notKept: NotKept) => Reply): Reply {
  const otherwise = (thrown: unknown): Reply => {
    if (!(thrown instanceof NotKept)) {
      throw thrown;
    }
    return unlessNotKept(
      () => archived(thrown),
      ({ fault }) => refuse(fault),
    );
  };
  try {
    const reply = read();
    return reply instanceof Promise ? reply.catch(otherwise) : reply;
  } catch (thrown) {
    return otherwise(thrown);
  }
}

/** Source: proofs §3.1. */
function asksForProof({ proof }: { readonly proof?: unknown }): boolean {
  return proof === "1";
}

function shownBy(
  { isAsOf }: AnyRead,
  values: object,
  reader: LedgerReader,
): LedgerReader | Refused {
  return isAsOf === true ? readerAsOf(values, reader) : reader;
}

/** Or 304 if the client has it. Source: conventions §2.5. */
function sendRead(
  description: AnyRead,
  sender: Sender,
  {
    request,
    reply,
    height,
    isImmutable,
    answer,
    columns,
  }: {
    readonly request: FastifyRequest;
    readonly reply: FastifyReply;
    readonly height: number;
    readonly isImmutable: boolean;
    readonly answer: Awaited<ReturnType<ReadHandler>>;
    readonly columns: readonly string[] | undefined;
  },
): FastifyReply {
  if (answer instanceof Refused) {
    return sender.refuse(request, reply, answer.fault);
  }
  if ("begin" in answer) {
    return sender.stream(request, reply, answer);
  }
  const cacheControl = isImmutable ? "public, max-age=31536000, immutable" : "no-store";
  const headers: Record<string, string> = {
    ...answer.headers,
    "Cache-Control": cacheControl,
    ...(columns === undefined ? {} : { Vary: "Accept" }),
  };
  if ("chunks" in answer) {
    return sender.sendChunks(request, reply, { ...answer, height, headers });
  }
  const whole = { ...answer, height: answer.height ?? height, headers };
  if (description.cache === "never") {
    return sender.send(request, reply, whole);
  }
  const etag = entityTag(answer.body);
  headers["ETag"] = etag;
  return isKnown(request.headers["if-none-match"], etag)
    ? sender.send(request, reply, { ...whole, body: "" }, 304)
    : sender.send(request, reply, whole);
}

function writeHandler(
  description: AnyOperation,
  service: Service,
  sender: Sender,
  limit: Limit | undefined,
): Handler {
  const handle = WRITES.get(description.name);
  if (handle === undefined) {
    throw new Error(`nothing answers ${description.name}`);
  }
  return async (request, reply) => {
    const parsed = await parse(description, service, request);
    if (parsed instanceof Refused) {
      return sender.refuse(request, reply, parsed.fault);
    }
    const exceeded = limit && (await limit(request));
    if (exceeded !== undefined) {
      return sender.refuse(request, reply, exceeded);
    }
    const answer = await handle(service, parsed, {
      client: clientOf(request.ip),
      isAbandoned: () => request.socket.destroyed,
      idempotencyKey: request.headers["idempotency-key"]?.toString(),
    });
    return answer instanceof Refused
      ? sender.refuse(request, reply, answer.fault)
      : sender.send(request, reply, answer);
  };
}

async function parse(
  description: AnyOperation | AnyRead,
  service: Service,
  request: FastifyRequest,
): Promise<Request | Refused> {
  const late = refusedHeight(request.raw, service);
  const refused = late && (await late);
  if (refused !== undefined) {
    return refused;
  }
  const places = {
    path: request.params as Record<string, string>,
    query: (request.query as { query: string }).query,
    body: (request.body as Body | undefined) ?? NO_BODY,
  };
  const isLarge = places.body.kind !== "none" && places.body.text.length > LARGE_BODY;
  // Over several event-loop turns, so that others come in between.
  if (isLarge) {
    await nextTurn();
  }
  const reader = requestReader(description);
  const merged = mergeParameters(places, reader.known, description.onlyInBody);
  if (merged instanceof Refused) {
    return merged;
  }
  noteList(request, description.parameters, merged);
  if (isLarge) {
    await nextTurn();
  }
  return reader.read(merged);
}
