import type { UnitListing } from "@moneta/sdk";
import type { JSX } from "preact";
import { unitItemOf } from "../../ledger/unit-items.ts";
import { numberText } from "../../parts/amount-text.tsx";
import { Facts } from "../../parts/facts.tsx";
import { AddressLink } from "../../parts/links/address-link.tsx";
import { ItemName } from "../../parts/links/item-name.tsx";
import { usePlaces } from "../../parts/links/places.ts";
import { ThingLink } from "../../parts/links/thing-link.tsx";
import { WholeId } from "../../parts/links/whole-id.tsx";
import { ownerFact } from "../../parts/owner-powers.tsx";
import { ItemPicture } from "../../parts/pictures/item-picture.tsx";
import { policyFact } from "../../parts/policy-facts.tsx";
import { t } from "../../texts/texts.ts";
import { proofFact } from "../proof/check-state.tsx";
import { auctionFacts, listingFacts } from "./auction-facts.tsx";
import { ListingBadge } from "./listing-badge.tsx";
import { platformOf } from "./platform.tsx";
import { UnitPrice } from "./unit-listing-list.tsx";

export function UnitListingFacts({ listing }: { readonly listing: UnitListing }): JSX.Element {
  const texts = t().explorer.listing;
  const { side, mrc402: id, agent, buyer } = listing;
  const isAuction = side === "auction";
  const item = unitItemOf(id).value;
  const places = usePlaces();
  return (
    <div class="beside-picture small-picture">
      <div>{item !== undefined && <ItemPicture item={item} size="full" />}</div>
      <div class="stack">
        <section class="card offer" aria-live="polite" aria-label={t().explorer.item.offer}>
          <p class="price">
            <ListingBadge {...listing} />
            <UnitPrice listing={listing} />
            <span class="quiet">
              {isAuction ? texts.perLot(numberText(listing.amount)) : texts.perUnit}
            </span>
          </p>
        </section>
        <Facts
          facts={[
            [
              texts.item,
              <a href={places.item(id)}>{item === undefined ? id : <ItemName item={item} />}</a>,
            ],
            [
              t().explorer.item.project,
              item !== undefined && item.mrc400 !== "" && <ThingLink id={item.mrc400} />,
            ],
            [texts.units, numberText(listing.amount)],
            [texts.remaining, !isAuction && numberText(listing.remain_amount)],
            [texts.seller, <AddressLink address={listing.seller} />],
            [texts.agent, agent !== "" && <AddressLink address={agent} />],
            ...(isAuction ? auctionFacts(listing) : []),
            [
              isAuction ? texts.winner : texts.lastBuyer,
              buyer !== "" && <AddressLink address={buyer} />,
            ],
            ...(item === undefined ? [] : [ownerFact(item), policyFact(item)]),
            [texts.sellFee, listing.sell_fee !== "0" && `${listing.sell_fee}\u00a0%`],
            [texts.platform, platformOf(listing)],
            ...listingFacts(listing),
            proofFact("mrc402Listing", { dexid: listing.dexid }),
            [texts.id, <WholeId id={listing.dexid} />],
          ]}
        />
      </div>
    </div>
  );
}
