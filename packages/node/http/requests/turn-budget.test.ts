import assert from "node:assert/strict";
import { connect } from "node:net";
import { test } from "node:test";
import { TestNode } from "../../testing/test-node.ts";
import { TurnBudget } from "./turn-budget.ts";

test("cheap reads share a turn; after an expensive one each waits for the next turn, in order, and others come in between", async () => {
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

test("expensive reads that arrive together are done in turns of their own", async () => {
  await using node = await TestNode.start();
  const { service } = node.running as { service: { reading: () => unknown } };
  const { reading } = service;
  let turn = 0;
  let ticking = setImmediate(function tick() {
    turn += 1;
    ticking = setImmediate(tick);
  });
  const turns: number[] = [];
  service.reading = () => {
    turns.push(turn);
    const until = performance.now() + 20;
    while (performance.now() < until) {}
    return reading();
  };
  const socket = connect(Number(new URL(node.url).port), "127.0.0.1");
  try {
    socket.write("GET /block HTTP/1.1\r\nHost: x\r\n\r\n".repeat(5));
    let text = "";
    for await (const chunk of socket) {
      text += chunk;
      if (text.split("HTTP/1.1 200").length > 5) {
        break;
      }
    }
  } finally {
    clearImmediate(ticking);
    socket.destroy();
    service.reading = reading;
  }
  assert.equal(turns.length, 5);
  assert.equal(new Set(turns).size, 5, `turns ${turns}`);
});
