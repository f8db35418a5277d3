const BATCH = 500;

/** As `Promise.all(items.map(each))` with at most 500 under way. */
export async function mapInBatches<T, R>(
  items: readonly T[],
  each: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  for (let start = 0; start < items.length; start += BATCH) {
    results.push(...(await Promise.all(items.slice(start, start + BATCH).map(each))));
  }
  return results;
}
