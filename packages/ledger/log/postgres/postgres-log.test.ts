import assert from "node:assert/strict";
import { test } from "node:test";
import type { Time } from "../../time.ts";
import type { BlockLog } from "../block-log.ts";
import type { Engine, EngineResult } from "./engine.ts";
import { PostgresLog } from "./postgres-log.ts";

test("cluster §5: the time that a look waits, for its connection or in the queue, is none of the engine's clock", async () => {
  let nowMs = 1_000_000;
  const time: Time = {
    nowMs: () => nowMs,
    wallMs: () => nowMs,
    after: () => ({ cancel: () => undefined }),
    soon: (call) => setImmediate(call),
  };
  const result = (row: Readonly<Record<string, string>>): EngineResult => {
    return { command: "SELECT", count: 1, rows: [row], warnings: [] };
  };
  const engine: Engine = {
    async connect() {
      nowMs += 4000;
      return {
        async query(text) {
          if (!text.includes("clock_timestamp")) {
            return [result({ version: "180000" })];
          }
          nowMs += 10;
          const now = nowMs / 1000;
          nowMs += 10;
          return [result({}), result({ now: String(now), timeline: "00000001" })];
        },
        hasEnded: false,
        end: () => undefined,
      };
    },
  };
  const log = new PostgresLog({
    ...{ engine, time, copy: {} as BlockLog, schema: "moneta", turnMs: 5000 },
    timelines: { highest: 0, remember: () => undefined },
  });
  const none = { height: -1, id: "" };
  await Promise.all([log.look(none), log.look(none), log.look(none)]);
  assert.equal(log.status.clockOffsetMs, 0);
});
