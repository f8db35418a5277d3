/** Source: tokens §8 */
const UNITS = Array.from({ length: 9 }, (_, power) => 10n ** BigInt(power));

/** In the token's smallest unit, and its price. */
export interface PriceStep {
  readonly unit: bigint;
  readonly price: bigint;
}

/**
 * The smallest step in which a price for one whole token can be paid exactly; undefined if there is
 * none. In the paying token's smallest unit.
 */
export function priceStep(pricePerWhole: bigint, decimals: number): PriceStep | undefined {
  const whole = 10n ** BigInt(decimals);
  const unit = UNITS.find(
    (one) => pricePerWhole * one >= whole && (pricePerWhole * one) % whole === 0n,
  );
  return unit === undefined ? undefined : { unit, price: (pricePerWhole * unit) / whole };
}
