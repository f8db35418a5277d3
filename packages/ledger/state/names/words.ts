/** A name is found by its first words: each is a row of the table. */
const WORDS_MAX = 6;
/** UTF-16 code units of a start that are compared. */
const START_LENGTH = 40;

/**
 * The words of a text for comparison: without case, width and accents, and without separators. A
 * text of separators alone is one word. Source: explorer §6.
 */
export function wordsOf(text: string): readonly string[] {
  // Numbers of items, of which a project may have a hundred with one operation.
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

/** The compared beginning of a text of words. */
export function startOf(words: readonly string[]): string {
  return words.join(" ").slice(0, START_LENGTH).toWellFormed();
}

/** From each of the first words of a name on: "golden sword" is found by either word. */
export function startsOf(name: string): readonly string[] {
  const words = wordsOf(name);
  return words.slice(0, WORDS_MAX).map((_, place) => startOf(words.slice(place)));
}
