import assert from "node:assert/strict";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Worker } from "node:worker_threads";
import { DryRunner } from "@moneta/ledger";
import { Refused, refuse } from "@moneta/protocol";
import { type KeyHolder, TestNode } from "../testing/test-node.ts";
import { SHUTTING_DOWN } from "../write-state.ts";
import { DryRuns } from "./dry-runs.ts";

/** `threadId` of a worker that has ended. */
const ENDED = -1;

let node: TestNode;
let a: KeyHolder;
let file: string;
before(async () => {
  node = await TestNode.start();
  a = await node.holder({ coins: 1000n });
  file = join(node.data, "ledger.db");
});
after(() => node[Symbol.asyncDispose]());

async function transfers(count: number): Promise<Parameters<DryRuns["run"]>[0]> {
  const params = { from: a.address, to: node.treasury.address, token: "0", amount: "1" };
  const operations = await Promise.all(
    Array.from({ length: count }, async () => {
      const checkkey = await node.key(a);
      return { op: "transfer", params: { ...params, checkkey }, decided: {}, unissued: undefined };
    }),
  );
  return { operations, now: node.now, group: undefined };
}

test("one dry run is executed at a time, eight wait, more are 9002, as is a second one of a client", async () => {
  const runs = new DryRuns({ file });
  const run = await transfers(1);
  const clients = [..."aabcdefghijk"];
  const results = await Promise.all(clients.map((client) => runs.run(run, client)));
  const codes = results.map((result) => (result instanceof Refused ? result.fault.code : "done"));
  assert.deepEqual(codes, ["done", "9002", ...Array(8).fill("done"), "9002", "9002"]);
  assert.ok(!((await runs.run(run, "a")) instanceof Refused), "there is room again");
  await runs.close();
});

test("a thread that ends by a fault fails its dry run alone: the next one starts another", async () => {
  const runs = new DryRuns({ file });
  const bad = { operations: undefined as never, now: node.now, group: undefined };
  await assert.rejects(runs.run(bad, "a"), TypeError);
  assert.ok(!((await runs.run(await transfers(1), "a")) instanceof Refused));
  await runs.close();
});

test("the end of a failed thread is not taken for that of the next one, which serves on and is closed", async () => {
  const workers: Worker[] = [];
  const note = (message: unknown): void => {
    workers.push((message as { readonly worker: Worker }).worker);
  };
  subscribe("worker_threads", note);
  try {
    const runs = new DryRuns({ file });
    const bad = { operations: undefined as never, now: node.now, group: undefined };
    const run = await transfers(1);
    const failed = assert.rejects(runs.run(bad, "a"), TypeError);
    // It waits, and so it begins as soon as the one before has failed.
    await runs.run(run, "b");
    await failed;
    const [first] = workers;
    if (first !== undefined && first.threadId !== ENDED) {
      await once(first, "exit");
    }
    await runs.run(run, "a");
    await runs.close();
    assert.deepEqual(
      workers.map(({ threadId }) => threadId),
      [ENDED, ENDED],
    );
  } finally {
    unsubscribe("worker_threads", note);
  }
});

test("a dry run that a shutdown ends is refused, as are those that wait, and is no fault", async () => {
  const runs = new DryRuns({ file });
  const run = await transfers(1);
  const results = [runs.run(run, "a"), runs.run(run, "b")];
  // The thread has been started, and loads its sources.
  await new Promise(setImmediate);
  await runs.close();
  assert.deepEqual(await Promise.all(results), [refuse(SHUTTING_DOWN), refuse(SHUTTING_DOWN)]);
  assert.deepEqual(await runs.run(run, "a"), refuse(SHUTTING_DOWN));
});

test("no operation begins after the time of a dry run: 9002", async () => {
  const runner = new DryRunner(file);
  const { outcomes } = runner.run({ ...(await transfers(2)), cpuMs: -1 });
  const codes = outcomes.map((outcome) => ("fault" in outcome ? outcome.fault.code : "done"));
  assert.deepEqual(codes, ["9002", "9002"]);
  const group = runner.run({ ...(await transfers(2)), group: "a".repeat(64), cpuMs: -1 });
  assert.equal(group.outcomes.length, 1, "a refusal ends a group");
  runner.dispose();
});
