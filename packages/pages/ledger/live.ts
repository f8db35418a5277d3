import { type ReadonlySignal, signal } from "@preact/signals";
import { followHeights } from "./follow-heights.ts";
import type { LiveMessage } from "./live-message.ts";
import { NODE_URL } from "./node.ts";

const newest = signal<number | undefined>(undefined);
const state = signal<"connecting" | "live" | "lost">("connecting");

/** The number of the newest block, as the event stream tells it. */
export const height: ReadonlySignal<number | undefined> = newest;

/** Whether the event stream is connected. */
export const connection: ReadonlySignal<"connecting" | "live" | "lost"> = state;

/** Calls `then` whenever the connection is back after it was lost. Returns what ends that. */
export function onReconnect(then: () => void): () => void {
  let isLost = false;
  return state.subscribe((now) => {
    if (isLost && now === "live") {
      then();
    }
    isLost = now === "lost";
  });
}

/** Starts to follow the ledger, by the stream of all tabs where the browser can share it. */
export function goLive(): void {
  const take = (message: LiveMessage): void => {
    newest.value = message.height;
    state.value = message.connection;
  };
  const worker = sharedWorker();
  if (worker === undefined) {
    void followHeights(NODE_URL, take);
    return;
  }
  worker.port.onmessage = ({ data }: MessageEvent<LiveMessage>) => take(data);
  addEventListener("pagehide", () => worker.port.postMessage("closes"));
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) {
      location.reload(); // it has left the shared stream
    }
  });
}

/** What follows the stream for all tabs; undefined where the browser has, or lets, nobody share it. */
function sharedWorker(): SharedWorker | undefined {
  try {
    return new SharedWorker(new URL("./live-worker.ts", import.meta.url), {
      type: "module",
      name: NODE_URL,
    });
  } catch {
    return undefined; // none, or none while storage is closed to this site
  }
}
