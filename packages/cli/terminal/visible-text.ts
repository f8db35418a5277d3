/** What would move the cursor, change colours, or turn the direction of writing. */
const CONTROLS = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** A text of somebody else as it can be shown in a line of a terminal: what would control it is made visible. */
export function visible(text: string): string {
  return text.replace(CONTROLS, (character) =>
    character === "\n" || character === "\t" ? " " : escaped(character),
  );
}

/** The same of a text of several lines, which it keeps. In JSON it means what it meant before. */
export function visibleLines(text: string): string {
  return text.replace(CONTROLS, (character) => (character === "\n" ? "\n" : escaped(character)));
}
