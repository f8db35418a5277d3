import { type Amount, decimalText as textOfAmount } from "@moneta/protocol/client";

/**
 * The amount in the smallest unit that a decimal text of whole tokens means, exactly: `1.5` of a token with 8 decimals is 150000000. Throws RangeError
 * for anything else than digits with at most one point, and for more decimals than the token has.
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

/** An amount in the smallest unit as exact decimal text of whole tokens, without superfluous zeros: 150000000 with 8 decimals is `1.5`. */
export function decimalText(amount: bigint, decimals: number): string {
  return amount < 0n
    ? `-${textOfAmount(-amount as Amount, decimals)}`
    : textOfAmount(amount as Amount, decimals);
}
