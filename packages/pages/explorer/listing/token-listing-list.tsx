import type { TokenListing, TokenListingsRequest } from "@moneta/sdk";
import type { JSX } from "preact";
import { moneta } from "../../ledger/node.ts";
import { AmountText } from "../../parts/amount-text.tsx";
import { AddressLink, IdLink } from "../../parts/links/address-link.tsx";
import { LedgerList } from "../../parts/lists/ledger-list.tsx";
import { t } from "../../texts/texts.ts";
import { link } from "../links.ts";
import { endsColumn } from "./ends-column.tsx";
import { ListingBadge } from "./listing-badge.tsx";
import { pathWith } from "./path-with.ts";
import { TokenPrice } from "./token-price.tsx";

/** Offers, requests and auctions of tokens, live. */
export function TokenListingList({
  filters,
  caption = t().explorer.listing.tokenListings,
  choices,
  cursorName = "cursor",
  limit,
  more,
}: {
  readonly filters: Pick<
    TokenListingsRequest,
    "token" | "paytoken" | "side" | "state" | "address" | "order" | "bidder"
  >;
  readonly caption?: string;
  readonly choices?: JSX.Element;
  readonly cursorName?: string;
  readonly limit?: number;
  /** Leads to all of a list of one page. */
  readonly more?: JSX.Element;
}): JSX.Element {
  const texts = t().explorer.listing;
  return (
    <LedgerList<TokenListing>
      caption={caption}
      path={pathWith("/token/dex", filters)}
      read={(page, options) => moneta.tokenListings({ ...filters, ...page }, options)}
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
        {
          head: texts.amount,
          kind: "number",
          cell: (one) => (
            <AmountText
              amount={one.side === "auction" ? one.amount : one.remain_amount}
              token={one.mrc010}
            />
          ),
        },
        { head: texts.price, kind: "number", cell: (one) => <TokenPrice listing={one} /> },
        endsColumn(),
        {
          head: texts.lister,
          cell: ({ side, seller, buyer }) => (
            <AddressLink address={side === "buy" ? buyer : seller} />
          ),
        },
      ]}
    />
  );
}
