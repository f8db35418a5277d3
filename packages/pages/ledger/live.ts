import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { followHeights } from "./follow-heights.ts";
import type { LiveMessage } from "./live-message.ts";
import { NODE_URL } from "./node.ts";

const newest = signal<number | undefined>(undefined);
const refused = signal<string | undefined>(undefined);
const hold = signal<string | undefined>(undefined);
const state = signal<"connecting" | "live" | "lost">("connecting");

export const height: ReadonlySignal<number | undefined> = newest;

export const connection: ReadonlySignal<"connecting" | "live" | "lost"> = state;

/** Why the node refuses the event stream. */
export const refusal: ReadonlySignal<string | undefined> = refused;

export const writesHold: ReadonlySignal<string | undefined> = hold;

/** Whether this page was reloaded for another ledger. */
export const wasReplaced: Signal<boolean> = signal(false);

export function onReconnect(then: () => void): () => void {
  let isLost = false;
  return state.subscribe((now) => {
    if (isLost && now === "live") {
      then();
    }
    isLost = now === "lost";
  });
}

/** By the stream of all tabs if the browser can share it. */
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
/** Between reloads, ms: two ledgers behind one URL may take turns. */
const STAY_MS = 5000;

/** All that the page has read is of another ledger. */
function startAnew(): void {
  setTimeout(
    () => {
      try {
        sessionStorage.setItem(NOTE, "yes");
      } catch {
        // Storage is closed: the page reloads without a note.
      }
      location.reload();
    },
    Math.max(0, STAY_MS - performance.now()),
  );
}

function takeNote(): boolean {
  try {
    const isNoted = sessionStorage.getItem(NOTE) !== null;
    sessionStorage.removeItem(NOTE);
    return isNoted;
  } catch {
    return false;
  }
}

/** Undefined if the browser does not support or allow one. */
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
