import assert from "node:assert/strict";
import { test } from "node:test";
import { addressAround, type Fault } from "@moneta/protocol";
import { WriteQuota } from "./write-quota.ts";

const A = addressAround("A".repeat(30));
const B = addressAround("B".repeat(30));
const HOUR_MS = 3_600_000;

let nowMs = 0;

function quota(
  clientBytesPerHour: number,
  actorBytesPerHour: number,
  wrongSignaturesPerMinute = 0,
): WriteQuota {
  nowMs = 0;
  return new WriteQuota({
    ...{ clientBytesPerHour, actorBytesPerHour, wrongSignaturesPerMinute },
    clockMs: () => nowMs,
  });
}

function wait(fault: Fault | undefined): number {
  return fault?.code === "9001" ? fault.retryAfter : 0;
}

test("an actor may write its quota at once, and again within an hour, from whatever client", () => {
  const one = quota(0, 1000);
  assert.equal(wait(one.take(600, { client: "x", signers: [A] })), 0);
  assert.equal(wait(one.take(400, { client: "y", signers: [A] })), 0);
  assert.equal(wait(one.take(100, { client: "z", signers: [A] })), 360);
  assert.equal(wait(one.take(100, { client: "x", signers: [B] })), 0);
  nowMs += HOUR_MS / 10;
  assert.equal(wait(one.take(101, { client: "z", signers: [A] })), 4);
  assert.equal(wait(one.take(100, { client: "z", signers: [A] })), 0);
  nowMs += HOUR_MS;
  assert.equal(wait(one.take(1000, { client: "z", signers: [A] })), 0);
});

test("a client may write its quota for any actors, and is refused before an actor's quota is used", () => {
  const one = quota(1000, 1500);
  assert.equal(wait(one.take(900, { client: "x", signers: [A] })), 0);
  assert.equal(wait(one.take(200, { client: "x", signers: [B] })), 360);
  assert.equal(wait(one.take(1500, { client: "y", signers: [B] })), 0);
  assert.equal(one.check("x"), undefined);
  assert.equal(wait(one.take(100, { client: "x", signers: [] })), 0);
  assert.equal(wait(one.check("x")), 4);
});

test("what two have signed counts in full for both, and once for the client", () => {
  const one = quota(1000, 1000);
  assert.equal(wait(one.take(600, { client: "x", signers: [A, B] })), 0);
  assert.equal(
    wait(one.take(400, { client: "x", signers: [] })),
    0,
    "the client's is used up only now",
  );
  for (const signer of [A, B]) {
    assert.equal(wait(one.take(500, { client: "y", signers: [signer] })), 360);
  }
  one.giveBack(600, { client: "x", signers: [A, B] });
  assert.equal(wait(one.take(1000, { client: "y", signers: [B] })), 0);
  assert.equal(wait(one.take(1000, { client: "z", signers: [A, B] })), 3600, "B has no more");
});

test("what is not written is given back, and the node's own writes are not counted", () => {
  const one = quota(1000, 1000);
  const writer = { client: "x", signers: [A] };
  assert.equal(wait(one.take(1000, writer)), 0);
  one.giveBack(1000, writer);
  assert.equal(wait(one.take(1000, writer)), 0);
  for (let count = 0; count < 5; count += 1) {
    assert.equal(wait(one.take(1000, { client: undefined, signers: [] })), 0);
  }
});

test("an operation larger than the limit fits if nothing else was written; 0 means no limit", () => {
  const one = quota(1000, 1000);
  assert.equal(wait(one.take(5000, { client: "x", signers: [A] })), 0);
  assert.equal(wait(one.take(1, { client: "x", signers: [A] })), Math.ceil((4001 * 3600) / 1000));
  const none = quota(0, 0);
  for (let count = 0; count < 5; count += 1) {
    assert.equal(wait(none.take(1e12, { client: "x", signers: [A] })), 0);
  }
});

test("the most recent writers are remembered, however many there are", () => {
  const one = quota(1000, 0);
  for (let count = 0; count < 150_000; count += 1) {
    one.take(1000, { client: String(count), signers: [] });
  }
  assert.notEqual(one.take(1000, { client: "149999", signers: [] }), undefined);
  assert.notEqual(one.take(1000, { client: "50000", signers: [] }), undefined);
  assert.equal(one.take(1000, { client: "49999", signers: [] }), undefined);
});

test("a client that has used up its wrong signatures waits until one of them is over a minute old, and may write unsigned operations", () => {
  const one = quota(0, 0, 60);
  one.noteWrong("x", 59);
  assert.equal(one.checkSignatures("x"), undefined);
  one.noteWrong("x", 64);
  assert.equal(wait(one.checkSignatures("x")), 64);
  assert.equal(one.check("x"), undefined);
  assert.equal(one.checkSignatures("y"), undefined);
  one.noteWrong(undefined, 100);
  assert.equal(one.checkSignatures(undefined), undefined);
  nowMs += 64_000;
  assert.equal(one.checkSignatures("x"), undefined);
});
