const WORDS_MAX = 6;
/** UTF-16 code units of a start that are compared. */
const START_LENGTH = 40;

/**
 * Without case, width, accents and separators. Separators alone are one word. Source: explorer §5.
 */
export function wordsOf(text: string): readonly string[] {
  // Shortcut for numbers of items, of which an operation may create a hundred.
  if (/^[0-9a-z]+$/.test(text)) {
    return [text];
  }
  const folded = text
    .normalize("NFKD")
    .replaceAll(/[\u0300-\u036f]/g, "")
    .normalize("NFC")
    .toUpperCase()
    .toLowerCase()
    .replaceAll("ς", "σ");
  const words = folded.match(/[\p{L}\p{N}\p{M}]+|[^\p{L}\p{N}\p{M}\p{P}\p{Z}\p{C}]+/gu);
  return words ?? [folded.trim()].filter((word) => word !== "");
}

export function startOf(words: readonly string[]): string {
  return words.join(" ").slice(0, START_LENGTH).toWellFormed();
}

/** "golden sword" is found by either word. */
export function startsOf(name: string): readonly string[] {
  const words = wordsOf(name);
  return words.slice(0, WORDS_MAX).map((_, place) => startOf(words.slice(place)));
}
