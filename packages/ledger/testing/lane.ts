import { test } from "node:test";

/**
 * The value for the lane that runs, which `scripts/test.mjs` sets: random runs and rows that repeat
 * a failure are longer in the last lane. A lane without a value of its own has that of the one before.
 */
export function byLane<T>({
  quick,
  ci = quick,
  long = ci,
}: {
  readonly quick: T;
  readonly ci?: T;
  readonly long?: T;
}): T {
  const lane = process.env["TEST_LANE"];
  return lane === "long" ? long : lane === "ci" ? ci : quick;
}

export const IS_LAST_LANE: boolean = byLane({ quick: false, long: true });

/** The first `count` of cases that repeat one idea; all of them in the last lane. */
export function someCases<T>(cases: readonly T[], count = 1): readonly T[] {
  return IS_LAST_LANE ? cases : cases.slice(0, count);
}

/** As `test`, in the last lane alone. */
export const longTest: typeof test = IS_LAST_LANE ? test : ((() => undefined) as never);
