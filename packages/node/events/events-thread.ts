import { setTimeout as delay } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { invariant, LedgerReader, storageFailure } from "@moneta/ledger";
import { RemoteRows } from "../cluster/row-calls.ts";
import { SharedProgress } from "../cluster/shared-progress.ts";
import { FileProgress } from "../webhooks/file-progress.ts";
import { WebhookPosition } from "../webhooks/webhook-position.ts";
import type { WebhookProgress } from "../webhooks/webhook-progress.ts";
import { WebhookSender } from "../webhooks/webhook-sender.ts";
import type { WebhookStart } from "../webhooks/webhook-start.ts";
import { EventFeed } from "./event-feed.ts";
import type { EventsThreadData, FromEvents, ToEvents } from "./events-messages.ts";
import { itemNames } from "./item-names.ts";
import { snapshotsOf } from "./read-snapshot.ts";

invariant(parentPort !== null, "this file runs as a worker");
const port = parentPort;
const {
  file,
  heightAfterMs,
  webhooks,
  webhookRetryMs,
  rows: rowsPort,
} = workerData as EventsThreadData;

const RETRY_MS = 1000;
/** The file may be missing for hours. */
const ATTEMPTS_A_MESSAGE = 60;

const post = (message: FromEvents): void => port.postMessage(message);
const early: ToEvents[] = [];
let take = (message: ToEvents): void => void early.push(message);
port.on("message", (message: ToEvents) => take(message));
const reader = await openedReader();
const readSnapshot = snapshotsOf(reader);
const namesOf = itemNames(reader);
let isScheduled = false;
let isEnded = false;
const feed = new EventFeed({ readSnapshot, namesOf, post, schedule, heightAfterMs });
const heights = setInterval(() => attempt(() => feed.sendHeights()), Math.ceil(heightAfterMs / 50));

const onFailure = (message: string): void => post({ kind: "failure", message });
const rows = rowsPort && new RemoteRows(rowsPort);
const shared: SharedProgress[] = [];
const senders = webhooks.map(
  (webhook) =>
    new WebhookSender(webhook, {
      progress: progressOf(webhook),
      readSnapshot,
      namesOf,
      retryMs: webhookRetryMs,
      onNews: (news) => post({ kind: "webhook", news }),
      onFailure,
      onLeft: (name) => post({ kind: "webhookLeft", name }),
    }),
);
const sending = Promise.all(senders.map((sender) => sender.run()));

take = (message) => {
  switch (message.kind) {
    case "blocks":
      schedule();
      for (const sender of senders) {
        sender.noteBlocks();
      }
      break;
    case "leases":
      for (const progress of shared) {
        progress.take(message.leases);
      }
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
    case "behind":
      feed.noteBehind(message.stream, message.from);
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
      // An error in it ends the thread.
      void end();
      break;
  }
};
early.forEach(take);

/** The ledger's file may be missing by then, which must not end the node. */
async function openedReader(): Promise<LedgerReader> {
  for (let attempts = 0; ; attempts += 1) {
    try {
      return new LedgerReader(file);
    } catch (thrown) {
      const failure = storageFailure(thrown);
      if (failure === undefined) {
        throw thrown;
      }
      if (attempts % ATTEMPTS_A_MESSAGE === 0) {
        post({ kind: "failure", message: failure.message });
      }
    }
    await delay(RETRY_MS);
    if (early.some(({ kind }) => kind === "end")) {
      process.exit();
    }
  }
}

async function end(): Promise<void> {
  isEnded = true;
  clearInterval(heights);
  for (const sender of senders) {
    sender.end();
  }
  rows?.closeSoon();
  await sending;
  rows?.close();
  reader.dispose();
  port.close();
}

function progressOf(webhook: WebhookStart): WebhookProgress {
  const { id, url, kept, from, position } = webhook;
  if (rows === undefined) {
    invariant(position !== undefined, "a single node has the position of each webhook");
    return new FileProgress(new WebhookPosition(webhook.file), { position, url, onFailure });
  }
  const progress = new SharedProgress(rows, {
    webhook: { id, url },
    kept,
    from,
    readSnapshot,
    onLost: () => post({ kind: "webhookLost", name: webhook.name }),
    onFailure,
  });
  shared.push(progress);
  return progress;
}

/** After all pending messages. */
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
