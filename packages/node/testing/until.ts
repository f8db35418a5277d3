import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";

/** Longer than a busy machine takes; by a clock that no test sets. */
const WITHIN_MS = 120_000;

/**
 * Asks until there is a value that is neither false nor undefined, and returns it; fails with `what`
 * after two minutes.
 */
export async function until<T>(
  ask: () => T | Promise<T>,
  what: string | (() => string) = `still not so: ${ask}`,
): Promise<Exclude<T, false | undefined>> {
  for (const begin = performance.now(); ; ) {
    const found = await ask();
    if (found !== false && found !== undefined) {
      return found as Exclude<T, false | undefined>;
    }
    const sinceMs = performance.now() - begin;
    assert.ok(sinceMs < WITHIN_MS, typeof what === "string" ? what : what());
    // What takes a minute is not worth thousands of requests.
    await delay(Math.min(100, Math.max(20, sinceMs / 20)));
  }
}

/** Waits until a value is the expected one, as on a page that is still being drawn. */
export async function becomes<T>(read: () => Promise<T>, expected: T): Promise<void> {
  const end = performance.now() + WITHIN_MS;
  let found = await read();
  while (!isDeepStrictEqual(found, expected) && performance.now() < end) {
    await delay(20);
    found = await read();
  }
  assert.deepEqual(found, expected);
}
