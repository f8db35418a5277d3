import {
  type Mrc402ListingsRequest,
  shortId,
  type TokenListing,
  type TokenListingsRequest,
  type UnitListing,
} from "@moneta/sdk";
import type { JSX } from "preact";
import { endsColumn } from "../../explorer/listing/ends-column.tsx";
import { ListingBadge } from "../../explorer/listing/listing-badge.tsx";
import { pathWith } from "../../explorer/listing/path-with.ts";
import { TokenPrice } from "../../explorer/listing/token-price.tsx";
import { UnitPrice } from "../../explorer/listing/unit-listing-list.tsx";
import { moneta, now } from "../../ledger/node.ts";
import { AmountText, amountText, numberText } from "../../parts/amount-text.tsx";
import { IdLink } from "../../parts/links/address-link.tsx";
import type { Column } from "../../parts/lists/entry-table.tsx";
import { LedgerList } from "../../parts/lists/ledger-list.tsx";
import { t } from "../../texts/texts.ts";
import { walletTexts } from "../../texts/wallet-texts.ts";
import { actingAccount } from "../accounts/accounts.ts";
import { walletLink } from "../links.ts";
import { listingOnMarket, marketAction } from "../operations/on-market.ts";
import { ActionLink } from "./action-link.tsx";

type TokenFilters = Omit<TokenListingsRequest, "limit" | "cursor">;
type UnitFilters = Omit<Mrc402ListingsRequest, "limit" | "cursor">;

/** Listings of tokens with what the account can do with each. */
export function TokenListings({
  caption,
  filters = {},
  cursorName = "cursor",
}: {
  readonly caption: string;
  readonly filters?: TokenFilters;
  readonly cursorName?: string;
}): JSX.Element {
  const texts = t().explorer.listing;
  return (
    <LedgerList<TokenListing>
      caption={caption}
      path={pathWith("/token/dex", filters)}
      read={(page, options) => moneta.tokenListings({ ...filters, ...page }, options)}
      keyOf={({ dexid }) => dexid}
      cursorName={cursorName}
      live
      empty={walletTexts().things.market.none}
      columns={[
        {
          head: texts.amount,
          kind: "main",
          cell: (one) => (
            <>
              <ListingBadge {...one} />{" "}
              <AmountText
                amount={one.side === "auction" ? one.amount : one.remain_amount}
                token={one.mrc010}
              />{" "}
              <IdLink id={one.dexid} href={walletLink.listing(one.dexid)} />
            </>
          ),
        },
        { head: texts.price, kind: "number", cell: (one) => <TokenPrice listing={one} /> },
        endsColumn(),
        action((one) => amountText(one.remain_amount, one.mrc010)),
      ]}
    />
  );
}

/** Listings of units with what the account can do with each. */
export function UnitListings({
  caption,
  filters = {},
  cursorName = "cursor",
}: {
  readonly caption: string;
  readonly filters?: UnitFilters;
  readonly cursorName?: string;
}): JSX.Element {
  const texts = t().explorer.listing;
  return (
    <LedgerList<UnitListing>
      caption={caption}
      path={pathWith("/mrc402/dex", filters)}
      read={(page, options) => moneta.mrc402Listings({ ...filters, ...page }, options)}
      keyOf={({ dexid }) => dexid}
      cursorName={cursorName}
      live
      empty={walletTexts().things.market.none}
      columns={[
        {
          head: texts.item,
          kind: "main",
          cell: (one) => (
            <>
              <ListingBadge {...one} />{" "}
              <IdLink id={one.mrc402} href={walletLink.item(one.mrc402)} />
            </>
          ),
        },
        {
          head: texts.units,
          kind: "number",
          cell: (one) => (
            <a href={walletLink.listing(one.dexid)}>{numberText(one.remain_amount)}</a>
          ),
        },
        { head: texts.price, kind: "number", cell: (one) => <UnitPrice listing={one} /> },
        endsColumn(),
        action((one) => `${numberText(one.remain_amount)} ${shortId(one.mrc402)}`),
      ]}
    />
  );
}

function action<L extends TokenListing | UnitListing>(thing: (one: L) => string): Column<L> {
  return {
    head: walletTexts().operations.actions,
    cell: (one) => {
      const { side, dexid, seller, buyer } = one;
      const address = actingAccount.value?.address ?? "";
      const isOwn = (side === "buy" ? buyer : seller) === address;
      const offered = marketAction(listingOnMarket(one), isOwn, { address, now: now.value });
      return (
        offered !== undefined && (
          <ActionLink
            action={offered}
            href={walletLink.listing(dexid, offered)}
            thing={thing(one)}
          />
        )
      );
    },
  };
}
