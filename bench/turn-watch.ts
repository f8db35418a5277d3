// A node of the bench loads this before its own code. On each request of its parent process it
// reports the longest turn of its main thread since the last one, in CPU.
import { isMainThread } from "node:worker_threads";

const TICK_MS = 1;

if (isMainThread && process.send !== undefined) {
  let longestMs = 0;
  let before = process.threadCpuUsage();
  const look = () => {
    const { user, system } = process.threadCpuUsage(before);
    longestMs = Math.max(longestMs, (user + system) / 1000);
    before = process.threadCpuUsage();
  };
  setInterval(look, TICK_MS).unref();
  process.on("message", () => {
    look();
    process.send?.(longestMs);
    longestMs = 0;
  });
  process.channel?.unref();
}
