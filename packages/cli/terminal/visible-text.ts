import { hasVisible, visibleText } from "@moneta/sdk/text";

/** They move the cursor, change colours, reverse the direction of text or end lines. */
const CONTROLS = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

export const NOTHING_VISIBLE = "(no visible characters)";

/** As in JSON. */
export function escaped(character: string): string {
  return character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}

/** One line, with invisible and control characters escaped. Source: explorer §1. */
export function visible(text: string): string {
  const line = text.replace(CONTROLS, (character) =>
    character === "\n" || character === "\t" ? " " : escaped(character),
  );
  const shown = visibleText(line, escaped);
  return shown === "" || hasVisible(shown) ? shown : NOTHING_VISIBLE;
}

/** Line ends, tabs and the styles of `Output`; and all other controls. */
const KEPT_OR_CONTROL = new RegExp(
  `\\u001b\\[(?:1|2|22|31|33|39)m|\\r?\\n|\\t|(${CONTROLS.source})`,
  "gu",
);

/**
 * Escapes controls in all output, in case a node's text reaches it unescaped. Styles of `Output`
 * stay, so a node could use them.
 */
export function visibleOutput(text: string): string {
  return text.replace(KEPT_OR_CONTROL, (kept, control?: string) =>
    control === undefined ? kept : escaped(control),
  );
}

/** Escapes controls except line breaks. The meaning of JSON does not change. */
export function visibleLines(text: string): string {
  return text.replace(CONTROLS, (character) => (character === "\n" ? "\n" : escaped(character)));
}
