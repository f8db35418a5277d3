import type { TokenListing } from "@moneta/sdk";

export function payTokenOf({ side, buy_token, sell_token }: TokenListing): string {
  return side === "buy" ? buy_token : sell_token;
}

/**
 * Of one whole token if that is a multiple of the trade unit, else of a trade unit; of an auction,
 * of the lot. In the smallest unit.
 */
export function priceOf(
  listing: TokenListing,
  decimals: number,
): { readonly price: bigint; readonly of: bigint } {
  const { side, amount, min_trade_unit: unit } = listing;
  if (side === "auction") {
    return { price: listing.auction_current_price ?? listing.auction_start_price, of: amount };
  }
  const price = (side === "buy" ? listing.buy_price : listing.sell_price) ?? 0n;
  const whole = 10n ** BigInt(decimals);
  return whole % unit === 0n ? { price: price * (whole / unit), of: whole } : { price, of: unit };
}
