/** The largest unit that a price may be for has so many digits. Source: tokens §8. */
const UNIT_DIGITS = 9;

/**
 * Sorts like prices of one unit: number of digits, then digits without trailing zeros. `unit` is a
 * power of ten up to 10^8.
 */
export function priceText(price: bigint, unit = 1n): string {
  const digits = String(price);
  const length = digits.length - String(unit).length + UNIT_DIGITS;
  return `${String(length).padStart(2, "0")}${digits.replace(/0+$/, "")}`;
}
