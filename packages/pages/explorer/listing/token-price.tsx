import type { TokenListing } from "@moneta/sdk";
import type { JSX } from "preact";
import { tokenForm } from "../../ledger/tokens.ts";
import { AmountText } from "../../parts/amount-text.tsx";
import { t } from "../../texts/texts.ts";
import { payTokenOf, priceOf } from "./listing-price.ts";

export function TokenPrice({ listing }: { readonly listing: TokenListing }): JSX.Element {
  const form = tokenForm(listing.mrc010).value;
  const { price, of } = priceOf(listing, form?.decimals ?? 0);
  return (
    <span>
      <AmountText amount={price} token={payTokenOf(listing)} />{" "}
      <span class="quiet">
        {t().explorer.listing.for} <AmountText amount={of} token={listing.mrc010} />
      </span>
    </span>
  );
}
