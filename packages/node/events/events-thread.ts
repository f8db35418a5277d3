import { parentPort, workerData } from "node:worker_threads";
import { invariant, LedgerReader, storageFailure } from "@moneta/ledger";
import { EventFeed } from "./event-feed.ts";
import type { EventsThreadData, FromEvents, ToEvents } from "./event-messages.ts";

// The thread that looks for what is to be told to whom, so that neither the one that writes nor the one that answers requests does.
invariant(parentPort !== null, "this file runs as a worker");
const port = parentPort;
const { file, heightAfterMs } = workerData as EventsThreadData;

/** How long nothing is read after the ledger could not be. */
const RETRY_MS = 1000;

const post = (message: FromEvents): void => port.postMessage(message);
const reader = new LedgerReader(file);
let isScheduled = false;
let isEnded = false;
const feed = new EventFeed(reader, { post, schedule, heightAfterMs });
const heights = setInterval(() => attempt(() => feed.sendHeights()), Math.ceil(heightAfterMs / 10));

port.on("message", (message: ToEvents) => {
  switch (message.kind) {
    case "blocks":
      schedule();
      break;
    case "open":
      feed.open(message.stream, message.filter, message.position);
      break;
    case "drained":
      feed.noteDrained(message.stream);
      break;
    case "close":
      feed.close(message.stream);
      break;
    case "taken":
      feed.noteTaken();
      break;
    case "end":
      clearInterval(heights);
      isEnded = true;
      reader.dispose();
      port.close();
      break;
  }
});

/** Once all messages that have come have been looked at. */
function schedule(): void {
  if (!isScheduled) {
    isScheduled = true;
    setImmediate(turn);
  }
}

function turn(): void {
  isScheduled = false;
  if (isEnded) {
    return; // what was due when the end came
  }
  attempt(() => feed.turn());
}

/** A ledger that cannot be read for a moment ends nothing. */
function attempt(look: () => void): void {
  try {
    look();
  } catch (thrown) {
    const failure = storageFailure(thrown);
    if (failure === undefined) {
      throw thrown;
    }
    post({ kind: "failure", message: failure.message });
    setTimeout(schedule, RETRY_MS).unref();
  }
}
