import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Server as TlsServer } from "node:https";
import { type Socket, Server as TcpServer } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { watchFirstLines } from "./first-line.ts";

/** How much more of a refused request is read, and for how long, so that its client reads the answer. */
const DRAIN_BYTES_MAX = 32 << 20;
const DRAIN_MS = 10_000;
/** The same for a connection on which nothing was under way. */
const IDLE_DRAIN_MS = 1000;
const STEP_MS = 20;

interface Connection {
  /** The newest request, undefined before the first. */
  request: IncomingMessage | undefined;
  /** Requests that have not been answered. */
  open: number;
  /** What had been read when it was last seen, and for how many steps nothing has come. */
  bytesRead: number;
  idleSteps: number;
  /** Whether the node has sent its last byte: what still arrives is dropped. */
  isEnding: boolean;
}

/**
 * The connections of a node's servers. A socket that is closed with unread bytes is reset, and its client loses the
 * answer: so a connection is half-closed first, and what its client still sends is read within bounds.
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

  /** Sends the rest of what has been written, and reads what the client is still sending, within bounds. */
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
   * Stops listening, and closes connections on which nothing comes for `idleMs`; those with a request under way, or one that
   * begins to arrive, are closed by its answer. After `latestMs` all are closed. Resolves when none is left.
   */
  async close(
    servers: readonly (Server | TlsServer)[],
    { idleMs, latestMs }: { readonly idleMs: number; readonly latestMs: number },
  ): Promise<void> {
    const begunMs = performance.now();
    // Connections that the system has made are accepted first: it resets them when nobody listens any more.
    await nextTurn();
    await nextTurn();
    for (const server of servers) {
      // Not the method of the HTTP server, which closes idle connections: a request may be on its way on one.
      TcpServer.prototype.close.call(server);
    }
    while (this.#connections.size > 0) {
      const nowMs = performance.now();
      for (const [socket, connection] of this.#connections) {
        const isIdle = connection.open === 0 && socket.bytesRead === connection.bytesRead;
        // In steps, between each of which sockets are read: behind a long turn of the event loop a request may wait.
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
    // How Node closes a connection behind an answer with `Connection: close`.
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
