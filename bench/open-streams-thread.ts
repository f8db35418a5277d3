import { connect, type Socket } from "node:net";
import { parentPort, workerData } from "node:worker_threads";
import type { StreamsData } from "./open-streams.ts";

const { port, addresses } = workerData as StreamsData;
const EVENT = Buffer.from("event: transaction\n");
const BYTES_TOGETHER = 64 * 1024;
const LINE_END = 10;

const buffer = Buffer.alloc(BYTES_TOGETHER);
const sockets: Socket[] = [];
let count = 0;
for (const address of addresses) {
  await opened(address);
}
setInterval(() => parentPort?.postMessage(count), 100);

function opened(address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let rest = "";
    let isOpen = false;
    const take = (length: number): boolean => {
      if (!isOpen) {
        isOpen = true;
        const head = buffer.toString("latin1", 0, length);
        if (head.startsWith("HTTP/1.1 200")) {
          resolve();
        } else {
          reject(new Error(head));
        }
      }
      const isWhole = buffer[length - 1] === LINE_END && buffer[length - 2] === LINE_END;
      const bytes = buffer.subarray(0, length);
      const all = rest === "" ? bytes : Buffer.concat([Buffer.from(rest, "latin1"), bytes]);
      let end = 0;
      for (let at = all.indexOf(EVENT); at !== -1; at = all.indexOf(EVENT, end)) {
        count += 1;
        end = at + EVENT.length;
      }
      rest = isWhole
        ? ""
        : all.toString("latin1", Math.max(end, all.length - EVENT.length + 1), all.length);
      return true;
    };
    const socket = connect({ port, host: "127.0.0.1", onread: { buffer, callback: take } }, () => {
      socket.write(`GET /events?address=${address} HTTP/1.1\r\nHost: bench\r\n\r\n`);
    });
    socket.on("error", reject);
    sockets.push(socket);
  });
}
