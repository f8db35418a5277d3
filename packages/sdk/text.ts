// Texts of users hide nothing, and no symbol reads as a part of an amount or as another token.

/** Characters as they are, or one that must be shown by its code. */
export interface TextPart {
  readonly text: string;
  readonly isHidden: boolean;
}

/**
 * Hangul fillers, Braille and hieroglyphic blanks are letters or symbols; private code points look
 * like anything.
 */
const HIDDEN =
  /^[[\p{Cc}--[\t\n\r]]\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\uffff\u{13441}\u{13442}\u{16fe4}\u{1d159}[\p{Cn}--\p{Extended_Pictographic}]]$/v;
const SUSPECT =
  /[[\p{C}--[\t\n\r]]\p{M}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\ufffc\ufffd\u{13441}\u{13442}\u{1d159}[\p{Zs}--\x20]]/v;
const BASE = /^[\p{L}\p{N}\p{P}\p{S}]$/v;
const MARK = /^\p{M}$/v;
const STACKABLE = /^[\p{Mn}\p{Me}]$/v;
const EXOTIC_SPACE = /^[\p{Zs}--\x20]$/v;
const SPACE = /^\p{White_Space}$/v;

/** Source: RFC 5892 A.1, A.2. */
const JOINING =
  /^[[\p{scx=Arab}\p{scx=Syrc}\p{scx=Mong}\p{scx=Nkoo}\p{scx=Phag}\p{scx=Mand}\p{scx=Adlm}\p{scx=Rohg}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}]&&[\p{L}\p{M}]]$/v;

const VARIATIONS = [
  { selector: /^[\ufe0e\ufe0f]$/, base: /^\p{Extended_Pictographic}$/v },
  { selector: /^[\ufe00-\ufe02\u{e0100}-\u{e01ef}]$/u, base: /^\p{Unified_Ideograph}$/v },
  { selector: /^[\u180b-\u180f]$/, base: /^[\p{sc=Mong}&&\p{L}]$/v },
  { selector: /^\ufe00$/, base: /^[\p{sc=Mymr}\p{sc=Phag}\p{sc=Mani}]$/v },
] as const;

