import type { JSX } from "preact";
import { IdLink } from "../../parts/links/address-link.tsx";
import { useActions, usePlaces } from "../../parts/links/places.ts";
import { LedgerList, type ListFrame } from "../../parts/lists/ledger-list.tsx";
import { type ListParams, listOf } from "../../parts/lists/list-of.ts";
import { t } from "../../texts/texts.ts";
import { endsColumn } from "./ends-column.tsx";
import { ListingBadge } from "./listing-badge.tsx";
import { TokenPrice } from "./token-price.tsx";

export function TokenListingList({
  filters,
  ...frame
}: ListFrame & { readonly filters: ListParams<"tokenListings"> }): JSX.Element {
  const texts = t().explorer.listing;
  const places = usePlaces();
  return (
    <LedgerList
      caption={texts.tokenListings}
      {...listOf("tokenListings", filters)}
      empty={texts.noListings}
      columns={[
        {
          head: texts.listing,
          kind: "main",
          cell: (one) => (
            <>
              <ListingBadge {...one} /> <IdLink id={one.dexid} href={places.listing(one.dexid)} />
            </>
          ),
        },
        {
          head: texts.amount,
          amount: (one) => [one.side === "auction" ? one.amount : one.remain_amount, one.mrc010],
        },
        { head: texts.price, kind: "number", cell: (one) => <TokenPrice listing={one} /> },
        endsColumn(),
        {
          head: texts.lister,
          address: ({ side, seller, buyer }) => (side === "buy" ? buyer : seller),
        },
        ...useActions(),
      ]}
      {...frame}
    />
  );
}
