import { type Amount, decimalText as textOfAmount } from "@moneta/protocol/client";

/**
 * Converts a decimal text of whole tokens to the smallest unit: `1.5` with 8 decimals is 150000000.
 * Throws RangeError for other texts, and for more decimals than the token has.
 */
export function parseDecimal(text: string, decimals: number): bigint {
  const [, whole, fraction = ""] = /^([0-9]+)(?:\.([0-9]+))?$/.exec(text) ?? [];
  if (whole === undefined) {
    throw new RangeError(
      `${text} is no amount: write digits, with a point before the decimals, such as 1.5`,
    );
  }
  const needed = fraction.replace(/0+$/, "");
  if (needed.length > decimals) {
    throw new RangeError(`${text} has ${needed.length} decimals but this token has ${decimals}`);
  }
  return BigInt(whole + needed.padEnd(decimals, "0"));
}

/**
 * Converts the smallest unit to exact decimal text of whole tokens: 150000000 with 8 decimals is
 * `1.5`.
 */
export function decimalText(amount: bigint, decimals: number): string {
  return amount < 0n
    ? `-${textOfAmount(-amount as Amount, decimals)}`
    : textOfAmount(amount as Amount, decimals);
}
