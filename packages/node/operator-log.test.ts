import assert from "node:assert/strict";
import { test } from "node:test";
import { pino } from "pino";
import { OperatorLog } from "./operator-log.ts";

/** What an operator reads. */
function readable(): { readonly log: OperatorLog; readonly messages: string[] } {
  const messages: string[] = [];
  const write = (line: string): void => void messages.push(JSON.parse(line).msg);
  return { log: new OperatorLog(pino({ level: "warn" }, { write })), messages };
}

test("a test deployment of a ledger of somebody's own is noted", () => {
  const { log, messages } = readable();
  log.noteDeployment("test", "localhost/test");
  log.noteDeployment("test", "localhost/demo");
  log.noteDeployment("production", "ledger.example/main");
  assert.deepEqual(messages, []);
  log.noteDeployment("test", "ledger.example/main");
  assert.match(messages.join(), /^this node is a test deployment.*--deployment production/);
});

test("a log of changes that a reader keeps for a moment is not worth a word", () => {
  const { log, messages } = readable();
  for (const pages of [4000, 5000, 16_384]) {
    log.noteCheckpoint({ pages, copied: pages - 80, ms: 3 });
    log.noteCheckpoint({ pages, copied: pages, ms: 3 });
  }
  assert.deepEqual(messages, []);
});

test("a log of changes that has outgrown what it keeps at rest is noted once, and its end", () => {
  const { log, messages } = readable();
  for (const pages of [16_000, 17_000, 18_000, 4000]) {
    log.noteCheckpoint({ pages, copied: 3000, ms: 3 });
  }
  assert.equal(messages.length, 1);
  assert.match(messages[0] ?? "", /cannot be copied into ledger\.db/);
  log.noteCheckpoint({ pages: 4000, copied: 4000, ms: 3 });
  log.noteCheckpoint({ pages: 4000, copied: 4000, ms: 3 });
  assert.deepEqual(messages.slice(1), ["the log of changes is reused again"]);
});

test("a checkpoint that fails is noted at any size", () => {
  const { log, messages } = readable();
  log.noteCheckpoint({ failure: "disk full" });
  log.noteCheckpoint({ failure: "disk full" });
  assert.equal(messages.length, 1);
  log.noteCheckpoint({ pages: 4000, copied: 4000, ms: 3 });
  assert.equal(messages.length, 2);
});
