/** Throws if an assumption is wrong: a bug, after which the process must stop. */
export function invariant(holds: boolean, why: string): asserts holds {
  if (!holds) {
    throw new Error(`invariant broken: ${why}`);
  }
}
