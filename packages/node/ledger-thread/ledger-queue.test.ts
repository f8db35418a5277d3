import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { sha256 } from "@moneta/ledger";
import {
  type Address,
  addressAround,
  type GroupMember,
  groupId,
  operationText,
} from "@moneta/protocol";
import { newKey, publicPem, refusalCode, TestNode } from "../testing/test-node.ts";
import type { Batch } from "./ledger-messages.ts";

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
  const underWay = codeOf(queue.submit([BUG]));
  // Until the batch has been sent. Later operations wait for it.
  await turn();
  await turn();
  const waiting = [codeOf(queue.submit([BUG])), codeOf(queue.submit([BUG]))];
  const answers = await Promise.all([underWay, ...waiting]);
  assert.deepEqual(answers, ["unknown", "9002", "9002"]);
  assert.match(String(node.failure), /only operations with a rule are admitted/);
  node.failure = undefined;
  assert.equal(await codeOf(queue.submit([BUG])), "9002");
  await queue.drain();
  assert.deepEqual([queue.length, queue.bytes], [0, 0]);
  const transfer = await node.fullTransfer(node.treasury, { to: to.address, amount: "1" });
  assert.equal(refusalCode(await node.post("/transfer", transfer)), "503 9002");
  assert.equal((await node.get("/block")).status, 200);
  await node.stop();
  assert.equal(node.failure, undefined, "it has failed once");
});

test("operations that wait when the queue is closed are refused, and so are later ones", async () => {
  await using node = await TestNode.start();
  const { queue } = node.running.service;
  queue.beginVerifying(1);
  const waiting = queue.submit([BUG]);
  const stopped = queue.close();
  assert.deepEqual(await Promise.all([waiting, queue.submit([BUG])].map(codeOf)), ["9002", "9002"]);
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

test("address numbers that admission has looked up go to the ledger thread, once", async (context) => {
  const { mock } = context.mock.method(Worker.prototype, "postMessage");
  await using node = await TestNode.start();
  const { address: to } = await node.holder();
  for (const amount of ["1", "2"]) {
    const transfer = await node.fullTransfer(node.treasury, { to, amount });
    assert.equal((await node.post("/transfer", transfer)).status, 200);
  }
  const sent = mock.calls.flatMap(({ arguments: [message] }) => {
    const { addressNumbers } = message as Partial<Batch>;
    return [...(addressNumbers?.keys() ?? [])];
  });
  assert.equal(sent.filter((address) => address === to).length, 1);
});

/** Operations of a group of payments, as admission passes them on. */
async function paymentsTogether(node: TestNode, count: number): Promise<readonly string[]> {
  const { address: from } = node.treasury;
  const { address: to } = await node.holder();
  const members: GroupMember[] = [];
  for (let index = 0; index < count; index += 1) {
    const checkkey = await node.key(node.treasury);
    const params = { amount: "1", checkkey, from, signed: "full", to, token: "0" };
    members.push({ op: "transfer", params });
  }
  const { ledger_id: ledgerId } = JSON.parse((await node.get("/")).text) as { ledger_id: string };
  const group = groupId(members, { ledgerId, sha256 });
  return members.map(({ op, params }) =>
    operationText({
      ...{ op, actor: from as Address, params: { ...params, group }, decided: {} },
      signatures: { signature: "MEQ=" },
    }),
  );
}

function addressText(name: string): string {
  return operationText({
    ...{ op: "address", actor: "", params: { publickey: publicPem(newKey()) }, signatures: {} },
    decided: { address: addressAround(name.padStart(30, "0")) },
  });
}

test("batches §2.12: a group that is over at the full block goes whole into the next one", async () => {
  await using node = await TestNode.start("--block-operations-max", "3");
  const { queue } = node.running.service;
  const texts = await paymentsTogether(node, 2);
  const [one, two, group, three] = await Promise.all([
    queue.submit([addressText("One")]),
    queue.submit([addressText("Two")]),
    queue.submit(texts),
    queue.submit([addressText("Three")]),
  ]);
  const ids = [one, two, group, three].flatMap((outcome) => {
    assert(outcome.kind === "done");
    return outcome.transactionIds;
  });
  const places = ids.map((id) =>
    [id.slice(0, 16), id.slice(16, 24)].map((digits) => Number.parseInt(digits, 16)),
  );
  const first = places[0]?.[0] as number;
  assert.deepEqual(places, [
    [first, 0],
    [first, 1],
    [first + 1, 0],
    [first + 1, 1],
    [first + 1, 2],
  ]);
});

test("batches §2.12: alone in a block, a group may have more operations and bytes than a block", async () => {
  await using node = await TestNode.start(
    "--block-operations-max",
    "2",
    "--block-bytes-max",
    "1024",
  );
  const { queue } = node.running.service;
  const texts = await paymentsTogether(node, 16);
  const submitted = queue.submit(texts);
  assert.equal(queue.length, 16);
  assert.equal(
    queue.bytes,
    texts.reduce((sum, text) => sum + text.length, 0),
  );
  const outcome = await submitted;
  assert.equal(outcome.kind === "done" && outcome.transactionIds.length, 16);
  assert.deepEqual([queue.length, queue.bytes], [0, 0]);
});
