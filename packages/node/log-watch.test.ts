import assert from "node:assert/strict";
import { test } from "node:test";
import { SYSTEM_TIME } from "@moneta/ledger";
import { EMPTY_REPORT } from "./ledger-thread/ledger-messages.ts";
import { LogWatch } from "./log-watch.ts";

test("cluster §2: a node that stops before a version grows old once the log has a block of it, though it hears of the log", () => {
  let nowMs = 0;
  const time = { ...SYSTEM_TIME, nowMs: () => nowMs };
  const watch = new LogWatch({ time, staleMs: 60_000, isFollower: false });
  const hear = (atSeconds: number, logHeight: number): number | undefined => {
    nowMs = atSeconds * 1000;
    watch.note({ ...EMPTY_REPORT, hasCaughtUp: true, heardMs: nowMs, logHeight });
    return watch.ageSeconds;
  };
  watch.noteVersion({ height: 7, unknownVersion: { version: 9, height: 8 } });
  assert.equal(hear(10, 7), 0, "nobody has gone further");
  assert.equal(hear(20, 8), 10);
  assert.equal(hear(30, 9), 20);
  assert.deepEqual(watch.ageHeader, { "Ledger-Age": "20" });
  watch.noteVersion({ height: 9, unknownVersion: undefined });
  assert.equal(hear(40, 9), 0);
});
