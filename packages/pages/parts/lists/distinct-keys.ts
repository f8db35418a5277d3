/**
 * The key of each entry. Operations of one bundle leave entries that `keyOf` cannot distinguish: they
 * are numbered from the second on.
 */
export function distinctKeys<T>(
  entries: readonly T[],
  keyOf: (entry: T) => string,
): readonly string[] {
  const counts = new Map<string, number>();
  return entries.map((entry) => {
    const key = keyOf(entry);
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    return count === 0 ? key : `${key} ${count}`;
  });
}
