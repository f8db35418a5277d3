import type { Server } from "node:http";
import type { Server as TlsServer } from "node:https";
import type { Socket } from "node:net";

const LINE_FEED = 10;
/** A request line without a version. Source: RFC 1945 §4.1. */
const HTTP_0_9 = /^[A-Z]+ [^ ]+\r?$/;

/**
 * Emits `clientError` for connections that begin with a request line of HTTP/0.9: such a request is one line, and Node's parser waits for
 * headers. Node gets all others with their first bytes, so that later requests on a connection cost nothing more.
 */
export function watchFirstLines(
  server: Server | TlsServer,
  event: "connection" | "secureConnection",
): void {
  const listeners = server.listeners(event) as ((socket: Socket) => void)[];
  server.removeAllListeners(event);
  server.on(event, (socket: Socket) => {
    const begin = (bytes: Buffer): void => {
      release();
      const end = bytes.indexOf(LINE_FEED);
      if (end !== -1 && HTTP_0_9.test(bytes.toString("latin1", 0, end))) {
        server.emit("clientError", new Error("a request of HTTP/0.9"), socket);
        return;
      }
      socket.pause();
      socket.unshift(bytes);
      for (const listener of listeners) {
        listener.call(server, socket);
      }
      socket.resume();
    };
    // As Node does it for a connection on which nothing comes.
    const timer = setTimeout(() => {
      release();
      const late = new Error("no request has come");
      server.emit("clientError", Object.assign(late, { code: "ERR_HTTP_REQUEST_TIMEOUT" }), socket);
    }, server.headersTimeout).unref();
    const close = (): void => {
      socket.destroy();
    };
    const release = (): void => {
      clearTimeout(timer);
      socket.off("data", begin).off("end", close);
    };
    socket.once("close", release);
    socket.on("error", close).on("data", begin).on("end", close);
  });
}
