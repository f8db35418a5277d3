import type { Brand } from "../brand.ts";

/** In the smallest unit of its token, 0 to 10^40. */
export type Amount = Brand<bigint, "Amount">;

/** `0` is the native coin. */
export type TokenId = Brand<string, "TokenId">;

export const AMOUNT_MAX: Amount = (10n ** 40n) as Amount;
export const ZERO: Amount = 0n as Amount;
export const ONE: Amount = 1n as Amount;
export const NATIVE_COIN: TokenId = "0" as TokenId;

const INTEGER_STRING = /^(?:0|[1-9][0-9]{0,40})$/;

/** Reads an integer without sign, leading zero or exponent. Source: conventions §1.6. */
export function parseAmount(text: string): Amount | undefined {
  if (!INTEGER_STRING.test(text)) {
    return undefined;
  }
  const amount = BigInt(text);
  return amount <= AMOUNT_MAX ? (amount as Amount) : undefined;
}

/** Source: conventions §1.6, tokens §1.1. */
export function parseTokenId(text: string): TokenId | undefined {
  return parseAmount(text) === undefined ? undefined : (text as TokenId);
}

export function decimalText(amount: Amount, decimals: number): string {
  const digits = String(amount).padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, "");
  return fraction === "" ? whole : `${whole}.${fraction}`;
}

const DECIMAL = /^(0|[1-9][0-9]*)(?:\.([0-9]+))?$/;

export function isDecimal(text: string): boolean {
  return DECIMAL.test(text);
}

/** `finer`: its number of decimals. */
export type DecimalFault =
  | { readonly what: "form" | "large" }
  | { readonly what: "finer"; readonly decimals: number };

/**
 * The inverse of `decimalText`: no sign, separator, leading zero or exponent, at most the token's
 * decimals besides zeros at the end.
 */
export function readDecimal(text: string, decimals: number): Amount | DecimalFault {
  const [, whole, fraction = ""] = DECIMAL.exec(text) ?? [];
  if (whole === undefined) {
    return { what: "form" };
  }
  const significant = fraction.replace(/0+$/, "");
  if (significant.length > decimals) {
    return { what: "finer", decimals: significant.length };
  }
  const digits = (whole + significant.padEnd(decimals, "0")).replace(/^0+(?=.)/, "");
  return parseAmount(digits) ?? { what: "large" };
}

/** The next cell may be its decimals or thousands, as in `1,5`. */
export function isRestOfNumber(cell: string): boolean {
  return /\p{Nd}/u.test(cell) && /^[\p{Nd}\s.,'’٫٬_]*$/u.test(cell);
}

/** Undefined if it is above the largest amount. Source: conventions §6.1. */
export function addAmounts(a: Amount, b: Amount): Amount | undefined {
  const sum = a + b;
  return sum <= AMOUNT_MAX ? (sum as Amount) : undefined;
}

/** `b` must be at most `a`. */
export function subtractAmounts(a: Amount, b: Amount): Amount {
  return (a - b) as Amount;
}
