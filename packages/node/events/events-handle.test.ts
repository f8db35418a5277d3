import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { TemporaryDirectory } from "../testing/temporary-directory.ts";
import { TestNode } from "../testing/test-node.ts";
import { EventsWorker } from "./events-handle.ts";

function workerOn(file: string): {
  readonly worker: EventsWorker;
  readonly failed: Promise<Error>;
} {
  const { promise: failed, resolve } = Promise.withResolvers<Error>();
  const data = { file, heightAfterMs: 15_000, webhooks: [], webhookRetryMs: 1000 };
  return {
    worker: new EventsWorker(data, { onMessage: () => undefined, onFailure: resolve }),
    failed,
  };
}

test("closing the events thread returns when the thread has been closed already", async () => {
  await using node = await TestNode.start();
  const { worker } = workerOn(join(node.data, "ledger.db"));
  worker.post({ kind: "blocks" });
  await worker.close();
  await worker.close();
});

test("closing the events thread returns when a fault has ended the thread", async () => {
  using directory = new TemporaryDirectory("events-worker");
  const { worker, failed } = workerOn(join(directory.path, "missing.db"));
  worker.post({ kind: "blocks" });
  assert.match((await failed).message, /missing\.db/);
  await worker.close();
  await worker.close();
});
