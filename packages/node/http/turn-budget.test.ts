import assert from "node:assert/strict";
import { test } from "node:test";
import { TurnBudget } from "./turn-budget.ts";

test("cheap reads share a turn; behind a dear one each waits for the next turn, in order, and others come in between", async () => {
  const budget = new TurnBudget(10);
  const log: string[] = [];
  const read = async (name: string, ms: number): Promise<void> => {
    if (budget.isSpent) {
      await budget.turn();
    }
    log.push(name);
    budget.spend(ms);
  };
  let turn = 0;
  const ticking = setImmediate(function tick() {
    turn += 1;
    log.push(`turn ${turn}`);
    if (turn < 5) {
      setImmediate(tick);
    }
  });
  await Promise.all([
    read("cheap", 1),
    read("cheap", 1),
    read("dear 1", 20),
    read("dear 2", 20),
    read("dear 3", 20),
    read("last", 1),
  ]);
  clearImmediate(ticking);
  const inTurns = log.join(", ").split(/, turn \d+/);
  assert.deepEqual(
    inTurns.map((names) => names.replace(/^, /, "")).filter((names) => names !== ""),
    ["cheap, cheap, dear 1", "dear 2", "dear 3", "last"],
  );
});
