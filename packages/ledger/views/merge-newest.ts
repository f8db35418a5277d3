/** Finds up to `limit` numbers of a kind below `before`, the highest first. */
export type Source = (before: number, limit: number) => readonly number[];

/**
 * The highest numbers that any of the sources has, up to `limit` of them below `before`, the highest first. A number that two sources have is there twice. It asks
 * each source once, and then once for each number: so it takes no longer where sources have much.
 */
export function mergeNewest(
  sources: readonly Source[],
  { before, limit }: { readonly before: number; readonly limit: number },
): readonly number[] {
  const [only] = sources;
  if (only === undefined || sources.length === 1) {
    return only?.(before, limit) ?? [];
  }
  // Of more than `limit` sources those with the lowest numbers have none that is wanted.
  let heads = sources
    .flatMap((source) => source(before, 1).map((number) => ({ source, number })))
    .toSorted((a, b) => b.number - a.number)
    .slice(0, limit);
  const merged: number[] = [];
  while (merged.length < limit) {
    const head = heads.reduce<(typeof heads)[number] | undefined>(
      (highest, other) =>
        highest === undefined || other.number > highest.number ? other : highest,
      undefined,
    );
    if (head === undefined) {
      break;
    }
    merged.push(head.number);
    const [next] = head.source(head.number, 1);
    if (next === undefined) {
      heads = heads.filter((other) => other !== head);
    } else {
      head.number = next;
    }
  }
  return merged;
}
