import assert from "node:assert/strict";
import { test } from "node:test";
import { pino } from "pino";
import { EMPTY_REPORT } from "../ledger-thread/ledger-messages.ts";
import { OperatorEvents } from "./operator-events.ts";
import { logForOperator } from "./operator-log.ts";

/** Messages of the log, and the reasons that some of them give. */
function readable(): {
  readonly events: OperatorEvents;
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
  const events = new OperatorEvents();
  logForOperator(events, pino({ level: "warn" }, { write }));
  return { events, messages, reasons };
}

test("a test deployment of a custom ledger is noted", () => {
  const { events, messages } = readable();
  events.emit("opened", { deployment: "test", ledger: "localhost/test" });
  events.emit("opened", { deployment: "test", ledger: "localhost/demo" });
  events.emit("opened", { deployment: "production", ledger: "ledger.example/main" });
  assert.deepEqual(messages, []);
  events.emit("opened", { deployment: "test", ledger: "ledger.example/main" });
  assert.match(messages.join(), /^this node is a test deployment.*--deployment production/);
});

test("a log of changes that a reader keeps for a moment is not worth a word", () => {
  const { events, messages } = readable();
  for (const pages of [4000, 5000, 16_384]) {
    events.emit("checkpoint", { pages, copied: pages - 80, ms: 3 });
    events.emit("checkpoint", { pages, copied: pages, ms: 3 });
  }
  assert.deepEqual(messages, []);
});

test("a log of changes that has outgrown what it keeps at rest is noted once, and its end", () => {
  const { events, messages } = readable();
  for (const pages of [16_000, 17_000, 18_000, 4000]) {
    events.emit("checkpoint", { pages, copied: 3000, ms: 3 });
  }
  assert.equal(messages.length, 1);
  assert.match(messages[0] ?? "", /cannot be copied into ledger\.db/);
  events.emit("checkpoint", { pages: 4000, copied: 4000, ms: 3 });
  events.emit("checkpoint", { pages: 4000, copied: 4000, ms: 3 });
  assert.deepEqual(messages.slice(1), ["the log of changes is reused again"]);
});

test("a checkpoint that fails is noted at any size", () => {
  const { events, messages } = readable();
  events.emit("checkpoint", { failure: "disk full" });
  events.emit("checkpoint", { failure: "disk full" });
  assert.equal(messages.length, 1);
  events.emit("checkpoint", { pages: 4000, copied: 4000, ms: 3 });
  assert.equal(messages.length, 2);
});

test("each new reason for which the log cannot be reached is noted once, up to eight, and the end", () => {
  const { events, messages, reasons } = readable();
  const note = (trouble: string | undefined): boolean =>
    events.emit("log", { ...EMPTY_REPORT, trouble });
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

test("a log that lacks blocks of this node is noted once a minute, and its end at any time", (t) => {
  let nowMs = 0;
  t.mock.method(performance, "now", () => nowMs);
  const { events, messages } = readable();
  const diverged = { height: 1, ours: "a", theirs: "b" };
  for (const second of [0, 1, 59, 60, 61, 119, 120]) {
    nowMs = second * 1000;
    events.emit("log", { ...EMPTY_REPORT, diverged });
  }
  assert.equal(messages.length, 3);
  nowMs = 600_000;
  events.emit("log", EMPTY_REPORT);
  events.emit("log", EMPTY_REPORT);
  assert.deepEqual(messages.slice(3), ["the log has the blocks of this node again"]);
});
