// Loaded by a bench's node before its own code: reports the main thread's longest turn, in CPU, on
// request.
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
