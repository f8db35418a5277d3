import { type CallOptions, shortId, type TokenListing, type UnitListing } from "@moneta/sdk";
import type { JSX } from "preact";
import { View } from "../../frame/view.tsx";
import { moneta, now } from "../../ledger/node.ts";
import { useRead } from "../../ledger/use-read.ts";
import { tokenName } from "../../parts/amount-text.tsx";
import { thingName } from "../../parts/links/thing-link.tsx";
import { Shown } from "../../parts/shown.tsx";
import { UntrustedText } from "../../parts/untrusted-text.tsx";
import { t } from "../../texts/texts.ts";
import { walletLink } from "../../wallet/links.ts";
import { actOn } from "../act-on.ts";
import { Life } from "../item/life.tsx";
import { TokenListingFacts } from "./token-listing-facts.tsx";
import { UnitListingFacts } from "./unit-listing-facts.tsx";

export function ListingView({ id }: { readonly id: string }): JSX.Element {
  const texts = t().explorer.listing;
  const read = useRead(`listing ${id}`, (options) => readListing(id, options), { live: true });
  const listing = read.value;
  const title =
    listing === undefined
      ? texts.title(shortId(id))
      : `${lotOf(listing)}: ${texts.sides[listing.side]}`;
  return (
    <View
      title={title}
      heading={<UntrustedText text={title} max={120} />}
      wallet={listing !== undefined && walletLink.listing(id)}
      act={listing && actOn(listing, now.value)}
    >
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

function lotOf(listing: TokenListing | UnitListing): string {
  return "mrc402" in listing
    ? (thingName(listing.mrc402) ?? shortId(listing.mrc402))
    : tokenName(listing.mrc010);
}

/** Throws `6004` if it does not exist. */
function readListing(dexid: string, options: CallOptions): Promise<TokenListing | UnitListing> {
  return dexid.startsWith("DEX402_")
    ? moneta.mrc402Listing({ dexid }, options)
    : moneta.tokenListing({ dexid }, options);
}
