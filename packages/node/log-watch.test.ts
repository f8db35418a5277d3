import assert from "node:assert/strict";
import { test } from "node:test";
import { SYSTEM_TIME } from "@moneta/ledger";
import { EMPTY_REPORT, type LogReport } from "./ledger-thread/ledger-messages.ts";
import { LogWatch } from "./log-watch.ts";

test("cluster §2: a node that stops before a version grows old once the log has a block of it, though it hears of the log", () => {
  let nowMs = 0;
  const time = { ...SYSTEM_TIME, nowMs: () => nowMs };
  const watch = new LogWatch({ time, staleMs: 60_000, writeMs: 20_000, isFollower: false });
  const hear = (atSeconds: number, logHeight: number): number | undefined => {
    nowMs = atSeconds * 1000;
    watch.note({ ...EMPTY_REPORT, hasCaughtUp: true, heardMs: nowMs, logHeight });
    return watch.ageSeconds;
  };
  watch.noteVersion({ height: 7, unknownVersion: { version: 9, height: 8 } });
  assert.equal(hear(10, 7), 0, "no node is ahead");
  assert.equal(hear(20, 8), 10);
  assert.equal(hear(30, 9), 20);
  assert.deepEqual(watch.ageHeader, { "Ledger-Age": "20" });
  watch.noteVersion({ height: 9, unknownVersion: undefined });
  assert.equal(hear(40, 9), 0);
});

test("cluster §7: a node follows its log unless the log was rewritten, or a block is refused or cannot be stored", () => {
  const watch = new LogWatch({
    time: SYSTEM_TIME,
    staleMs: 60_000,
    writeMs: 20_000,
    isFollower: false,
  });
  assert.equal(watch.isFollowing, false, "it has not caught up");
  const hear = (report: Partial<LogReport>): boolean => {
    watch.note({ ...EMPTY_REPORT, hasCaughtUp: true, ...report });
    return watch.isFollowing;
  };
  assert.equal(hear({}), true);
  assert.equal(hear({ diverged: { height: 1, ours: "a", theirs: "b" } }), false);
  assert.equal(hear({ refused: "it follows another block" }), false);
  assert.equal(
    hear({ unstored: { reason: "the disk is full", detail: "no space is left" } }),
    false,
  );
  assert.equal(
    hear({ trouble: "no host answers" }),
    true,
    "that passes, and leases end by themselves",
  );
});
