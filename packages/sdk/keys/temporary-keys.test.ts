import assert from "node:assert/strict";
import { test } from "node:test";
import { TemporaryKeys } from "./temporary-keys.ts";

/** Issues k1, k2, ... and notes how many were asked for at a time. */
function issuer(): { readonly asked: number[]; fetch(count: number): Promise<readonly string[]> } {
  let issued = 0;
  const asked: number[] = [];
  return {
    asked,
    async fetch(count) {
      asked.push(count);
      await Promise.resolve();
      issued += count;
      return Array.from({ length: count }, (_, index) => `k${issued - count + index + 1}`);
    },
  };
}

test("all who ask at once wait for one request, and each gets a key of its own", async () => {
  const { asked, fetch } = issuer();
  const keys = new TemporaryKeys(fetch);
  const taken = await Promise.all(Array.from({ length: 5 }, () => keys.take()));
  assert.deepEqual(asked, [5]);
  assert.equal(new Set(taken).size, 5);
});

test("more than 1000 are fetched by several requests, because one issues no more", async () => {
  const { asked, fetch } = issuer();
  const keys = new TemporaryKeys(fetch);
  await Promise.all(Array.from({ length: 1500 }, () => keys.take()));
  assert.deepEqual(asked, [1000, 500]);
});

test("a key that is given is taken before any is fetched", async () => {
  const { asked, fetch } = issuer();
  const keys = new TemporaryKeys(fetch);
  keys.give("given");
  assert.equal(await keys.take(), "given");
  assert.equal(await keys.take(), "k1");
  assert.deepEqual(asked, [1]);
});

test("who waits gets a key that comes meanwhile, and what was fetched for him is kept", async () => {
  const { asked, fetch } = issuer();
  const keys = new TemporaryKeys(fetch);
  const waiting = keys.take();
  keys.give("came meanwhile");
  assert.equal(await waiting, "came meanwhile");
  assert.deepEqual(asked, []);
});

test("keys older than half of their life are left, and so are those behind them", async (t) => {
  t.mock.timers.enable({ apis: ["Date"], now: 0 });
  const { fetch } = issuer();
  const keys = new TemporaryKeys(fetch);
  keys.give("old");
  t.mock.timers.setTime(299_999);
  keys.give("young");
  assert.equal(await keys.take(), "young");
  t.mock.timers.setTime(300_001);
  assert.equal(await keys.take(), "k1");
});

test("a failure reaches all who wait, and the next one asks again", async () => {
  let fails = true;
  const keys = new TemporaryKeys(() =>
    fails ? Promise.reject(new Error("no address")) : Promise.resolve(["k1"]),
  );
  const outcomes = await Promise.allSettled([keys.take(), keys.take()]);
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ["rejected", "rejected"],
  );
  fails = false;
  assert.equal(await keys.take(), "k1");
});

test("a ledger that answers no key is a failure, not a reason to ask for ever", async () => {
  const keys = new TemporaryKeys(() => Promise.resolve([]));
  await assert.rejects(keys.take(), /no temporary key/);
});

test("keys fetched ahead are there when they are needed", async () => {
  const { asked, fetch } = issuer();
  const keys = new TemporaryKeys(fetch);
  await keys.prefetch(1200);
  assert.deepEqual(asked, [1000, 200]);
  await Promise.all(Array.from({ length: 1200 }, () => keys.take()));
  assert.deepEqual(asked, [1000, 200]);
});
