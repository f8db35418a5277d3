import type { Item, Mrc401ItemsRequest } from "@moneta/sdk";
import type { JSX } from "preact";
import { pathWith } from "../../explorer/listing/path-with.ts";
import { View } from "../../frame/view.tsx";
import { moneta } from "../../ledger/node.ts";
import { Choice } from "../../parts/lists/choice.tsx";
import { LedgerList } from "../../parts/lists/ledger-list.tsx";
import { PicturesSetting } from "../../parts/pictures/pictures-setting.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { useQuery } from "../../parts/use-query.ts";
import { walletTexts } from "../../texts/wallet-texts.ts";
import { actingAccount } from "../accounts/accounts.ts";
import { ItemCards } from "./item-cards.tsx";
import { TokenListings, UnitListings } from "./listing-lists.tsx";
import { OwnOffers } from "./offer-lists.tsx";
import { AllOwnOrders } from "./own-orders.tsx";
import "./things.css";

const LIMIT = 24;

/** What is on sale and on auction, of everybody and of the account, to act on. Source: explorer §3 */
export function MarketView(): JSX.Element {
  const texts = walletTexts().things.market;
  const address = actingAccount.value?.address;
  return (
    <View title={texts.title}>
      <Tabs
        label={texts.title}
        tabs={[
          ["items", texts.tabs.items],
          ["units", texts.tabs.units],
          ["tokens", texts.tabs.tokens],
          ["mine", texts.tabs.mine],
          ["bids", texts.tabs.bids],
          ["offers", texts.tabs.offers],
          ["orders", walletTexts().things.orders.tab],
        ]}
      >
        {(tab) => {
          switch (tab) {
            case "items":
              return <ItemsOnMarket />;
            case "units":
              return <UnitListings caption={texts.unitListings} />;
            case "tokens":
              return <TokenListings caption={texts.tokenListings} />;
            case "mine":
              return address === undefined ? null : <Mine address={address} />;
            case "bids":
              return address === undefined ? null : <Bids bidder={address} />;
            case "offers":
              return address === undefined ? null : <OwnOffers address={address} />;
            case "orders":
              return address === undefined ? null : <AllOwnOrders address={address} />;
          }
        }}
      </Tabs>
    </View>
  );
}

function ItemsOnMarket(): JSX.Element {
  const texts = walletTexts().things.market;
  const { query } = useQuery();
  const state = query["state"] === "auction" ? "auction" : "sale";
  return (
    <>
      <Items
        caption={state === "sale" ? texts.itemsOnSale : texts.itemsOnAuction}
        filters={{ state }}
        choices={
          <Choice
            name="state"
            label={texts.show}
            options={[
              ["sale", texts.sale],
              ["auction", texts.auction],
            ]}
          />
        }
      />
      <PicturesSetting />
    </>
  );
}

function Items({
  caption,
  filters,
  choices,
  cursorName = "cursor",
}: {
  readonly caption: string;
  readonly filters: Omit<Mrc401ItemsRequest, "limit" | "cursor">;
  readonly choices?: JSX.Element;
  readonly cursorName?: string;
}): JSX.Element {
  return (
    <LedgerList<Item>
      caption={caption}
      path={pathWith("/mrc401", filters)}
      read={(page, options) => moneta.mrc401Items({ ...filters, ...page }, options)}
      keyOf={({ id }) => id}
      limit={LIMIT}
      cursorName={cursorName}
      live
      empty={walletTexts().things.market.none}
      filters={choices}
      show={(items) => <ItemCards label={caption} entries={items} itemOf={(item) => item} />}
    />
  );
}

/** Several lists in one view, each with pages of its own. */
function Mine({ address }: { readonly address: string }): JSX.Element {
  const texts = walletTexts().things.market;
  return (
    <>
      <Items
        caption={texts.myItemsOnSale}
        filters={{ owner: address, state: "sale" }}
        cursorName="sale"
      />
      <Items
        caption={texts.myItemsOnAuction}
        filters={{ owner: address, state: "auction" }}
        cursorName="auction"
      />
      <UnitListings caption={texts.myUnits} filters={{ address }} cursorName="units" />
      <TokenListings caption={texts.myTokens} filters={{ address }} cursorName="tokens" />
    </>
  );
}

/** What the account would win if nobody bid more. */
function Bids({ bidder }: { readonly bidder: string }): JSX.Element {
  const texts = walletTexts().things.market;
  return (
    <>
      <Items caption={texts.bidItems} filters={{ bidder }} cursorName="items" />
      <UnitListings caption={texts.bidUnits} filters={{ bidder }} cursorName="units" />
      <TokenListings caption={texts.bidTokens} filters={{ bidder }} cursorName="tokens" />
    </>
  );
}
