import assert from "node:assert/strict";
import { test } from "node:test";
import { LedgerClock } from "./ledger-clock.ts";

const HOUR_MS = 3_600_000;

function response(date: number | string, headers: Record<string, string> = {}): Response {
  const given = typeof date === "string" ? date : new Date(date).toUTCString();
  return new Response(null, {
    headers: { date: given, "cache-control": "no-store", "ledger-height": "1", ...headers },
  });
}

for (const aheadMs of [2 * HOUR_MS, -2 * HOUR_MS]) {
  test(`a device ${aheadMs / HOUR_MS} hours ahead has the ledger's time from the first response on`, () => {
    const clock = new LedgerClock();
    const corrections: number[] = [];
    clock.onCorrection = () => void corrections.push(clock.now());
    const trueMs = Date.now() - aheadMs;
    clock.note(response(trueMs));
    clock.note(response(trueMs));
    assert.equal(corrections.length, 1);
    assert.ok(Math.abs(clock.now() - trueMs / 1000) < 5);
    assert.ok(Math.abs(clock.deviceAhead - aheadMs / 1000) < 5);
  });
}

test("a time has passed only where both clocks say so", () => {
  const [now, clock] = [Date.now() / 1000, new LedgerClock()];
  assert.equal(clock.hasPassed(now - 60), true);
  assert.equal(clock.hasPassed(now + 60), false);
  clock.note(response(Date.now() - HOUR_MS));
  assert.equal(clock.hasPassed(now - 60), false);
  assert.equal(clock.hasPassed(now - 4000), true);
  clock.note(response(Date.now() + HOUR_MS));
  assert.equal(clock.hasPassed(now + 60), false, "a node may claim any time");
});

test("nothing is learned from what a cache or something else than a ledger has answered", () => {
  const clock = new LedgerClock();
  clock.note(response(0, { "cache-control": "public, max-age=31536000, immutable" }));
  const ofProxy = new Response(null, { headers: { date: "Thu, 01 Jan 1970 00:00:00 GMT" } });
  clock.note(ofProxy);
  clock.note(response("yesterday"));
  assert.ok(Math.abs(clock.deviceAhead) < 1);
});
