export function nearest(given: string, names: Iterable<string>): string | undefined {
  let best: string | undefined;
  // A word is similar if at most a third of it, rounded up, differs.
  let distanceMax = Math.max(1, Math.ceil(given.length / 3));
  for (const name of names) {
    const distance = name.startsWith(given) && given.length > 1 ? 1 : editDistance(given, name);
    if (distance <= distanceMax) {
      best = name;
      distanceMax = distance - 1;
    }
  }
  return best;
}

/** ` Did you mean name?` */
export function suggestion(given: string, names: Iterable<string>, prefix = ""): string {
  const name = nearest(given, names);
  return name === undefined ? "" : ` Did you mean ${prefix}${name}?`;
}

/** Insertions, deletions, replacements and swaps of neighbours. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      let distance = Math.min(
        (last[j] as number) + 1,
        (row[j - 1] as number) + 1,
        (last[j - 1] as number) + (isSame ? 0 : 1),
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        distance = Math.min(distance, (beforeLast[j - 2] as number) + 1);
      }
      row.push(distance);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] as number;
}
