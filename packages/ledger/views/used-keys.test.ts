import assert from "node:assert/strict";
import { test } from "node:test";
import {
  encodeBase62Number,
  parseTemporaryKey,
  type TemporaryKey,
  untaggedKey,
} from "@moneta/protocol";
import { type Database, openForWriting } from "../database.ts";
import { createTables } from "../tables.ts";
import { REPEAT_RECOGNISED_SECONDS, UsedKeyView } from "./used-keys.ts";

const EXPIRY = 1767226200;

function start(): UsedKeyView {
  return startOver(openForWriting(":memory:"));
}

function startOver(database: Database): UsedKeyView {
  createTables(database);
  return new UsedKeyView(database, "write");
}

function key(random: number, addressNumber = 1, expiry = EXPIRY): TemporaryKey {
  const untagged = untaggedKey({ addressNumber, expiry, random: encodeBase62Number(random, 10) });
  return parseTemporaryKey(`${untagged}${"0".repeat(22)}`) as TemporaryKey;
}

test("a key serves once, and it is known what", () => {
  const used = start();
  assert.equal(used.usedBy(key(1), EXPIRY), undefined);
  assert.equal(used.use(key(1), 5), true);
  assert.equal(used.use(key(1), 6), false);
  assert.equal(used.usedBy(key(1), EXPIRY), 5);
});

test("keys differ by address, expiry and random digits", () => {
  const used = start();
  for (const [index, other] of [key(1), key(2), key(1, 2), key(1, 1, EXPIRY + 1)].entries()) {
    assert.equal(used.use(other, index), true);
  }
});

test("a key that is released can serve again", () => {
  const used = start();
  used.use(key(1), 5);
  used.use(key(2), 6);
  used.release(key(1));
  assert.equal(used.usedBy(key(1), EXPIRY), undefined);
  assert.equal(used.usedBy(key(2), EXPIRY), 6);
  assert.equal(used.use(key(1), 7), true);
});

test("accounts §7.4: keys are forgotten 86400 s after their expiry, the oldest first, so many at once", () => {
  const used = start();
  for (const [index, expiry] of [EXPIRY + 2, EXPIRY, EXPIRY + 1].entries()) {
    used.use(key(index, 1, expiry), index);
  }
  const known = (): boolean[] =>
    [key(1, 1, EXPIRY), key(2, 1, EXPIRY + 1), key(0, 1, EXPIRY + 2)].map(
      (earlier) => used.usedBy(earlier, EXPIRY) !== undefined,
    );
  used.forgetOld(EXPIRY + REPEAT_RECOGNISED_SECONDS, 10);
  assert.deepEqual(known(), [true, true, true]);
  used.forgetOld(EXPIRY + REPEAT_RECOGNISED_SECONDS + 100, 1);
  assert.deepEqual(known(), [false, true, true]);
  used.forgetOld(EXPIRY + REPEAT_RECOGNISED_SECONDS + 2, 10);
  assert.deepEqual(known(), [false, false, true]);
});

test("accounts §7.4: a key that is not forgotten yet is not recognised longer for that", () => {
  const used = start();
  used.use(key(1), 5);
  assert.equal(used.usedBy(key(1), EXPIRY + REPEAT_RECOGNISED_SECONDS), 5);
  assert.equal(used.usedBy(key(1), EXPIRY + REPEAT_RECOGNISED_SECONDS + 1), undefined);
});

test("keys of many addresses that were issued one after the other are stored side by side", () => {
  const database = openForWriting(":memory:");
  const used = startOver(database);
  // 64 is prime to 997: addresses come in an order of their own.
  for (let number = 0; number < 997; number += 1) {
    used.use(key(number, (number * 64) % 997), number);
  }
  const rows = database.prepare("SELECT transaction_number AS number FROM used_key").all();
  assert.deepEqual(
    rows.map((row) => row["number"]),
    rows.map((_, index) => index),
  );
});
