import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { followHeights } from "./follow-heights.ts";
import type { LiveMessage } from "./live-message.ts";
import { NODE_URL } from "./node.ts";

const newest = signal<number | undefined>(undefined);
const refused = signal<string | undefined>(undefined);
const hold = signal<string | undefined>(undefined);
const state = signal<"connecting" | "live" | "lost">("connecting");

/** The height of the newest block, from the event stream. */
export const height: ReadonlySignal<number | undefined> = newest;

export const connection: ReadonlySignal<"connecting" | "live" | "lost"> = state;

/** Why the node refuses the event stream, if it does. */
export const refusal: ReadonlySignal<string | undefined> = refused;

/** Why the node cannot write now, if it cannot. */
export const writesHold: ReadonlySignal<string | undefined> = hold;

/** Whether this page was reloaded because the node's ledger became another one. */
export const wasReplaced: Signal<boolean> = signal(false);

/** Calls `then` whenever a lost connection is back. Returns a function that ends it. */
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
  let replaced: number | undefined;
  wasReplaced.value = takeNote();
  const take = (message: LiveMessage): void => {
    replaced ??= message.replaced;
    if (message.replaced !== replaced) {
      replaced = message.replaced;
      startAnew();
    }
    newest.value = message.height;
    refused.value = message.refusal;
    hold.value = message.writesHold;
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

const NOTE = "moneta-ledger-replaced";
/** The least time between reloads, ms: two ledgers behind one URL may take turns. */
const STAY_MS = 5000;

/** Everything that the page has read, tokens and their decimals too, is of a ledger that is gone. */
function startAnew(): void {
  setTimeout(
    () => {
      try {
        sessionStorage.setItem(NOTE, "yes");
      } catch {
        // Storage is closed to this site: the page is loaded anew without a word.
      }
      location.reload();
    },
    Math.max(0, STAY_MS - performance.now()),
  );
}

/** Whether the page before this one has left a note of it. */
function takeNote(): boolean {
  try {
    const isNoted = sessionStorage.getItem(NOTE) !== null;
    sessionStorage.removeItem(NOTE);
    return isNoted;
  } catch {
    return false;
  }
}

/**
 * The worker that follows the stream for all tabs; undefined if the browser does not support or
 * allow one.
 */
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
