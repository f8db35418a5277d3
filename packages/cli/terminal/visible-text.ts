/** Characters that move the cursor, change colours or reverse the direction of text. */
const CONTROLS = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Escapes control characters in untrusted text, for one line of a terminal. */
export function visible(text: string): string {
  return text.replace(CONTROLS, (character) =>
    character === "\n" || character === "\t" ? " " : escaped(character),
  );
}

/** Escapes control characters but keeps line breaks. The meaning of JSON does not change. */
export function visibleLines(text: string): string {
  return text.replace(CONTROLS, (character) => (character === "\n" ? "\n" : escaped(character)));
}
