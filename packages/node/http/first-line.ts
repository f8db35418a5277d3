import type { Server } from "node:http";
import type { Server as TlsServer } from "node:https";
import type { Socket } from "node:net";

const LINE_FEED = 10;
/** A request line without a version, and what may become one. Source: RFC 1945 §4.1. */
const HTTP_0_9 = /^[A-Z]+ [^ ]+\r?$/;
const BEGINS_HTTP_0_9 = /^[A-Z]+( [^ ]*)?$/;
/** How much of a first line is kept until its end arrives, bytes. */
const KEPT_MAX = 16 << 10;

/**
 * Emits `clientError` for connections that begin with a request line of HTTP/0.9: such a request is
 * one line, but Node's parser waits for headers. Everything else goes on to Node's own listeners.
 */
export function watchFirstLines(
  server: Server | TlsServer,
  event: "connection" | "secureConnection",
): void {
  const listeners = server.listeners(event) as ((socket: Socket) => void)[];
  server.removeAllListeners(event);
  server.on(event, (socket: Socket) => {
    let kept: Buffer = Buffer.alloc(0);
    const take = (bytes: Buffer): void => {
      kept = Buffer.concat([kept, bytes]);
      const end = kept.indexOf(LINE_FEED);
      if (end === -1 && kept.length < KEPT_MAX && BEGINS_HTTP_0_9.test(kept.toString("latin1"))) {
        return;
      }
      release();
      if (end !== -1 && HTTP_0_9.test(kept.toString("latin1", 0, end))) {
        server.emit("clientError", new Error("a request of HTTP/0.9"), socket);
        return;
      }
      socket.pause();
      socket.unshift(kept);
      for (const listener of listeners) {
        listener.call(server, socket);
      }
      socket.resume();
    };
    const end = (): void => {
      if (kept.length === 0) {
        socket.destroy();
      } else {
        server.emit("clientError", new Error("a request line that does not end"), socket);
      }
    };
    // As Node does it for a connection whose request does not come.
    const timer = setTimeout(() => {
      release();
      const late = new Error("no request has come");
      server.emit("clientError", Object.assign(late, { code: "ERR_HTTP_REQUEST_TIMEOUT" }), socket);
    }, server.headersTimeout).unref();
    const release = (): void => {
      clearTimeout(timer);
      socket.off("data", take).off("end", end);
    };
    socket.once("close", release);
    socket
      .on("error", () => socket.destroy())
      .on("data", take)
      .on("end", end);
  });
}
