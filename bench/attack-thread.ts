import { connect, type Socket } from "node:net";
import { parentPort, workerData } from "node:worker_threads";
import type { AttackData, Attacked } from "./attack.ts";

const { port, connections, areClients, requests, isSentOnce } = workerData as AttackData;
const REFUSED_WAIT_MS = 10;

const answers: Record<string, number> = {};
let first = "";
let sent = 0;
const sockets = new Set<Socket>();

parentPort?.postMessage("begun");
for (let count = 0; count < connections; count += 1) {
  begin(areClients ? `127.0.1.${count + 1}` : "127.0.0.1");
}
parentPort?.once("message", () => {
  for (const socket of sockets) {
    leave(socket);
  }
  parentPort?.postMessage({ answers, first } satisfies Attacked);
});

function begin(localAddress: string): void {
  let received = "";
  const socket = connect({ port, host: "127.0.0.1", localAddress, noDelay: true }, send);
  sockets.add(socket);
  socket.setEncoding("latin1");

  function send(): void {
    if (isSentOnce && sent >= requests.length) {
      leave(socket);
      return;
    }
    received = "";
    socket.write(requests[sent % requests.length] as Uint8Array);
    sent += 1;
  }

  socket.on("data", (text: string) => {
    received += text;
    const headEnd = received.indexOf("\r\n\r\n");
    const head = received.slice(0, headEnd + 2);
    const body = received.slice(headEnd + 4);
    if (headEnd === -1 || !isWhole(body, head)) {
      return;
    }
    note(received.slice(9, 12));
    first ||= body;
    // The server would read the rest of a request as the next one.
    if (/\r\nconnection: *close/i.test(head) || socket.writableLength > 0) {
      socket.destroy();
    } else {
      send();
    }
  });
  socket.on("error", () => undefined);
  socket.on("close", () => {
    sockets.delete(socket);
    if (received === "") {
      note("closed");
      setTimeout(() => begin(localAddress), REFUSED_WAIT_MS);
    } else {
      begin(localAddress);
    }
  });
}

function leave(socket: Socket): void {
  sockets.delete(socket);
  socket.removeAllListeners("close");
  socket.destroy();
}

function isWhole(body: string, head: string): boolean {
  if (/\r\ntransfer-encoding: *chunked/i.test(head)) {
    return body.endsWith("\r\n0\r\n\r\n");
  }
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? "0";
  return body.length >= Number(length);
}

function note(answer: string): void {
  answers[answer] = (answers[answer] ?? 0) + 1;
}
