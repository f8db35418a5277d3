/** A target token and the base that it is traded for. */
export interface Pair {
  readonly basetoken: string;
  readonly targettoken: string;
}

/**
 * The tokens of a pair by its id in URLs, `base-target`. The node refuses any other text with a
 * reason, so neither of them is empty.
 */
export function pairOf(id: string): Pair {
  const [, basetoken = id, targettoken = id] = /^([^-]+)-(.+)$/.exec(id) ?? [];
  return { basetoken, targettoken };
}
