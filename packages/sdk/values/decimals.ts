import { type Amount, readDecimal, decimalText as textOfAmount } from "@moneta/protocol/client";

/**
 * Converts a decimal text of whole tokens to the smallest unit: `1.5` with 8 decimals is 150000000.
 * Throws RangeError for other texts, for more decimals than the token has, and above 10^40.
 */
export function parseDecimal(text: string, decimals: number): bigint {
  const read = readDecimal(text, decimals);
  if (typeof read === "bigint") {
    return read;
  }
  throw new RangeError(
    read.what === "finer"
      ? `${text} has ${read.decimals} decimals but this token has ${decimals}`
      : read.what === "large"
        ? `${text} is more than there can be: 10^40 of the smallest unit`
        : `${text} is no amount: write digits, with a point before the decimals, such as 1.5`,
  );
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
