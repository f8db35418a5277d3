import type { JSX } from "preact";

// Control characters, and those that change the direction or are not seen at all: Hangul fillers are
// letters by their category. Joiners and variation selectors are left, which scripts and emoji need.
const INVISIBLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for.
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029\u2800\ufff9-\uffff[\p{Default_Ignorable_Code_Point}--[\u200c\u200d\ufe00-\ufe0f]]]/gv;

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
