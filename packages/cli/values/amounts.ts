import { AMOUNT_MAX, type Amount, decimalText } from "@moneta/protocol";
import { WrongUse } from "../command-line/wrong-use.ts";

/** What is needed to show and read amounts of a token. */
export interface TokenUnits {
  readonly id: string;
  /** Empty of one that is not there yet. */
  readonly symbol: string;
  /** How many decimals it has. */
  readonly decimal: number;
}

const DECIMAL = /^(0|[1-9][0-9]*)(?:\.([0-9]+))?$/;

/** Whether a text is an amount in decimals, of whatever token. */
export function isDecimal(text: string): boolean {
  return DECIMAL.test(text);
}

/** The smallest units that an amount in decimals is, as the wire has them; throws a `WrongUse` that says why it is none. */
export function unitsOf(text: string, name: string, token: TokenUnits): string {
  const [, whole, fraction = ""] = DECIMAL.exec(text) ?? [];
  if (whole === undefined) {
    throw new WrongUse(notDecimal(text, name));
  }
  const significant = fraction.replace(/0+$/, "");
  if (significant.length > token.decimal) {
    const has = token.decimal === 0 ? "has none" : `has ${token.decimal}`;
    throw new WrongUse(
      `${name} is ${text}, which has ${significant.length} decimals, but ${nameOf(token)} ${has}`,
    );
  }
  const units = BigInt(whole + significant.padEnd(token.decimal, "0"));
  if (units > AMOUNT_MAX) {
    throw new WrongUse(
      `${name} is ${text}, which is more than there can be: 10^40 of the smallest unit`,
    );
  }
  return String(units);
}

/** A decimal text as an integer and how many digits of it stand behind the point, without superfluous zeros; the caller has checked its form. */
export function fractionOf(text: string): readonly [digits: bigint, behindPoint: number] {
  const [whole = "0", fraction = ""] = text.split(".");
  const significant = fraction.replace(/0+$/, "");
  return [BigInt(whole + significant), significant.length];
}

/** What is wrong with a text that is no amount. */
export function notDecimal(text: string, name: string): string {
  const why = /^-[\d.]/.test(text)
    ? "more than 0, without a sign"
    : text.includes(",")
      ? "write a point before the decimals, and no separators"
      : "write digits, and decimals after a point, such as 1.5";
  return `${name} is "${text.slice(0, 60)}" but must be an amount: ${why}`;
}

/** An amount of smallest units as people read it. Symbols are anybody's choice, so that a token's id stands behind its symbol; the native coin has none. */
export function amountText(units: string, token: TokenUnits): string {
  const text = decimalText(BigInt(units) as Amount, token.decimal);
  // A token that is about to be made has no id yet.
  return token.id === "0" || token.id === ""
    ? `${text} ${token.symbol}`
    : `${text} ${token.symbol} #${token.id}`;
}

/** What a token is called in a message. */
export function nameOf({ id, symbol }: TokenUnits): string {
  return symbol === "" ? "the token" : id === "0" || id === "" ? symbol : `${symbol} #${id}`;
}
