import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { TemporaryDirectory } from "../testing/temporary-directory.ts";
import { TestNode } from "../testing/test-node.ts";
import { EventsHandle } from "./events-handle.ts";

function handleOn(file: string): {
  readonly handle: EventsHandle;
  readonly failed: Promise<Error>;
} {
  const { promise: failed, resolve } = Promise.withResolvers<Error>();
  const data = { file, heightAfterMs: 15_000, webhooks: [], webhookRetryMs: 1000, rows: undefined };
  return {
    handle: new EventsHandle(data, { onMessage: () => undefined, onFailure: resolve }),
    failed,
  };
}

test("closing the events thread returns when the thread has been closed already", async () => {
  await using node = await TestNode.start();
  const { handle } = handleOn(join(node.data, "ledger.db"));
  handle.post({ kind: "blocks" });
  await handle.close();
  await handle.close();
});

test("closing the events thread returns when a fault has ended the thread", async () => {
  using directory = new TemporaryDirectory("events-handle");
  const file = join(directory.path, "ledger.db");
  // The thread waits for a missing file, but not for one that is no database.
  writeFileSync(file, "no database".repeat(1000));
  const { handle, failed } = handleOn(file);
  handle.post({ kind: "blocks" });
  assert.match((await failed).message, /not a database/);
  await handle.close();
  await handle.close();
});
