/** Undefined for an absent member. */
export interface JsonDifference {
  /** Such as `effects[0].values.balance[1].balance`; empty for the value itself. */
  readonly path: string;
  readonly served: unknown;
  readonly computed: unknown;
}

/** In any order of members, and no deeper than the computed value. */
export function jsonDifference(
  served: unknown,
  computed: unknown,
  path = "",
): JsonDifference | undefined {
  if (Array.isArray(served) && Array.isArray(computed)) {
    for (let at = 0; at < Math.max(served.length, computed.length); at += 1) {
      const difference = jsonDifference(served[at], computed[at], `${path}[${at}]`);
      if (difference !== undefined) {
        return difference;
      }
    }
    return undefined;
  }
  if (isObject(served) && isObject(computed)) {
    for (const name of new Set([...Object.keys(computed), ...Object.keys(served)])) {
      const difference = jsonDifference(
        own(served, name),
        own(computed, name),
        path === "" ? name : `${path}.${name}`,
      );
      if (difference !== undefined) {
        return difference;
      }
    }
    return undefined;
  }
  return served === computed ? undefined : { path, served, computed };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function own(members: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(members, name) ? members[name] : undefined;
}
