import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Server as TlsServer } from "node:https";
import { type Socket, Server as TcpServer } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { watchFirstLines } from "./first-line.ts";

/**
 * How much of a refused request is still read, and for how long, so that its client reads the
 * answer.
 */
const DRAIN_BYTES_MAX = 32 << 20;
const DRAIN_MS = 10_000;
/** The same for an idle connection. */
const IDLE_DRAIN_MS = 1000;
const STEP_MS = 20;

interface Connection {
  /** The newest request, undefined before the first. */
  request: IncomingMessage | undefined;
  /** Unanswered requests. */
  open: number;
  /** Bytes read at the last check, and for how many checks nothing has arrived. */
  bytesRead: number;
  idleSteps: number;
  /** Whether the node has sent its last byte. Further input is dropped. */
  isEnding: boolean;
}

/**
 * The connections of a node's servers. Closing a socket with unread bytes resets it, and the client
 * loses the answer. So a connection is half-closed first, and drained within bounds.
 */
export class Connections {
  readonly #connections: Map<Socket, Connection> = new Map();

  /** Follows the connections of a server that does not listen yet. */
  watch(server: Server | TlsServer): void {
    const event =
      "setTimeout" in server && "setSecureContext" in server ? "secureConnection" : "connection";
    watchFirstLines(server, event);
    server.prependListener(event, (socket) => this.#add(socket as Socket));
    server.prependListener("request", (request, response) => this.#begin(request, response));
  }

  get count(): number {
    return this.#connections.size;
  }

  /** Whether the node has sent its last byte on the connection. */
  isEnding(socket: Socket): boolean {
    return this.#connections.get(socket)?.isEnding !== false;
  }

  /**
   * Flushes and half-closes the connection, and drains what the client still sends, within bounds.
   */
  end(socket: Socket, drainMs: number = DRAIN_MS): void {
    const connection = this.#connections.get(socket);
    if (connection === undefined || connection.isEnding) {
      return;
    }
    connection.isEnding = true;
    const last = socket.bytesRead + DRAIN_BYTES_MAX;
    const deadline = performance.now() + drainMs;
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

  /**
   * Stops listening and closes connections that are idle for `idleMs`. Others close with the answer
   * to their request, all after `latestMs`. Resolves when none is left.
   */
  async close(
    servers: readonly (Server | TlsServer)[],
    { idleMs, latestMs }: { readonly idleMs: number; readonly latestMs: number },
  ): Promise<void> {
    const begunMs = performance.now();
    // First accepts connections in the backlog, which the system would reset.
    await nextTurn();
    await nextTurn();
    for (const server of servers) {
      // Not the HTTP server's method, which closes idle connections: a request may be on its way.
      TcpServer.prototype.close.call(server);
    }
    while (this.#connections.size > 0) {
      const nowMs = performance.now();
      for (const [socket, connection] of this.#connections) {
        const isIdle = connection.open === 0 && socket.bytesRead === connection.bytesRead;
        // In steps, between which sockets are read: a request may wait behind a long event-loop
        // turn.
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

  #add(socket: Socket): void {
    const connection: Connection = {
      request: undefined,
      open: 0,
      bytesRead: socket.bytesRead,
      idleSteps: 0,
      isEnding: false,
    };
    this.#connections.set(socket, connection);
    socket.once("close", () => this.#connections.delete(socket));
    // Node's way of closing a connection after an answer with `Connection: close`.
    const destroySoon = socket.destroySoon.bind(socket);
    socket.destroySoon = () => {
      if (connection.request?.complete !== false) {
        connection.isEnding = true;
        destroySoon();
      } else {
        connection.request.once("end", destroySoon);
        this.end(socket);
      }
    };
  }

  #begin(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.#connections.get(request.socket);
    if (connection === undefined) {
      return;
    }
    connection.request = request;
    connection.open += 1;
    response.once("close", () => {
      connection.open -= 1;
      connection.bytesRead = request.socket.bytesRead;
    });
  }
}
