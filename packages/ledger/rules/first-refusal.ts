import { Refused } from "@moneta/protocol";

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

/** After a refusal nothing is looked up. */
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
