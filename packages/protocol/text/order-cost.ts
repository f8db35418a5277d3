type Side = "SELL" | "BUY";

/**
 * The cost of units of an order, in units of the base: rounded up for sellers, down for buyers.
 * `price` is that of 10^`decimal` units of the target. Source: protocols §9.3.
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
