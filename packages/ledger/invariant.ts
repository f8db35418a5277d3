/**
 * Throws if what the code relies on is not so: a bug, after which the process must stop rather than
 * carry on wrong.
 */
export function invariant(holds: boolean, why: string): asserts holds {
  if (!holds) {
    throw new Error(`invariant broken: ${why}`);
  }
}
