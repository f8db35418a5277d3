/** For locales with points between groups, which may also precede decimals. */
const NARROW_SPACE = "\u202f";
/** They have one meaning in every locale. */
const SPACES = " \u00a0\u2009\u202f";
const APOSTROPHES = "'’";
/** Copied numbers may have them around. */
const DIRECTIONS = /[\u200e\u200f\u061c]/g;
const PLAIN = /^(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/;

/**
 * A number or decimal of any length in a locale. Narrow spaces replace points between groups,
 * because 1.000 is 1 to others.
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

/** It may mean two numbers, or none. */
export type NumberFault =
  | { readonly what: "twofold"; readonly one: string; readonly other: string }
  | { readonly what: "form" };

/**
 * Reads a number as `localNumber` writes it, or plain digits with a decimal point. Returns the
 * plain text; refuses texts with two readings, such as 1.000 in German. Source: explorer §3.
 */
export function readNumber(text: string, locale: string): string | NumberFault {
  const given = text.replace(DIRECTIONS, "").trim();
  const marks = marksOf(locale);
  const local = readLocal(given, locale, marks);
  const plain = PLAIN.test(given) ? given : undefined;
  // With a decimal comma, groups may have points in any locale.
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
  /** From 0 to 9, each a code point. */
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

function sizesIn(integer: string, locale: string): readonly number[] {
  return new Intl.NumberFormat(locale, { useGrouping: "always" })
    .formatToParts(BigInt(integer))
    .filter(({ type }) => type === "integer")
    .map(({ value }) => [...value].length);
}

function shortest(plain: string): string {
  return plain.includes(".") ? plain.replace(/\.?0+$/, "") : plain;
}

/** From 0 to 1, of amounts of any length. */
export function share(part: bigint, whole: bigint): number {
  return whole <= 0n ? 0 : Number((part * 1_000_000n) / whole) / 1_000_000;
}
