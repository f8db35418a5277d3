import { type CallOptions, shortId, type TokenListing, type UnitListing } from "@moneta/sdk";
import type { JSX } from "preact";
import { View } from "../../frame/view.tsx";
import { moneta } from "../../ledger/node.ts";
import { useRead } from "../../ledger/use-read.ts";
import { Shown } from "../../parts/shown.tsx";
import { t } from "../../texts/texts.ts";
import { walletLink } from "../../wallet/links.ts";
import { Life } from "../item/life.tsx";
import { TokenListingFacts } from "./token-listing-facts.tsx";
import { UnitListingFacts } from "./unit-listing-facts.tsx";

/** A sale, a request or an auction, of tokens or of units, with its history. */
export function ListingView({ id }: { readonly id: string }): JSX.Element {
  const read = useRead(`listing ${id}`, (options) => readListing(id, options), { live: true });
  return (
    <View title={t().explorer.listing.title(shortId(id))} wallet={walletLink.listing(id)}>
      <Shown read={read}>
        {(listing) =>
          "mrc402" in listing ? (
            <UnitListingFacts listing={listing} />
          ) : (
            <TokenListingFacts listing={listing} />
          )
        }
      </Shown>
      {read.value !== undefined && <Life id={id} />}
    </View>
  );
}

/** Reads a listing of either kind, by its id. Throws `6004` if it does not exist. */
function readListing(dexid: string, options: CallOptions): Promise<TokenListing | UnitListing> {
  return dexid.startsWith("DEX402_")
    ? moneta.mrc402Listing({ dexid }, options)
    : moneta.tokenListing({ dexid }, options);
}