const EMOJI_START = /^[\p{Extended_Pictographic}\p{Regional_Indicator}0-9#*]$/v;
const EMOJI = /\p{RGI_Emoji}/vy;
/** Longest sequence of UTF-16 units that is one emoji. */
const EMOJI_UNITS_MAX = 40;
/** Source: UTS 39 §5.4. */
const MARKS_MAX = 4;

/**
 * Divides a text into visible parts, and characters that readers would not see or that change how
 * others look: controls, joiners and variation selectors outside the scripts and emoji that need
 * them, unusual blanks at an edge or beside a blank, marks without a character below and marks
 * above the fourth. Takes linear time. Source: explorer §1.
 */
export function textParts(text: string): readonly TextPart[] {
  if (!SUSPECT.test(text)) {
    return text === "" ? [] : [{ text, isHidden: false }];
  }
  const parts: TextPart[] = [];
  let shown = "";
  let before = "";
  let marks: number | undefined;
  let index = 0;
  while (index < text.length) {
    const emoji = emojiAt(text, index);
    const character = emoji ?? String.fromCodePoint(text.codePointAt(index) as number);
    index += character.length;
    if (emoji === undefined && isHidden(character, { before, after: nextOf(text, index), marks })) {
      if (shown !== "") {
        parts.push({ text: shown, isHidden: false });
        shown = "";
      }
      parts.push({ text: character, isHidden: true });
      // Text after a hidden mark still stands on the same character.
      marks = MARK.test(character) ? marks : undefined;
    } else {
      shown += character;
      marks =
        emoji !== undefined || BASE.test(character)
          ? 0
          : STACKABLE.test(character) && marks !== undefined
            ? marks + 1
            : SPACE.test(character)
              ? undefined
              : marks;
    }
    before = emoji ?? character;
  }
  if (shown !== "") {
    parts.push({ text: shown, isHidden: false });
  }
  return parts;
}

function isHidden(
  character: string,
  {
    before,
    after,
    marks,
  }: { readonly before: string; readonly after: string; readonly marks: number | undefined },
): boolean {
  if (character === "\u200c" || character === "\u200d") {
    return !(JOINING.test(before) && JOINING.test(after));
  }
  const variation = VARIATIONS.find(({ selector }) => selector.test(character));
  if (variation !== undefined) {
    return !variation.base.test(before);
  }
  if (HIDDEN.test(character)) {
    return true;
  }
  if (EXOTIC_SPACE.test(character)) {
    return before === "" || after === "" || SPACE.test(before) || SPACE.test(after);
  }
  return (
    MARK.test(character) &&
    (marks === undefined ||
      (STACKABLE.test(character) && (marks >= MARKS_MAX || character === before)))
  );
}

function nextOf(text: string, index: number): string {
  return index < text.length ? String.fromCodePoint(text.codePointAt(index) as number) : "";
}

function emojiAt(text: string, index: number): string | undefined {
  if (!EMOJI_START.test(nextOf(text, index))) {
    return undefined;
  }
  EMOJI.lastIndex = 0;
  const [found] = EMOJI.exec(text.slice(index, index + EMOJI_UNITS_MAX)) ?? [];
  return found;
}

/** `U+200B` for a character. */
export function codeOf(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return `U+${code}`;
}

/** A text with its hidden characters replaced, by default by their codes, such as `U+200B`. */
export function visibleText(text: string, replacement = codeOf): string {
  return textParts(text)
    .map((part) => (part.isHidden ? replacement(part.text) : part.text))
    .join("");
}

/** Whether a text has a character that readers can see. */
export function hasVisible(text: string): boolean {
  return textParts(text).some(
    (part) => !part.isHidden && /[\p{L}\p{N}\p{P}\p{S}]/u.test(part.text),
  );
}

/** Letters first, then no blank and no separator. */
const PLAIN_SYMBOL =
  /^[\p{L}\p{Sc}\p{Extended_Pictographic}][\p{L}\p{M}\p{N}\p{Sc}\p{Extended_Pictographic}\p{Emoji_Modifier}\u200c\u200d\ufe0e\ufe0f._\-]*$/v;
/** Letters and emoji that look like digits, and exponents: `5 OOO`, `5 e9`. */
const LIKE_DIGITS =
  /^[OoIl\u039f\u03bf\u041e\u043e\u0406\u04c0]+$|^[eE][+\-]?\p{N}+$|[\u{1f51f}\u{1f4af}]/v;
/** Source: UAX 9, table 4. */
const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * The symbol of a token beside an amount: in quotation marks unless it is a word that begins with a
 * letter, so that it cannot read as digits of the amount before it. `nothing` replaces a symbol
 * without a visible character. May contain hidden characters. Source: explorer §1.
 */
export function symbolText(symbol: string, nothing: string): string {
  if (!hasVisible(symbol)) {
    return nothing;
  }
  const isPlain =
    PLAIN_SYMBOL.test(symbol) &&
    !LIKE_DIGITS.test(symbol) &&
    !(RIGHT_TO_LEFT.test(symbol) && /\p{N}/u.test(symbol));
  return isPlain ? symbol : quoted(symbol);
}

/**
 * A token as text that hides nothing: `GLD #11`, and the native coin without an id (symbols are
 * not unique). `nothing` replaces a symbol without a visible character; `replacement` makes the code of a hidden one.
 * Source: explorer §1.
 */
export function tokenText(
  { id, symbol }: { readonly id: string; readonly symbol: string },
  nothing: string,
  replacement = codeOf,
): string {
  const text = visibleText(symbolText(symbol, nothing), replacement);
  if (id === "0") {
    return text;
  }
  // After right-to-left letters the digits of the id would appear before them.
  return RIGHT_TO_LEFT.test(text) ? `#${id} (${text})` : `${text} #${id}`;
}

/**
 * A name, in quotation marks if it could be read as an amount. `nothing` replaces a name without a
 * visible character. May contain hidden characters. Source: explorer §1.
 */
export function nameText(name: string, nothing: string): string {
  if (!hasVisible(name)) {
    return nothing;
  }
  return /^[\p{L}\p{Extended_Pictographic}]/u.test(name) && !LIKE_DIGITS.test(name)
    ? name
    : quoted(name);
}

function quoted(text: string): string {
  return `"${text.replace(/["\\\p{Pi}\p{Pf}\u2033\u2036\u301d-\u301f\uff02]/gu, "\\$&")}"`;
}
