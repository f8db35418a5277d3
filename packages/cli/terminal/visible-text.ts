/** Characters that move the cursor, change colours, reverse the direction of text or end lines. */
const CONTROLS = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Escapes control characters in untrusted text, for one line of a terminal. */
export function visible(text: string): string {
  return text.replace(CONTROLS, (character) =>
    character === "\n" || character === "\t" ? " " : escaped(character),
  );
}

/** Styles that `Output` makes, line ends and tabs; and what else controls a terminal. */
const KEPT_OR_CONTROL = new RegExp(
  `\\u001b\\[(?:1|2|22|31|33|39)m|\\r?\\n|\\t|(${CONTROLS.source})`,
  "gu",
);

/**
 * Escapes control characters in all that a command prints, in case that a text of a node has
 * reached it as it was, but for styles of the command itself, which a node may therefore use.
 */
export function visibleOutput(text: string): string {
  return text.replace(KEPT_OR_CONTROL, (kept, control?: string) =>
    control === undefined ? kept : escaped(control),
  );
}

/** Escapes control characters but keeps line breaks. The meaning of JSON does not change. */
export function visibleLines(text: string): string {
  return text.replace(CONTROLS, (character) => (character === "\n" ? "\n" : escaped(character)));
}
