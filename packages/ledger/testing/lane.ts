/**
 * The value for the lane that runs, which `scripts/test.mjs` sets: random runs and rows that repeat
 * a failure are longer in later lanes. `ci` applies to the last lane, too, unless it has its own.
 */
export function byLane<T>({ quick, ci, long = ci }: { quick: T; ci: T; long?: T }): T {
  const lane = process.env["TEST_LANE"];
  return lane === "long" ? long : lane === "ci" ? ci : quick;
}
