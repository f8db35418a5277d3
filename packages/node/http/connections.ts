import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Server as TlsServer } from "node:https";
import { type Socket, Server as TcpServer } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { ConnectionRoom, connectionsMax, type Held, type Place } from "./connection-room.ts";
import { headsWithoutRoom } from "./head-shares.ts";
import { HEAD_BYTES_MAX } from "./path-rules.ts";
import { clientOf } from "./requests/client-name.ts";

/** Of a refused request, so that its client reads the response. */
const DRAIN_BYTES_MAX = 32 << 20;
const DRAIN_MS = 10_000;
/** Of an idle connection, and one beyond the maximum. */
const IDLE_DRAIN_MS = 1000;
const STEP_MS = 20;

/** Without reading a response. */
const STALLED_MS = 60_000;
/** A timer for each response would cost every request. */
const CHECKS = 6;

/** Waiting for earlier responses. Node continues to read meanwhile. */
const AHEAD_MAX = 100;
const AHEAD_BYTES_MAX = 64 << 10;

/** Unfinished heads of all connections, half of it for one client. */
const HEADS_BYTES_MAX = 64 << 20;
/** Node sends no event before the end. A check of 1,000 connections costs 50 µs. */
const HEADS_LOOK_MS = 200;

export const NO_ROOM_FOR_HEAD = "ERR_NO_ROOM_FOR_HEAD";
export const TOO_MANY_CONNECTIONS = "ERR_TOO_MANY_CONNECTIONS";
/** Below, the maximum is not determined, which takes some milliseconds. */
const FEW = 100;

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** As the system has accepted it, below TLS. */
interface Accepted extends Held {
  readonly isReserved: boolean;
}

interface Connection {
  readonly accepted: Accepted;
  readonly handle: Handler;
  /** Without a handler. */
  readonly fail: (error: Error) => void;
  request: IncomingMessage | undefined;
  /** Undefined between two requests. */
  answering: ServerResponse | undefined;
  /** Before earlier ones were answered, oldest first. */
  readonly waiting: { readonly request: IncomingMessage; readonly response: ServerResponse }[];
  /** Bytes read when the first of them arrived. */
  waitingFrom: number;
  client: string;
  /** Read at the end of the newest request; undefined during a chunked body. */
  headFrom: number | undefined;
  /** At the last check, and checks without new bytes. */
  bytesRead: number;
  idleSteps: number;
  /** The node has sent its last byte. Further input is dropped. */
  isEnding: boolean;
}

/** Half-closed first, then drained: a reset would lose the response. Source: RFC 9112 §9.3.2. */
export class Connections {
  readonly #connections: Map<Socket, Connection> = new Map();
  readonly #operators: WeakSet<Socket> = new WeakSet();
  readonly #stalledMs: number;
  readonly #headsBytesMax: number;
  readonly #ofOneMax: number;
  readonly #isBehindProxy: boolean;
  readonly #onRefused: (place: "client" | "full", client: string) => void;
  #max: number | undefined;
  readonly #givenMax: number | undefined;
  readonly #room: ConnectionRoom;
  /** By the addresses and ports of both sides, which TLS does not change. */
  readonly #accepted: Map<string, Accepted> = new Map();
  readonly #underWay: Map<string, number> = new Map();
  #timers: readonly NodeJS.Timeout[] = [];

