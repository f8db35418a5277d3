import type { JSX } from "preact";
import { inLanguage, t } from "../../texts/texts.ts";
import { TokenListingList } from "../listing/token-listing-list.tsx";
import { UnitListingList } from "../listing/unit-listing-list.tsx";
import { OfferList } from "../offer/offer-list.tsx";
import { ListedItems } from "./listed-items.tsx";

/** What an address has on the market, and the auctions in which its bid is the highest; live. */
export function OnMarket({ address }: { readonly address: string }): JSX.Element {
  const texts = t().explorer.address;
  return (
    <>
      <ListedItems
        filters={{ owner: address, state: "sale" }}
        caption={texts.listedItems.sale}
        cursorName="sale"
      />
      <ListedItems
        filters={{ owner: address, state: "auction" }}
        caption={texts.listedItems.auction}
        cursorName="auction"
      />
      <UnitListingList filters={{ address }} cursorName="unit-listings" />
      <TokenListingList filters={{ address }} cursorName="token-listings" />
      <OfferList
        units={false}
        filters={{ buyer: address }}
        caption={inLanguage({ en: "Offers for items", ko: "아이템 구매 제안" })}
        cursorName="item-offers"
      />
      <OfferList
        units
        filters={{ buyer: address }}
        caption={inLanguage({ en: "Offers for units", ko: "수량 아이템 구매 제안" })}
        cursorName="unit-offers"
      />
      <ListedItems
        filters={{ bidder: address, state: "auction" }}
        caption={texts.highestBids.items}
        cursorName="item-bids"
      />
      <UnitListingList
        filters={{ bidder: address }}
        caption={texts.highestBids.units}
        cursorName="unit-bids"
      />
      <TokenListingList
        filters={{ bidder: address }}
        caption={texts.highestBids.tokens}
        cursorName="token-bids"
      />
    </>
  );
}
