import assert from "node:assert/strict";
import { test } from "node:test";
import { type Ledger, type SharedLog, StorageFailure, type Turn } from "@moneta/ledger";
import { VirtualTime } from "../simulator/virtual-time.ts";
import type { FromOpenLedger, LogReport } from "./ledger-messages.ts";
import { SharedLoop } from "./shared-loop.ts";

/** The newest block of node and log. */
const PLACE = { height: 7, id: "seven" };

test("cluster §3: a node that could not execute for its disk accepts writes again, though no block is missing", async () => {
  const { loop, time, said } = loopOver({
    executeIn: async () => {
      throw new StorageFailure("the disk is full");
    },
  });
  loop.start();
  await time.passUntil(() => reportOf(said) !== undefined, 1000);
  loop.take({ kind: "batch", batch: 0, units: ["{}"], now: 0, deadlines: [time.nowMs + 20_000] });
  const isUnstored = (): boolean => reportOf(said)?.unstored !== undefined;
  assert.ok(await time.passUntil(isUnstored, 5000), "it says so");
  const since = time.nowMs;
  assert.ok(await time.passUntil(() => !isUnstored(), since + 10_000), "it tries again");
  assert.ok(time.nowMs - since > 3000, "not at once");
  await loop.end();
});

/** A loop whose ledger and log do nothing but what is given. */
function loopOver({ executeIn }: Pick<Ledger, "executeIn">): {
  readonly loop: SharedLoop;
  readonly time: VirtualTime;
  readonly said: FromOpenLedger[];
} {
  const time = new VirtualTime();
  const said: FromOpenLedger[] = [];
  const turn: Turn = {
    blocks: [],
    now: 0,
    append: async () => ({ kind: "certain" }),
    end: async () => true,
    giveBack: async () => undefined,
  };
  const log: Partial<SharedLog> = {
    turn: async () => turn,
    next: async () => [],
    look: async () => PLACE,
    onNews: () => undefined,
    status: { heardMs: 0, clockOffsetMs: 0, timeline: 1, unkept: undefined },
    takeTurns: () => [],
    close: () => undefined,
  };
  const ledger = { stored: PLACE, unknownVersion: undefined, executeIn };
  const loop = new SharedLoop({
    ledger: ledger as unknown as Ledger,
    log: log as SharedLog,
    time: {
      nowMs: () => time.nowMs,
      wallMs: () => time.nowMs,
      after: (ms, call) => time.after(ms, call),
      soon: (call) => void time.after(0, call),
    },
    operationsMax: 100,
    bytesMax: 1 << 20,
    say: (message) => said.push(message),
    attempt: async (work) => await work(),
    checkpoint: () => undefined,
  });
  return { loop, time, said };
}

function reportOf(said: readonly FromOpenLedger[]): LogReport | undefined {
  return said.findLast((message) => message.kind === "log");
}
