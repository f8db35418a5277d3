import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { type LedgerReader, StorageFailure } from "@moneta/ledger";
import { until } from "../testing/until.ts";
import type { WebhookProgress } from "./webhook-progress.ts";
import { WebhookSender } from "./webhook-sender.ts";

const FAILURE = new StorageFailure("the disk cannot be written or read");

/**
 * A sender on a ledger without transactions for it. `read` is called before each read of that, and
 * `sizeOf` says how many transactions it has.
 */
function senderOf(
  begin: WebhookProgress["begin"],
  read: () => void,
  sizeOf = () => 1,
): { readonly sender: WebhookSender; readonly failures: string[]; readonly kept: string[] } {
  const failures: string[] = [];
  const kept: string[] = [];
  const reader = {
    get size() {
      return sizeOf();
    },
    *transactionsFrom() {},
    transactionIdOf: String,
  };
  const webhook = {
    url: "http://127.0.0.1:1/",
    keys: [],
    filter: {},
    from: undefined,
    isInOrder: false,
  };
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
  await until(() => kept.length > 0);
  sender.end();
  await run;
  assert.deepEqual(
    { begun, failures, kept },
    { begun: 2, failures: [FAILURE.message], kept: ["0"] },
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

test("where a webhook has come to is kept five times a second at most, however many blocks there are", async () => {
  let size = 1;
  const { sender, kept } = senderOf(
    async () => 0,
    () => undefined,
    () => size,
  );
  const run = sender.run();
  const startedMs = performance.now();
  for (let block = 0; block < 100; block += 1) {
    size += 1;
    sender.noteBlocks();
    await delay(5);
  }
  const most = 2 + (performance.now() - startedMs) / 200;
  assert.ok(kept.length >= 1 && kept.length <= most, `${kept.length} of ${most}`);
  // The last of them is kept though no more blocks come.
  await until(() => kept.at(-1) === `${size - 1}`);
  sender.end();
  await run;
});
