import { shortId, type UnitListing } from "@moneta/sdk";
import type { JSX } from "preact";
import { unitItemOf } from "../../ledger/unit-items.ts";
import { AmountText } from "../../parts/amount-text.tsx";
import { IdLink } from "../../parts/links/address-link.tsx";
import { ItemName } from "../../parts/links/item-name.tsx";
import { useActions, usePlaces } from "../../parts/links/places.ts";
import { LedgerList, type ListFrame } from "../../parts/lists/ledger-list.tsx";
import { type ListParams, listOf } from "../../parts/lists/list-of.ts";
import { ItemPicture } from "../../parts/pictures/item-picture.tsx";
import { t } from "../../texts/texts.ts";
import { endsColumn } from "./ends-column.tsx";
import { ListingBadge } from "./listing-badge.tsx";

export function UnitPrice({ listing }: { readonly listing: UnitListing }): JSX.Element {
  const { side, sell_token: token } = listing;
  const price =
    side === "sell"
      ? listing.sell_price
      : (listing.auction_current_price ?? listing.auction_start_price);
  return <AmountText amount={price} token={token} />;
}

function UnitItemLink({ id }: { readonly id: string }): JSX.Element {
  const item = unitItemOf(id).value;
  const places = usePlaces();
  return (
    <span class="with-picture">
      {item !== undefined && <ItemPicture item={item} size="thumb" />}
      <a href={places.item(id)} title={id}>
        {item === undefined ? shortId(id) : <ItemName item={item} />}
      </a>
    </span>
  );
}

export function UnitListingList({
  filters,
  withItem = true,
  ...frame
}: ListFrame & {
  readonly filters: ListParams<"mrc402Listings">;
  readonly withItem?: boolean;
}): JSX.Element {
  const texts = t().explorer.listing;
  const places = usePlaces();
  return (
    <LedgerList
      caption={texts.unitListings}
      {...listOf("mrc402Listings", filters)}
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
        withItem && {
          head: texts.item,
          cell: ({ mrc402 }: UnitListing) => <UnitItemLink id={mrc402} />,
        },
        {
          head: texts.units,
          count: (one) => (one.side === "sell" ? one.remain_amount : one.amount),
        },
        { head: texts.price, kind: "number", cell: (one) => <UnitPrice listing={one} /> },
        endsColumn(),
        { head: texts.seller, address: ({ seller }) => seller },
        ...useActions(),
      ]}
      {...frame}
    />
  );
}
