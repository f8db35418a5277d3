import assert from "node:assert/strict";
import { test } from "node:test";
import { type LedgerReader, StorageFailure } from "@moneta/ledger";
import type { WebhookProgress } from "./webhook-progress.ts";
import { WebhookSender } from "./webhook-sender.ts";

const FAILURE = new StorageFailure("the disk cannot be written or read");

/** A sender on a ledger without transactions for it. `read` is called before each read of that. */
function senderOf(
  begin: WebhookProgress["begin"],
  read: () => void,
): { readonly sender: WebhookSender; readonly failures: string[]; readonly kept: string[] } {
  const failures: string[] = [];
  const kept: string[] = [];
  const reader = { size: 1, *transactionsFrom() {}, transactionIdOf: () => "id" };
  const webhook = { url: "http://127.0.0.1:1/", keys: [], filter: {}, from: undefined };
  const sender = new WebhookSender(
    { name: "receiver", ...webhook },
    {
      progress: {
        begin,
        isMine: true,
        keep: async (after) => {
          kept.push(after);
          return true;
        },
        end: () => undefined,
      },
      readSnapshot(look) {
        read();
        return look(reader as unknown as LedgerReader);
      },
      namesOf: (item) => [item],
      retryMs: 1,
      onNews: () => assert.fail("nothing is delivered"),
      onFailure: (message) => failures.push(message),
      onLeft: assert.fail,
    },
  );
  return { sender, failures, kept };
}

test("a ledger that cannot be read while a webhook looks for its place is read again", async () => {
  let begun = 0;
  const { sender, failures, kept } = senderOf(
    async () => {
      begun += 1;
      if (begun === 1) {
        throw FAILURE;
      }
      return 0;
    },
    () => undefined,
  );
  const run = sender.run();
  const deadline = performance.now() + 60_000;
  while (kept.length === 0 && performance.now() < deadline) {
    await Promise.race([run, new Promise((resolve) => setTimeout(resolve, 10))]);
  }
  sender.end();
  await run;
  assert.deepEqual(
    { begun, failures, kept },
    { begun: 2, failures: [FAILURE.message], kept: ["id"] },
  );
});

test("a ledger that cannot be read at the end is reported, and ends nothing else", async () => {
  let isEnding = false;
  const { sender, failures } = senderOf(
    async () => 0,
    () => {
      if (isEnding) {
        throw FAILURE;
      }
      // What has been found is kept only at the end.
      isEnding = true;
      sender.end();
    },
  );
  await sender.run();
  assert.ok(failures.length > 0);
  assert.deepEqual([...new Set(failures)], [FAILURE.message]);
});
