import { type Mrc402ListingsRequest, shortId, type UnitListing } from "@moneta/sdk";
import type { JSX } from "preact";
import { moneta } from "../../ledger/node.ts";
import { unitItemOf } from "../../ledger/unit-items.ts";
import { AmountText, numberText } from "../../parts/amount-text.tsx";
import { AddressLink, IdLink } from "../../parts/links/address-link.tsx";
import { ItemName } from "../../parts/links/item-name.tsx";
import { LedgerList } from "../../parts/lists/ledger-list.tsx";
import { ItemPicture } from "../../parts/pictures/item-picture.tsx";
import { t } from "../../texts/texts.ts";
import { link } from "../links.ts";
import { endsColumn } from "./ends-column.tsx";
import { ListingBadge } from "./listing-badge.tsx";
import { pathWith } from "./path-with.ts";

/** The price of a listing of units: of one unit, or of the whole lot. */
export function UnitPrice({ listing }: { readonly listing: UnitListing }): JSX.Element {
  const { side, sell_token: token } = listing;
  const price =
    side === "sell"
      ? listing.sell_price
      : (listing.auction_current_price ?? listing.auction_start_price);
  return <AmountText amount={price} token={token} />;
}

/** A multi-unit item with its picture, by its name. */
function UnitItemLink({ id }: { readonly id: string }): JSX.Element {
  const item = unitItemOf(id).value;
  return (
    <span class="with-picture">
      {item !== undefined && <ItemPicture item={item} size="thumb" />}
      <a href={link.item(id)} title={id}>
        {item === undefined ? shortId(id) : <ItemName item={item} />}
      </a>
    </span>
  );
}

/** Offers and auctions of units, live. */
export function UnitListingList({
  filters,
  caption = t().explorer.listing.unitListings,
  withItem = true,
  choices,
  cursorName = "cursor",
  limit,
  more,
}: {
  readonly filters: Pick<
    Mrc402ListingsRequest,
    "mrc402id" | "mrc400id" | "side" | "state" | "address" | "token" | "order" | "bidder"
  >;
  /** Whether the list says what is listed. */
  readonly withItem?: boolean;
  readonly caption?: string;
  readonly choices?: JSX.Element;
  readonly cursorName?: string;
  readonly limit?: number;
  /** Leads to all of a list of one page. */
  readonly more?: JSX.Element;
}): JSX.Element {
  const texts = t().explorer.listing;
  return (
    <LedgerList<UnitListing>
      caption={caption}
      path={pathWith("/mrc402/dex", filters)}
      read={(page, options) => moneta.mrc402Listings({ ...filters, ...page }, options)}
      keyOf={({ dexid }) => dexid}
      {...(more === undefined ? { cursorName } : { more })}
      {...(limit === undefined ? {} : { limit })}
      live
      empty={texts.noListings}
      filters={choices}
      columns={[
        {
          head: texts.listing,
          kind: "main",
          cell: (one) => (
            <>
              <ListingBadge {...one} /> <IdLink id={one.dexid} href={link.listing(one.dexid)} />
            </>
          ),
        },
        ...(withItem
          ? [
              {
                head: texts.item,
                cell: ({ mrc402 }: UnitListing) => <UnitItemLink id={mrc402} />,
              },
            ]
          : []),
        {
          head: texts.units,
          kind: "number",
          cell: (one) => numberText(one.side === "sell" ? one.remain_amount : one.amount),
        },
        { head: texts.price, kind: "number", cell: (one) => <UnitPrice listing={one} /> },
        endsColumn(),
        { head: texts.seller, cell: ({ seller }) => <AddressLink address={seller} /> },
      ]}
    />
  );
}
