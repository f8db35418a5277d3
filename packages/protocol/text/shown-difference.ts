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
    const beginning = from === 0 ? "" : "...";
    const room = max - beginning.length;
    const isCut = text.length - from > room;
    return beginning + (isCut ? `${text.slice(from, from + room - 3)}...` : text.slice(from));
  };
  return [shown(one), shown(other)];
}
