import assert from "node:assert/strict";
import { test } from "node:test";
import type { Block } from "@moneta/protocol";
import { SyncFailure } from "../../sync-failure.ts";
import { SYSTEM_TIME, type Time } from "../../time.ts";
import { type BlockLog, LogUnavailable } from "../block-log.ts";
import { ConnectionLost, type Engine, EngineRefusal, type EngineResult } from "./engine.ts";
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
            return [result({}), result(FIT)];
          }
          nowMs += 10;
          const now = nowMs / 1000;
          nowMs += 10;
          return [result({}), result({ ...FIT, now: String(now), timeline: "00000001" })];
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

for (const { what, leave } of [
  {
    what: "begins a turn at its successor",
    leave: (log: PostgresLog) => log.turn({ place: () => NONE, timeoutMs: 1000 }),
  },
  {
    what: "looks for a higher timeline",
    leave: (log: PostgresLog) => log.check(async () => undefined),
  },
]) {
  test(`cluster §6: a barrier at a primary that was replaced, and lives, ends when the node ${what}`, {
    timeout: 120_000,
  }, async () => {
    let primary = "00000001";
    const isBegun = Promise.withResolvers<void>();
    const result = (row: Readonly<Record<string, string>>): EngineResult => {
      return { command: "SELECT", count: 1, rows: [row], warnings: [] };
    };
    const engine: Engine = {
      async connect() {
        const timeline = primary;
        const ended = Promise.withResolvers<never>();
        ended.promise.catch(() => undefined);
        return {
          async query(text) {
            if (text.includes("pg_logical_emit_message")) {
              isBegun.resolve();
              // No standby answers that primary.
              return await ended.promise;
            }
            const known = { ...FIT, timeline, now: "0", height: "7", id: "seven" };
            // The last one of a turn has its blocks; of others it has the timeline.
            const last = text.startsWith("BEGIN") ? NO_ROWS : result(known);
            return [result(known), result(known), last];
          },
          hasEnded: false,
          end: () => ended.reject(new ConnectionLost("it was ended")),
        };
      },
    };
    const log = new PostgresLog({
      ...{ engine, copy: {} as BlockLog, schema: "moneta", turnMs: 5000 },
      time: {
        ...{ nowMs: () => 0, wallMs: () => 0, soon: (call) => setImmediate(call) },
        // No limit of time is reached.
        after: () => ({ cancel: () => undefined }),
      },
      timelines: { highest: 0, remember: () => undefined },
    });
    const looked = assert.rejects(log.look(NONE), LogUnavailable);
    await isBegun.promise;
    primary = "00000002";
    await leave(log);
    await looked;
  });
}

test("a timeline that could not be synced to the disk ends the process, also if a barrier was on it", async () => {
  const result = (command: string, row: Readonly<Record<string, string>>): EngineResult => {
    return { command, count: 1, rows: [row], warnings: [] };
  };
  const engine: Engine = {
    connect: async () => ({
      query: async () => {
        const known = { ...FIT, timeline: "00000001", now: "0", height: "7", id: "7" };
        // The answer to everything: a barrier has two more results behind the timeline's.
        return [...Array(2).fill(result("SELECT", known)), NO_ROWS, result("COMMIT", {})];
      },
      hasEnded: false,
      end: () => undefined,
    }),
  };
  const log = new PostgresLog({
    ...{ engine, copy: {} as BlockLog, schema: "moneta", turnMs: 5000, time: SYSTEM_TIME },
    timelines: {
      highest: 0,
      remember: () => {
        throw new SyncFailure("the disk is broken");
      },
    },
  });
  await assert.rejects(log.look(NONE), SyncFailure);
});

for (const { code, kind } of [
  { code: "23505", kind: "conflict" },
  { code: "25006", kind: "refused" },
  { code: "40001", kind: "conflict" },
  { code: "42501", kind: "refused" },
  { code: "53100", kind: "refused" },
  { code: "40003", kind: "doubt" },
  { code: "08000", kind: "doubt" },
  { code: "08006", kind: "doubt" },
  { code: "08P01", kind: "doubt" },
  // A cancelled wait of COMMIT is a warning: an error comes before anything is committed.
  { code: "57014", kind: "refused" },
  { code: "57P01", kind: "doubt" },
  { code: "58030", kind: "doubt" },
  { code: "XX000", kind: "doubt" },
  { code: "P0001", kind: "doubt" },
  { code: "lost", kind: "doubt" },
]) {
  test(`cluster §3: INSERT and COMMIT that are answered with ${code}: ${kind}`, async () => {
    const result = (row: Readonly<Record<string, string>>): EngineResult => {
      return { command: "SELECT", count: 1, rows: [row], warnings: [] };
    };
    const engine: Engine = {
      connect: async () => ({
        async query(text) {
          if (text.startsWith("INSERT")) {
            throw code === "lost"
              ? new ConnectionLost("it was cut")
              : new EngineRefusal("no", { code, isFatal: false });
          }
          const known = { ...FIT, timeline: "00000001", now: "0" };
          const last = text.startsWith("BEGIN") ? NO_ROWS : result(known);
          return [result(known), result(known), last];
        },
        hasEnded: false,
        end: () => undefined,
      }),
    };
    const log = new PostgresLog({
      ...{ engine, copy: {} as BlockLog, schema: "moneta", turnMs: 5000, time: SYSTEM_TIME },
      timelines: { highest: 0, remember: () => undefined },
    });
    const turn = await log.turn({ place: () => NONE, timeoutMs: 1000 });
    const block = { id: "id", header: { sn: 0, previous: "" }, operations: [] };
    assert.equal((await turn.append(block as unknown as Block)).kind, kind);
    log.close();
  });
}

const NONE = { height: -1, id: "" };
/** What is read of an engine that may be written. */
const FIT = { server_version_num: "180000", client_encoding: "UTF8" };
const NO_ROWS: EngineResult = { command: "SELECT", count: 0, rows: [], warnings: [] };
