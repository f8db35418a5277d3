import { connect, type Socket } from "node:net";
import { parentPort, workerData } from "node:worker_threads";
import type { AttackData, Attacked } from "./attack.ts";

// Sends requests again and again, each connection the next one when the one before is answered or
// its connection closed.
const { port, connections, requests } = workerData as AttackData;
const REFUSED_WAIT_MS = 10;

const answers: Record<string, number> = {};
let first = "";
let sent = 0;
const sockets = new Set<Socket>();

parentPort?.postMessage("begun");
for (let count = 0; count < connections; count += 1) {
  begin();
}
parentPort?.once("message", () => {
  for (const socket of sockets) {
    socket.removeAllListeners("close");
    socket.destroy();
  }
  parentPort?.postMessage({ answers, first } satisfies Attacked);
});

function begin(): void {
  let received = "";
  const socket = connect({ port, host: "127.0.0.1", noDelay: true }, send);
  sockets.add(socket);
  socket.setEncoding("latin1");

  function send(): void {
    received = "";
    socket.write(requests[sent % requests.length] as Uint8Array);
    sent += 1;
  }

  socket.on("data", (text: string) => {
    received += text;
    const headEnd = received.indexOf("\r\n\r\n");
    const length = /\r\ncontent-length: *(\d+)/i.exec(received.slice(0, headEnd + 2))?.[1] ?? "0";
    if (headEnd === -1 || received.length < headEnd + 4 + Number(length)) {
      return;
    }
    note(received.slice(9, 12));
    first ||= received.slice(headEnd + 4);
    // An answer before the end of the request: the rest of that would be taken for the next one.
    if (
      /\r\nconnection: *close/i.test(received.slice(0, headEnd + 2)) ||
      socket.writableLength > 0
    ) {
      socket.destroy();
    } else {
      send();
    }
  });
  socket.on("error", () => undefined); // "close" follows
  socket.on("close", () => {
    sockets.delete(socket);
    if (received === "") {
      note("closed");
      setTimeout(begin, REFUSED_WAIT_MS);
    } else {
      begin();
    }
  });
}

function note(answer: string): void {
  answers[answer] = (answers[answer] ?? 0) + 1;
}
