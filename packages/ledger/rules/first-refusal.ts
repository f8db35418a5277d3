import { Refused } from "@moneta/protocol";

/** The first refusal that a check of each entry gives, in their order. */
export function firstRefusal<E>(
  entries: readonly E[],
  check: (entry: E, index: number) => Refused | undefined,
): Refused | undefined {
  for (const [index, entry] of entries.entries()) {
    const refused = check(entry, index);
    if (refused !== undefined) {
      return refused;
    }
  }
  return undefined;
}

/**
 * The results of a look-up for each entry, in order, or the first refusal, after which nothing is
 * looked up.
 */
export function allOrFirstRefusal<E, T>(
  entries: readonly E[],
  lookUp: (entry: E, index: number) => T | Refused,
): readonly T[] | Refused {
  const found: T[] = [];
  for (const [index, entry] of entries.entries()) {
    const one = lookUp(entry, index);
    if (one instanceof Refused) {
      return one;
    }
    found.push(one);
  }
  return found;
}
