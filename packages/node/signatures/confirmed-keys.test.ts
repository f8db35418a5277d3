import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { test } from "node:test";
import { VerifyingKey } from "@moneta/ledger/signature-check";
import { ConfirmedKeys } from "./confirmed-keys.ts";

function newPoint(namedCurve: string): Uint8Array {
  const { publicKey } = generateKeyPairSync("ec", { namedCurve });
  return new VerifyingKey(publicKey.export({ format: "der", type: "spki" }).toString("base64"))
    .point;
}

test("a key that one thread has confirmed is confirmed for all, and no other key is", () => {
  const memory = ConfirmedKeys.memory();
  const [one, other] = [new ConfirmedKeys(memory), new ConfirmedKeys(memory)];
  for (const curve of ["P-256", "P-384", "P-521"]) {
    const [point, stranger] = [newPoint(curve), newPoint(curve)];
    one.add(point);
    assert.deepEqual([other.has(point), other.has(stranger)], [true, false], curve);
  }
});

test("a key takes the place of one with the same lower bits, which is confirmed anew", () => {
  const confirmed = new ConfirmedKeys();
  const first = newPoint("P-256");
  const second = Uint8Array.from(first, (byte, index) =>
    index === first.length - 8 ? byte ^ 1 : byte,
  );
  confirmed.add(first);
  assert.equal(confirmed.has(second), false);
  confirmed.add(second);
  assert.deepEqual([confirmed.has(first), confirmed.has(second)], [false, true]);
});

test("a key whose last bytes are 0 is confirmed by nothing but itself", () => {
  const confirmed = new ConfirmedKeys();
  const zeros = new Uint8Array(65);
  assert.equal(confirmed.has(zeros), false);
  confirmed.add(zeros);
  assert.equal(confirmed.has(zeros), true);
});
