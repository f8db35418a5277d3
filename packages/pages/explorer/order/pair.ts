/** A target token and the base that it is traded for. */
export interface Pair {
  readonly basetoken: string;
  readonly targettoken: string;
}

/**
 * The tokens of a pair by its id in URLs, `base-target`. Of another text the node says what is
 * wrong with it, so none of them is empty.
 */
export function pairOf(id: string): Pair {
  const [, basetoken = id, targettoken = id] = /^([^-]+)-(.+)$/.exec(id) ?? [];
  return { basetoken, targettoken };
}