  constructor({
    stalledMs = STALLED_MS,
    headsBytesMax = HEADS_BYTES_MAX,
    ofOneMax = 0,
    isBehindProxy = false,
    max,
    onRefused = () => undefined,
  }: {
    readonly stalledMs?: number;
    readonly headsBytesMax?: number;
    /** 0 for no limit. Behind a proxy, a client's pending requests are counted. */
    readonly ofOneMax?: number;
    readonly isBehindProxy?: boolean;
    /** By default as many as leave descriptors free. */
    readonly max?: number;
    /** A connection, or behind a proxy a request. */
    readonly onRefused?: (place: "client" | "full", client: string) => void;
  } = {}) {
    this.#stalledMs = stalledMs;
    this.#headsBytesMax = headsBytesMax;
    this.#ofOneMax = ofOneMax;
    this.#isBehindProxy = isBehindProxy;
    this.#onRefused = onRefused;
    this.#givenMax = max;
    this.#room = new ConnectionRoom({
      max: () => (this.#room.count < FEW && max === undefined ? FEW : this.max),
      ofOneMax: isBehindProxy ? 0 : ofOneMax,
    });
  }

  watch(server: Server | TlsServer): void {
    const event =
      "setTimeout" in server && "setSecureContext" in server ? "secureConnection" : "connection";
    const handlers = server.listeners("request") as Handler[];
    const handle: Handler = (request, response) => {
      for (const handler of handlers) {
        handler.call(server, request, response);
      }
    };
    const take: Handler = (request, response) => this.#take(request, response);
    server.prependListener(event, (socket: Socket) => {
      this.#add(socket, { handle, fail: (error) => server.emit("clientError", error, socket) });
    });
    const listeners = server.listeners("connection") as ((socket: Socket) => void)[];
    server.removeAllListeners("connection").on("connection", (socket: Socket) => {
      if (this.#accept(socket, event === "connection" ? server : undefined)) {
        for (const listener of listeners) {
          listener.call(server, socket);
        }
      }
    });
    server.removeAllListeners("request").on("request", take);
    // Other expectations are ignored. Node itself would send a bare 417.
    server.on("checkExpectation", take);
    // Node would request every body at once.
    server.on("checkContinue", take);
  }

  /** TLS handshakes included. */
  get count(): number {
    return this.#room.count;
  }

  /** More are accepted only for checks of the node. */
  get max(): number {
    this.#max ??= this.#givenMax ?? connectionsMax();
    return this.#max;
  }

  /** Beyond the maximum, for checks of the node alone. */
  isReserved(socket: Socket): boolean {
    return this.#connections.get(socket)?.accepted.isReserved === true;
  }

  /** Behind a proxy: counts a request until it is answered, unless the client has too many. */
  hasTooMany(client: string, response: ServerResponse): boolean {
    if (!this.#isBehindProxy || this.#ofOneMax === 0) {
      return false;
    }
    const count = this.#underWay.get(client) ?? 0;
    if (count >= this.#ofOneMax) {
      this.#onRefused("client", client);
      return true;
    }
    this.#underWay.set(client, count + 1);
    response.once("close", () => {
      const left = (this.#underWay.get(client) as number) - 1;
      if (left > 0) {
        this.#underWay.set(client, left);
      } else {
        this.#underWay.delete(client);
      }
    });
    return false;
  }

  noteOperator(socket: Socket): void {
    this.#operators.add(socket);
  }

  /** It has come to the operator's address. */
  isOperator(socket: Socket): boolean {
    return this.#operators.has(socket);
  }

  answering(socket: Socket): ServerResponse | undefined {
    return this.#connections.get(socket)?.answering;
  }

  /** Not before its TLS handshake, and not once it is closed. */
  has(socket: Socket): boolean {
    return this.#connections.has(socket);
  }

  isEnding(socket: Socket): boolean {
    return this.#connections.get(socket)?.isEnding === true;
  }

  /** Flushes, half-closes, and drains further bytes of the client, within bounds. */
  end(socket: Socket, drainMs: number = DRAIN_MS): void {
    const connection = this.#connections.get(socket);
    if (connection === undefined || connection.isEnding) {
      return;
    }
    connection.isEnding = true;
    this.#room.noteIdle(connection.accepted);
    const last = socket.bytesRead + DRAIN_BYTES_MAX;
    const { isReserved } = connection.accepted;
    const deadline = performance.now() + (isReserved ? IDLE_DRAIN_MS : drainMs);
    const timer = setInterval(() => {
      if (socket.bytesRead > last || performance.now() > deadline) {
        socket.destroy();
      }
    }, STEP_MS);
    socket.once("close", () => clearInterval(timer));
    socket.end();
    connection.request?.resume();
    socket.resume();
  }

  /** Idle for `idleMs`; others with their response, all after `latestMs`. */
  async close(
    servers: readonly TcpServer[],
    { idleMs, latestMs }: { readonly idleMs: number; readonly latestMs: number },
  ): Promise<void> {
    const begunMs = performance.now();
    // First accepts connections in the backlog, which the system would reset.
    await nextTurn();
    await nextTurn();
    for (const server of servers) {
      // Not the HTTP server's method: a request may be on its way to an idle connection.
      TcpServer.prototype.close.call(server);
    }
    while (this.#connections.size > 0) {
      const nowMs = performance.now();
      for (const [socket, connection] of this.#connections) {
        const isIdle =
          connection.answering === undefined && socket.bytesRead === connection.bytesRead;
        // In steps, between which sockets are read: an event-loop turn may be long.
        connection.idleSteps = isIdle ? connection.idleSteps + 1 : 0;
        connection.bytesRead = socket.bytesRead;
        if (nowMs - begunMs >= latestMs) {
          socket.destroy();
        } else if (connection.idleSteps * STEP_MS > idleMs) {
          this.end(socket, IDLE_DRAIN_MS);
        }
      }
      await new Promise((resolve) => setTimeout(resolve, STEP_MS));
    }
  }

  /** False if it was refused. `answering` responds to a refused one in HTTP. */
  #accept(socket: Socket, answering: Server | TlsServer | undefined): boolean {
    const key = endsOf(socket);
    if (key === undefined) {
      socket.destroy(); // it was reset
      return false;
    }
    const held = { client: clientOf(key.client), close: () => socket.destroy() };
    // The operator's connections always have room.
    const place: Place = this.#operators.has(socket) ? "open" : this.#room.admit(held);
    if (place === "client" || place === "full") {
      this.#onRefused(place, held.client);
      if (place === "full" || answering === undefined) {
        socket.destroy();
      } else {
        const error = new Error("a client has too many connections");
        answering.emit("clientError", Object.assign(error, { code: TOO_MANY_CONNECTIONS }), socket);
      }
      return false;
    }
    this.#accepted.set(key.ends, Object.assign(held, { isReserved: place === "reserved" }));
    socket.once("close", () => {
      this.#room.remove(held);
      this.#accepted.delete(key.ends);
    });
    return true;
  }

  #add(socket: Socket, its: Pick<Connection, "handle" | "fail">): void {
    const accepted = this.#accepted.get(endsOf(socket)?.ends ?? "");
    if (accepted === undefined) {
      socket.destroy(); // it has been closed since it was accepted
      return;
    }
    const connection: Connection = {
      ...its,
      accepted,
      request: undefined,
      answering: undefined,
      waiting: [],
      waitingFrom: 0,
      client: "",
      headFrom: socket.bytesRead,
      bytesRead: socket.bytesRead,
      idleSteps: 0,
      isEnding: false,
    };
    this.#connections.set(socket, connection);
    if (this.#timers.length === 0) {
      this.#timers = [
        setInterval(() => this.#check(), this.#stalledMs / CHECKS).unref(),
        setInterval(() => this.#lookAtHeads(), HEADS_LOOK_MS).unref(),
      ];
    }
    socket.once("close", () => {
      this.#connections.delete(socket);
      if (this.#connections.size === 0) {
        for (const timer of this.#timers) {
          clearInterval(timer);
        }
        this.#timers = [];
      }
      connection.waiting.length = 0;
    });
    // Node closes a connection like this after a response with `Connection: close`.
    const destroySoon = socket.destroySoon.bind(socket);
    socket.destroySoon = () => {
      if (connection.waiting.length > 0) {
        this.end(socket); // there may be more, which Node does not read
      } else if (connection.request?.complete !== false) {
        connection.isEnding = true;
        destroySoon();
      } else {
        connection.request.once("end", destroySoon);
        this.end(socket);
      }
    };
  }

  /** Node destroys sockets at their timeout. Responses in parts have their own check. */
  #check(): void {
    for (const [socket, { answering }] of this.#connections) {
      if (answering?.writableEnded === true && !socket.timeout) {
        socket.setTimeout(this.#stalledMs);
      }
    }
  }

  #lookAtHeads(): void {
    if (this.#connections.size * HEAD_BYTES_MAX <= this.#headsBytesMax / 2) {
      return;
    }
    const heads = [...this.#connections].flatMap(([socket, connection]) => {
      const { headFrom = socket.bytesRead } = connection;
      // Node keeps no more of one.
      const bytes = Math.min(socket.bytesRead - headFrom, HEAD_BYTES_MAX);
      if (bytes <= 0) {
        return [];
      }
      connection.client ||= clientOf(socket.remoteAddress ?? "");
      return [{ socket, connection, client: connection.client, bytes }];
    });
    for (const { socket, connection } of headsWithoutRoom(heads, this.#headsBytesMax)) {
      if (connection.isEnding || connection.answering !== undefined) {
        socket.destroy(); // it has a response, and continues to send
      } else {
        const error = new Error("there is no room for the head of a request");
        connection.fail(Object.assign(error, { code: NO_ROOM_FOR_HEAD }));
      }
    }
  }

  /** Or has it wait; disconnects a client that has too many waiting. */
  #take(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const connection = this.#connections.get(socket);
    if (connection === undefined || connection.isEnding || socket.destroyed) {
      socket.destroy(); // it came after the last answered one
      return;
    }
    connection.request = request;
    noteEnd(connection, request);
    if (connection.answering === undefined) {
      this.#begin(connection, request, response);
      return;
    }
    const { waiting } = connection;
    if (waiting.length === 0) {
      connection.waitingFrom = socket.bytesRead;
    }
    if (
      waiting.length === AHEAD_MAX ||
      socket.bytesRead - connection.waitingFrom > AHEAD_BYTES_MAX
    ) {
      socket.destroy();
      return;
    }
    waiting.push({ request, response });
  }

  #begin(connection: Connection, request: IncomingMessage, response: ServerResponse): void {
    connection.answering = response;
    this.#room.noteBusy(connection.accepted);
    response.once("close", () => {
      connection.answering = undefined;
      this.#room.noteIdle(connection.accepted);
      connection.bytesRead = request.socket.bytesRead;
      this.#beginNext(connection);
    });
    connection.handle(request, response);
  }

  /** The longest waiting one; none after a last response. */
  #beginNext(connection: Connection): void {
    const next = connection.isEnding ? undefined : connection.waiting.shift();
    if (next === undefined) {
      return;
    }
    // The timeout of the previous response. Node ends it only if nothing waits.
    next.request.socket.setTimeout(0);
    this.#begin(connection, next.request, next.response);
  }
}

/** Bytes of a body that came with its head count twice, 64 KiB at most. */
function noteEnd(connection: Connection, request: IncomingMessage): void {
  const { headers, socket } = request;
  const end = socket.bytesRead + Number(headers["content-length"] ?? 0);
  const isChunked = headers["transfer-encoding"] !== undefined;
  // No event marks the end of a waiting one.
  connection.headFrom = isChunked && connection.answering === undefined ? undefined : end;
  if (isChunked) {
    request.once("end", () => {
      if (connection.request === request) {
        connection.headFrom = socket.bytesRead;
      }
    });
  }
}

/** Undefined once it is closed. */
function endsOf(socket: Socket): { readonly ends: string; readonly client: string } | undefined {
  const { remoteAddress: client, remotePort, localAddress, localPort } = socket;
  return client === undefined
    ? undefined
    : { ends: `${client} ${remotePort} ${localAddress} ${localPort}`, client };
}
