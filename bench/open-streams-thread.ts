import { connect } from "node:net";
import { parentPort, workerData } from "node:worker_threads";
import type { StreamsData } from "./open-streams.ts";

// Opens event streams, reads them, and says ten times a second how many transactions have come.
const { port, addresses } = workerData as StreamsData;
const EVENT = "event: transaction\n";

let count = 0;
for (const address of addresses) {
  await opened(address);
}
setInterval(() => parentPort?.postMessage(count), 100);

function opened(address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.write(`GET /events?address=${address} HTTP/1.1\r\nHost: bench\r\n\r\n`);
    });
    let rest = "";
    socket.setEncoding("latin1");
    socket.on("error", reject);
    socket.on("data", (text: string) => {
      if (!text.startsWith("HTTP/1.1 200") && rest === "" && text.startsWith("HTTP/")) {
        reject(new Error(text));
      }
      const all = rest + text;
      let at = all.indexOf(EVENT);
      let end = 0;
      while (at !== -1) {
        count += 1;
        end = at + EVENT.length;
        at = all.indexOf(EVENT, end);
      }
      rest = all.slice(Math.max(end, all.length - EVENT.length + 1));
      resolve();
    });
  });
}
