/** How many characters before the difference a cut text shows. */
const SAME_SHOWN = 20;

/**
 * Both texts, each cut to at most `max` characters that have the first difference. `...` stands for
 * the rest.
 */
export function shownDifference(
  one: string,
  other: string,
  max: number,
): readonly [one: string, other: string] {
  let at = 0;
  while (at < one.length && one !== other && one[at] === other[at]) {
    at += 1;
  }
  // The beginning says what the text is, so it stays where the difference fits behind it.
  const from = at < max - SAME_SHOWN ? 0 : at - SAME_SHOWN;
  const shown = (text: string): string => {
    const rest = (from === 0 ? "" : "...") + text.slice(from);
    return rest.length > max ? `${rest.slice(0, max - 3)}...` : rest;
  };
  return [shown(one), shown(other)];
}
