import { parentPort, workerData } from "node:worker_threads";
import { invariant, LedgerReader, storageFailure } from "@moneta/ledger";
import { WebhookSender } from "../webhooks/webhook-sender.ts";
import { EventFeed } from "./event-feed.ts";
import type { EventsThreadData, FromEvents, ToEvents } from "./events-messages.ts";
import { itemNames } from "./item-names.ts";
import { lookThrough } from "./ledger-look.ts";

// The events thread: finds what each event stream is sent, and delivers to webhooks.
invariant(parentPort !== null, "this file runs as a worker");
const port = parentPort;
const { file, heightAfterMs, webhooks, webhookRetryMs } = workerData as EventsThreadData;

/** How long it waits after the ledger could not be read. */
const RETRY_MS = 1000;

const post = (message: FromEvents): void => port.postMessage(message);
const reader = new LedgerReader(file);
const look = lookThrough(reader);
const namesOf = itemNames(reader);
let isScheduled = false;
let isEnded = false;
const feed = new EventFeed({ look, namesOf, post, schedule, heightAfterMs });
const heights = setInterval(() => attempt(() => feed.sendHeights()), Math.ceil(heightAfterMs / 50));

const senders = webhooks.map(
  (webhook) =>
    new WebhookSender(webhook, {
      look,
      namesOf,
      retryMs: webhookRetryMs,
      onNews: (news) => post({ kind: "webhook", news }),
      onFailure: (message) => post({ kind: "failure", message }),
    }),
);
const sending = Promise.all(senders.map((sender) => sender.run()));

port.on("message", (message: ToEvents) => {
  switch (message.kind) {
    case "blocks":
      schedule();
      for (const sender of senders) {
        sender.noteBlocks();
      }
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
    case "pastTaken":
      feed.notePastTaken();
      break;
    case "end":
      // A failure in it ends the thread.
      void end();
      break;
  }
});

async function end(): Promise<void> {
  isEnded = true;
  clearInterval(heights);
  for (const sender of senders) {
    sender.end();
  }
  await sending;
  reader.dispose();
  port.close();
}

/** Runs a turn after all messages at hand. */
function schedule(): void {
  if (!isScheduled) {
    isScheduled = true;
    setImmediate(turn);
  }
}

function turn(): void {
  isScheduled = false;
  if (!isEnded) {
    attempt(() => feed.turn());
  }
}

/** A ledger that cannot be read for a moment is retried. */
function attempt(what: () => void): void {
  try {
    what();
  } catch (thrown) {
    const failure = storageFailure(thrown);
    if (failure === undefined) {
      throw thrown;
    }
    post({ kind: "failure", message: failure.message });
    setTimeout(schedule, RETRY_MS).unref();
  }
}
