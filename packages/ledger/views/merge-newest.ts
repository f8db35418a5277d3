/** Higher than any number that is merged. */
export const NOT_ASKED = Number.MAX_SAFE_INTEGER;

/** Up to `limit` of the kinds, those with the newest entries: no page shows others. */
export function newestOf<K extends { readonly newest: number }>(
  kinds: readonly K[],
  limit: number,
): readonly K[] {
  return kinds.toSorted((a, b) => b.newest - a.newest).slice(0, limit);
}

/** Finds up to `limit` numbers of a kind below `before`, the highest first. */
export type Source = (before: number, limit: number) => readonly number[];

/**
 * The highest numbers of all sources, up to `limit` of them below `before`, the highest first. A
 * number of two sources occurs twice. It queries each source once, and then again for every few
 * numbers, so its time does not depend on the size of sources.
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
    .flatMap((source): Head[] =>
      source(before, 1).map((highest) => ({ source, highest, next: [] })),
    )
    .toSorted((a, b) => b.highest - a.highest)
    .slice(0, limit);
  const merged: number[] = [];
  while (merged.length < limit) {
    const head = heads.reduce<Head | undefined>(
      (best, other) => (best === undefined || other.highest > best.highest ? other : best),
      undefined,
    );
    if (head === undefined) {
      break;
    }
    merged.push(head.highest);
    if (head.next.length === 0) {
      head.next = head.source(head.highest, AT_ONCE).toReversed();
    }
    const next = head.next.pop();
    if (next === undefined) {
      heads = heads.filter((other) => other !== head);
    } else {
      head.highest = next;
    }
  }
  return merged;
}

/** Numbers in a query to a source, because a query costs more than a few numbers. */
const AT_ONCE = 8;

/**
 * The position of the merge in a source: the highest number that is not taken, and some of the
 * next, lowest first.
 */
interface Head {
  readonly source: Source;
  highest: number;
  next: number[];
}
