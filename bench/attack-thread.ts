import { connect, type Socket } from "node:net";
import { parentPort, workerData } from "node:worker_threads";
import type { AttackData, Attacked } from "./attack.ts";

const { port, requests, isSentOnce } = workerData as AttackData;
const REFUSED_WAIT_MS = 10;

const answers: Record<string, number> = {};
let first = "";
let sent = 0;
let socket: Socket | undefined;

parentPort?.postMessage("begun");
if (requests.length > 0) {
  begin();
}
parentPort?.once("message", () => {
  leave();
  parentPort?.postMessage({ answers, first } satisfies Attacked);
});

function begin(): void {
  let received = "";
  const own = connect({ port, host: "127.0.0.1", noDelay: true }, send);
  socket = own;
  own.setEncoding("latin1");

  function send(): void {
    if (isSentOnce && sent >= requests.length) {
      leave();
      return;
    }
    received = "";
    own.write(requests[sent % requests.length] as Uint8Array);
    sent += 1;
  }

  own.on("data", (text: string) => {
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
    if (/\r\nconnection: *close/i.test(head) || own.writableLength > 0) {
      own.destroy();
    } else {
      send();
    }
  });
  own.on("error", () => undefined);
  own.on("close", () => {
    if (received === "") {
      note("closed");
      setTimeout(begin, REFUSED_WAIT_MS);
    } else {
      begin();
    }
  });
}

function leave(): void {
  socket?.removeAllListeners("close");
  socket?.destroy();
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
