export const NOT_ASKED = Number.MAX_SAFE_INTEGER;

export function newestOf<K extends { readonly newest: number }>(
  kinds: readonly K[],
  limit: number,
): readonly K[] {
  return kinds.toSorted((a, b) => b.newest - a.newest).slice(0, limit);
}

export type Source = (before: number, limit: number) => readonly number[];

/**
 * At most `limit` below `before`, the highest first; twice if two sources have it. Each source is
 * queried once, then for every few numbers: the size of sources does not count.
 */
export function* mergeNewest(
  sources: readonly Source[],
  { before, limit }: { readonly before: number; readonly limit: number },
): Generator<number> {
  const isOnly = sources.length === 1;
  // The highest last.
  const heads = sources
    .flatMap((source): Head[] => {
      const next = source(before, isOnly ? limit : 1).toReversed();
      const highest = next.pop();
      return highest === undefined ? [] : [{ source, highest, next }];
    })
    .toSorted((a, b) => a.highest - b.highest)
    .slice(-limit);
  for (let rest = limit; ; ) {
    const head = heads.pop();
    if (head === undefined) {
      return;
    }
    yield head.highest;
    rest -= 1;
    if (rest === 0) {
      return;
    }
    if (head.next.length === 0) {
      head.next = head.source(head.highest, AT_ONCE).toReversed();
    }
    const next = head.next.pop();
    if (next !== undefined) {
      head.highest = next;
      heads.splice(placeOf(next, heads), 0, head);
    }
  }
}

function placeOf(number: number, heads: readonly Head[]): number {
  let [low, high] = [0, heads.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((heads[middle] as Head).highest < number) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/** A query costs more than a few numbers. */
const AT_ONCE = 8;

/** The highest number that is not taken, and some of the next, lowest first. */
interface Head {
  readonly source: Source;
  highest: number;
  next: number[];
}
