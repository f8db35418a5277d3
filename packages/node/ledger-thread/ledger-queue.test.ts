import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { saidCode, TestNode } from "../testing/test-node.ts";

/** Admission would refuse it: it ends the ledger thread. */
const BUG = '{"actor":"","decided":{},"op":"bug","params":{},"signatures":{},"v":1}';

async function codeOf(submitted: Promise<unknown>): Promise<string> {
  return await submitted.then(
    (outcome) => (outcome as { fault?: { code: string } }).fault?.code ?? "done",
    () => "unknown",
  );
}

test("when the ledger thread ends, every write is refused, or fails because its outcome is unknown", async () => {
  await using node = await TestNode.start();
  const to = await node.holder();
  const { queue } = node.running.service;
  const underWay = codeOf(queue.submit(BUG));
  // Until the batch has been sent. Later operations wait for it.
  await turn();
  await turn();
  const waiting = [codeOf(queue.submit(BUG)), codeOf(queue.submit(BUG))];
  const answers = await Promise.all([underWay, ...waiting]);
  assert.deepEqual(answers, ["unknown", "9002", "9002"]);
  assert.match(String(node.failure), /only operations with a rule are admitted/);
  node.failure = undefined;
  assert.equal(await codeOf(queue.submit(BUG)), "9002");
  await queue.drain();
  assert.deepEqual([queue.length, queue.bytes], [0, 0]);
  const transfer = await node.fullTransfer(node.treasury, { to: to.address, amount: "1" });
  assert.equal(saidCode(await node.post("/transfer", transfer)), "503 9002");
  assert.equal((await node.get("/block")).status, 200);
  await node.stop();
  assert.equal(node.failure, undefined, "it has failed once");
});

test("operations that wait when the queue is closed are refused, and so are later ones", async () => {
  await using node = await TestNode.start();
  const { queue } = node.running.service;
  queue.beginVerifying(1);
  const waiting = queue.submit(BUG);
  const stopped = queue.close();
  assert.deepEqual(await Promise.all([waiting, queue.submit(BUG)].map(codeOf)), ["9002", "9002"]);
  queue.endVerifying(1);
  await stopped;
});

test("held requests count in the queue, and no block waits for them", async () => {
  await using node = await TestNode.start("--block-gather-ms", "10000");
  const { queue } = node.running.service;
  queue.hold(64, 1000);
  assert.deepEqual([queue.length, queue.bytes], [64, 1000]);
  await node.holder();
  let isDrained = false;
  const drained = queue.drain().then(() => {
    isDrained = true;
  });
  await turn();
  await turn();
  assert.equal(isDrained, false);
  queue.release(64, 1000);
  await drained;
  assert.deepEqual([queue.length, queue.bytes], [0, 0]);
});
