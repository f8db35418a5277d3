import assert from "node:assert/strict";
import { test } from "node:test";
import { pino } from "pino";
import { EMPTY_REPORT } from "./ledger-thread/ledger-messages.ts";
import { OperatorLog } from "./operator-log.ts";

/** What an operator reads: the messages, and the reasons that some of them give. */
function readable(): {
  readonly log: OperatorLog;
  readonly messages: string[];
  readonly reasons: string[];
} {
  const messages: string[] = [];
  const reasons: string[] = [];
  const write = (line: string): void => {
    const { msg, reason } = JSON.parse(line);
    messages.push(msg);
    reasons.push(...(reason === undefined ? [] : [reason]));
  };
  return { log: new OperatorLog(pino({ level: "warn" }, { write })), messages, reasons };
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

test("each new reason for which the log cannot be reached is noted once, up to eight, and the end", () => {
  const { log, messages, reasons } = readable();
  const note = (trouble: string | undefined): void => log.noteLog({ ...EMPTY_REPORT, trouble });
  const closed = "terminating connection due to administrator command";
  const denied = "password authentication failed";
  for (const trouble of [undefined, closed, denied, closed, denied, undefined, denied, undefined]) {
    note(trouble);
  }
  assert.deepEqual(reasons, [closed, denied, denied]);
  assert.equal(messages.length, 5);
  for (let n = 0; n < 100; n += 1) {
    note(`refused at port ${n}`);
  }
  assert.equal(reasons.length, 3 + 8);
});
