import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";

/** Waits until a condition holds; fails with `what` after two minutes. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  what: string | (() => string) = `still not so: ${holds}`,
): Promise<void> {
  for (const end = Date.now() + 120_000; !(await holds()); await delay(20)) {
    assert.ok(Date.now() < end, typeof what === "string" ? what : what());
  }
}
