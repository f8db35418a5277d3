export interface Pair {
  readonly basetoken: string;
  readonly targettoken: string;
}

/** From `base-target`. Any other text stays for the node to refuse. */
export function pairOf(id: string): Pair {
  const [, basetoken = id, targettoken = id] = /^([^-]+)-(.+)$/.exec(id) ?? [];
  return { basetoken, targettoken };
}
