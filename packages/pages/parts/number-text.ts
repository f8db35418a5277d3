/** Separates groups of digits in locales with a point, which may also precede decimals. */
const NARROW_SPACE = "\u202f";
/** Marks between groups that have one meaning in every locale: spaces and apostrophes. */
const SPACES = " \u00a0\u2009\u202f";
const APOSTROPHES = "'’";
/** Marks of direction, which copied numbers may have around them. */
const DIRECTIONS = /[\u200e\u200f\u061c]/g;
const PLAIN = /^(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/;

/**
 * A number, or an exact decimal text of any length, as a locale writes it. Groups that the locale
 * separates by points have narrow spaces between them, because 1.000 is 1 to others.
 */
export function localNumber(
  value: bigint | number | string,
  locale: string,
  options: Intl.NumberFormatOptions = { maximumFractionDigits: 40 },
): string {
  return new Intl.NumberFormat(locale, options)
    .formatToParts(value as Intl.StringNumericLiteral)
    .map((part) => (part.type === "group" && part.value === "." ? NARROW_SPACE : part.value))
    .join("");
}

/** Why a text is no number: it may mean two, or none as the locale writes it. */
export type NumberFault =
  | { readonly what: "twofold"; readonly one: string; readonly other: string }
  | { readonly what: "form" };

/**
 * Reads a number without sign as `localNumber` writes it, with or without groups, or in plain
 * digits with a point before the decimals, as programs write it. Returns the plain text. Refuses
 * texts with two readings, such as 1.000 in German. Source: explorer §3.
 */
export function readNumber(text: string, locale: string): string | NumberFault {
  const given = text.replace(DIRECTIONS, "").trim();
  const marks = marksOf(locale);
  const local = readLocal(given, locale, marks);
  const plain = PLAIN.test(given) ? given : undefined;
  // A user who writes decimals after a comma may have groups after points, in any locale.
  const grouped =
    local ??
    (marks.decimal !== "." && /^[1-9][0-9]{0,2}\.[0-9]{3}$/.test(given)
      ? given.replace(".", "")
      : plain);
  const one = plain ?? grouped;
  if (one === undefined || grouped === undefined) {
    return { what: "form" };
  }
  return shortest(one) === shortest(grouped)
    ? one
    : { what: "twofold", one: grouped, other: shortest(one) };
}

export function decimalMark(locale: string): string {
  return marksOf(locale).decimal;
}

interface Marks {
  readonly decimal: string;
  readonly group: string;
  /** The locale's digits from 0 to 9, each a code point. */
  readonly digits: readonly string[];
}

function marksOf(locale: string): Marks {
  const format = new Intl.NumberFormat(locale, { useGrouping: "always" });
  const parts = format.formatToParts(1234567.5);
  const markOf = (type: string): string => parts.find((part) => part.type === type)?.value ?? "";
  return {
    decimal: markOf("decimal"),
    group: markOf("group"),
    digits: Array.from({ length: 10 }, (_, digit) => format.format(digit)),
  };
}

function readLocal(given: string, locale: string, marks: Marks): string | undefined {
  const { decimal, group, digits } = marks;
  const isOwn = digits.some((digit) => !/[0-9]/.test(digit) && given.includes(digit));
  if (isOwn && /[0-9]/.test(given)) {
    return undefined;
  }
  const ascii = [...given].map((one) =>
    isOwn && digits.includes(one) ? digits.indexOf(one) : one,
  );
  const [whole = "", fraction, ...others] = ascii.join("").split(decimal);
  if (others.length > 0 || (fraction !== undefined && !/^[0-9]+$/.test(fraction))) {
    return undefined;
  }
  const groups = [SPACES, APOSTROPHES, group]
    .map((separators) => whole.split(new RegExp(`[${separators}]`)))
    .find((split) => split.every((one) => /^[0-9]+$/.test(one)));
  const integer = groups?.join("") ?? "";
  if (groups === undefined || !/^(?:0|[1-9][0-9]*)$/.test(integer)) {
    return undefined;
  }
  const isGrouped = groups.length > 1;
  return isGrouped && String(sizesIn(integer, locale)) !== String(groups.map((one) => one.length))
    ? undefined
    : fraction === undefined
      ? integer
      : `${integer}.${fraction}`;
}

/** The sizes of an integer's groups of digits in a locale. */
function sizesIn(integer: string, locale: string): readonly number[] {
  return new Intl.NumberFormat(locale, { useGrouping: "always" })
    .formatToParts(BigInt(integer))
    .filter(({ type }) => type === "integer")
    .map(({ value }) => [...value].length);
}

/** A plain number without zeros at its end. */
function shortest(plain: string): string {
  return plain.includes(".") ? plain.replace(/\.?0+$/, "") : plain;
}
