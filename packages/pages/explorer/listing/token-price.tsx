import type { TokenListing } from "@moneta/sdk";
import type { JSX } from "preact";
import { tokenForm } from "../../ledger/tokens.ts";
import { AmountText } from "../../parts/amount-text.tsx";
import { t } from "../../texts/texts.ts";

/** The token that a listing is paid in. */
export function payTokenOf({ side, buy_token, sell_token }: TokenListing): string {
  return side === "buy" ? buy_token : sell_token;
}

/**
 * The price of one whole token if that is a multiple of the trade unit, else of a trade unit; of an
 * auction that of the whole lot. Amounts in the smallest unit.
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

/** The price of a listing of tokens, with what it is for. */
export function TokenPrice({ listing }: { readonly listing: TokenListing }): JSX.Element {
  const form = tokenForm(listing.mrc010).value;
  const { price, of } = priceOf(listing, form?.decimals ?? 0);
  return (
    <>
      <AmountText amount={price} token={payTokenOf(listing)} />{" "}
      <span class="quiet">
        {t().explorer.listing.for} <AmountText amount={of} token={listing.mrc010} />
      </span>
    </>
  );
}
