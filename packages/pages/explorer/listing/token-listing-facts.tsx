import type { TokenListing } from "@moneta/sdk";
import type { JSX } from "preact";
import { AmountText } from "../../parts/amount-text.tsx";
import { Facts } from "../../parts/facts.tsx";
import { AddressLink } from "../../parts/links/address-link.tsx";
import { TokenLink } from "../../parts/links/token-link.tsx";
import { WholeId } from "../../parts/links/whole-id.tsx";
import { t } from "../../texts/texts.ts";
import { proofFact } from "../proof/check-state.tsx";
import { auctionFacts, listingFacts } from "./auction-facts.tsx";
import { ListingBadge } from "./listing-badge.tsx";
import { payTokenOf } from "./listing-price.ts";
import { platformOf } from "./platform.tsx";
import { TokenPrice } from "./token-price.tsx";

export function TokenListingFacts({ listing }: { readonly listing: TokenListing }): JSX.Element {
  const texts = t().explorer.listing;
  const { side, mrc010: token, seller, buyer, buy_price_total: held } = listing;
  const isAuction = side === "auction";
  const creator = side === "buy" ? buyer : seller;
  const taker = side === "buy" ? seller : buyer;
  return (
    <>
      <section class="card offer" aria-live="polite" aria-label={t().explorer.item.offer}>
        <p class="price">
          <ListingBadge {...listing} />
          <TokenPrice listing={listing} />
        </p>
      </section>
      <Facts
        facts={[
          [texts.token, <TokenLink token={token} />],
          [texts.amount, <AmountText amount={listing.amount} token={token} />],
          [
            texts.remaining,
            !isAuction && <AmountText amount={listing.remain_amount} token={token} />,
          ],
          [texts.unit, !isAuction && <AmountText amount={listing.min_trade_unit} token={token} />],
          [texts.lister, <AddressLink address={creator} />],
          ...(isAuction ? auctionFacts(listing) : []),
          [
            isAuction ? texts.winner : side === "buy" ? texts.lastSeller : texts.lastBuyer,
            taker !== "" && <AddressLink address={taker} />,
          ],
          [
            texts.held,
            held !== undefined && held > 0n && (
              <AmountText amount={held} token={payTokenOf(listing)} />
            ),
          ],
          [texts.platform, platformOf(listing)],
          ...listingFacts(listing),
          proofFact("tokenListing", { dexid: listing.dexid }),
          [texts.id, <WholeId id={listing.dexid} />],
        ]}
      />
    </>
  );
}
