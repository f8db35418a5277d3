import { type Amount, decimalText, isDecimal, readDecimal } from "@moneta/protocol";
import { tokenText } from "@moneta/sdk/text";
import { WrongUse } from "../command-line/wrong-use.ts";
import { escaped, NOTHING_VISIBLE } from "../terminal/visible-text.ts";

export interface TokenUnits {
  readonly id: string;
  readonly symbol: string;
  readonly decimal: number;
}

/** Decimal to smallest unit; throws a `WrongUse` for other texts. */
export function unitsOf(text: string, name: string, token: TokenUnits): string {
  const units = readDecimal(text, token.decimal);
  if (typeof units === "bigint") {
    return String(units);
  }
  if (units.what !== "finer") {
    throw new WrongUse(
      units.what === "form"
        ? notDecimal(text, name)
        : `${name} is ${text}, which is more than there can be: 10^40 of the smallest unit`,
    );
  }
  const has = token.decimal === 0 ? "has none" : `has ${token.decimal}`;
  const given = units.decimals === 1 ? "1 decimal" : `${units.decimals} decimals`;
  throw new WrongUse(`${name} is ${text}, which has ${given}, but ${nameOf(token)} ${has}`);
}

export function fractionOf(text: string): readonly [digits: bigint, behindPoint: number] {
  const [whole = "0", fraction = ""] = text.split(".");
  const significant = fraction.replace(/0+$/, "");
  return [BigInt(whole + significant), significant.length];
}

export function notDecimal(text: string, name: string): string {
  const why = /^-[\d.]/.test(text)
    ? "more than 0, without a sign"
    : isDecimal(text)
      ? "more than 0"
      : text.includes(",")
        ? "write a point before the decimals, and no separators"
        : "write digits, and decimals after a point, such as 1.5";
  return `${name} is "${text.slice(0, 60)}" but must be an amount: ${why}`;
}

/** Symbols are not unique, so the id follows, except the native coin's. Source: explorer §1. */
export function amountText(units: string, token: TokenUnits): string {
  const text = decimalText(BigInt(units) as Amount, token.decimal);
  return `${text} ${nameOf(token)}`;
}

export function unitsText(amount: string | bigint): string {
  return String(amount) === "1" ? "1 unit" : `${amount} units`;
}

/** Every symbol that this program prints passes here. */
export function nameOf({ id, symbol }: TokenUnits): string {
  // A new token has no id yet.
  return id === "" && symbol === ""
    ? "the token"
    : tokenText({ id: id === "" ? "0" : id, symbol }, NOTHING_VISIBLE, escaped);
}
