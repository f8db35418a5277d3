/** The side of an order: what its owner does with the target. */
type Side = "SELL" | "BUY";

/**
 * What so many units of an order cost in all, in units of the base: rounded up for who sells, down
 * for who buys. `price` is that of 10^`decimal` units of the target. Source: protocols §9.3.
 */
export function orderCost(
  { side, price }: { readonly side: Side; readonly price: bigint },
  traded: bigint,
  decimal: number,
): bigint {
  const whole = 10n ** BigInt(decimal);
  const product = price * traded;
  return side === "BUY" ? product / whole : (product + whole - 1n) / whole;
}
