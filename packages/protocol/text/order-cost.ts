type Side = "SELL" | "BUY";

/**
 * Base units, rounded up for sellers, down for buyers; `price` is of 10^`decimal` target units.
 * Source: protocols §9.3.
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
