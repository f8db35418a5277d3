import type { JSX } from "preact";
import { inLanguage, t } from "../../texts/texts.ts";
import { ItemGallery } from "../item/item-list.tsx";
import { TokenListingList } from "../listing/token-listing-list.tsx";
import { UnitListingList } from "../listing/unit-listing-list.tsx";
import { OfferList } from "../offer/offer-list.tsx";

const LIMIT = 12;

export function OnMarket({ address }: { readonly address: string }): JSX.Element {
  return (
    <>
      <Listings address={address} />
      <OffersFor address={address} />
      <OffersBy address={address} />
      <HighestBids address={address} />
    </>
  );
}

export function Listings({
  address,
  empty = t().explorer.address.noListings,
}: {
  readonly address: string;
  readonly empty?: string;
}): JSX.Element {
  const { listedItems } = t().explorer.address;
  const filters = { address };
  return (
    <>
      {(["sale", "auction"] as const).map((state) => (
        <ItemGallery
          key={state}
          filters={{ owner: address, state }}
          caption={listedItems[state]}
          empty={empty}
          cursorName={state}
          limit={LIMIT}
        />
      ))}
      <UnitListingList {...{ filters, empty }} cursorName="unit-listings" />
      <TokenListingList {...{ filters, empty }} cursorName="token-listings" />
    </>
  );
}

/** Source: offers §7. */
export function OffersFor({ address }: { readonly address: string }): JSX.Element {
  const of = { holder: address };
  return (
    <>
      <OfferList
        units={false}
        filters={of}
        caption={inLanguage({ en: "Offers received for items", ko: "받은 아이템 구매 제안" })}
        cursorName="received-item-offers"
      />
      <OfferList
        units
        filters={of}
        caption={inLanguage({ en: "Offers received for units", ko: "받은 수량 아이템 구매 제안" })}
        cursorName="received-unit-offers"
      />
    </>
  );
}

/** Source: offers §7. */
export function OffersBy({ address }: { readonly address: string }): JSX.Element {
  const of = { buyer: address };
  return (
    <>
      <OfferList
        units={false}
        filters={of}
        caption={inLanguage({ en: "Offers made for items", ko: "보낸 아이템 구매 제안" })}
        cursorName="item-offers"
      />
      <OfferList
        units
        filters={of}
        caption={inLanguage({ en: "Offers made for units", ko: "보낸 수량 아이템 구매 제안" })}
        cursorName="unit-offers"
      />
    </>
  );
}

export function HighestBids({
  address: bidder,
  captions = t().explorer.address.highestBids,
  empty = t().explorer.address.noBids,
}: {
  readonly address: string;
  readonly captions?: ReturnType<typeof t>["explorer"]["address"]["highestBids"];
  readonly empty?: string;
}): JSX.Element {
  const filters = { bidder };
  return (
    <>
      <ItemGallery
        filters={{ bidder, state: "auction" }}
        caption={captions.items}
        empty={empty}
        cursorName="item-bids"
        limit={LIMIT}
      />
      <UnitListingList {...{ filters, empty }} caption={captions.units} cursorName="unit-bids" />
      <TokenListingList {...{ filters, empty }} caption={captions.tokens} cursorName="token-bids" />
    </>
  );
}
