import type { JSX } from "preact";

// Control characters, and those that change the direction or are not seen at all.
const INVISIBLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for.
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]|[\u{e0000}-\u{e007f}]/gu;

/** Longer texts are cut, with how much there is more. */
const SHOWN_MAX = 300;

/**
 * A text that somebody else has written: as text in a direction of its own, with characters shown
 * that one would not see. Source: explorer §1.
 */
export function UntrustedText({
  text,
  max = SHOWN_MAX,
}: {
  readonly text: string;
  readonly max?: number;
}): JSX.Element {
  const shown = text.length > max ? text.slice(0, max).replace(/[\ud800-\udbff]$/, "") : text;
  const parts: (string | JSX.Element)[] = [];
  let end = 0;
  for (const { 0: character, index } of shown.matchAll(INVISIBLE)) {
    parts.push(shown.slice(end, index), <Invisible character={character} />);
    end = index + character.length;
  }
  parts.push(shown.slice(end));
  return (
    <bdi class="untrusted">
      {parts}
      {shown.length < text.length && <span class="cut"> … +{text.length - shown.length}</span>}
    </bdi>
  );
}

function Invisible({ character }: { readonly character: string }): JSX.Element {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return <code class="invisible">U+{code}</code>;
}
