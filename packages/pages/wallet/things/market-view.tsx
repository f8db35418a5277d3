import type { JSX } from "preact";
import { HighestBids, Listings, OffersBy, OffersFor } from "../../explorer/address/on-market.tsx";
import { ItemList } from "../../explorer/item/item-list.tsx";
import { MarketTokens, MarketUnits } from "../../explorer/market/market-lists.tsx";
import { View } from "../../frame/view.tsx";
import { PicturesSetting } from "../../parts/pictures/pictures-setting.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { walletTexts } from "../../texts/wallet-texts.ts";
import { actingAccount } from "../accounts/accounts.ts";
import { InWallet } from "./in-wallet.tsx";
import { AllOwnOrders } from "./own-orders.tsx";
import "./things.css";

const TABS = {
  items: () => <ItemList onMarket />,
  units: MarketUnits,
  tokens: MarketTokens,
  mine: OwnListings,
  bids: OwnBids,
  offers: OwnOffers,
  orders: AllOwnOrders,
} as const;

function OwnListings({ address }: { readonly address: string }): JSX.Element {
  return <Listings address={address} empty={walletTexts().things.market.noListings} />;
}

/** Source: offers §4, §7. */
function OwnOffers({ address }: { readonly address: string }): JSX.Element {
  return (
    <>
      <InWallet acceptedWith={({ id }) => id}>
        <OffersFor address={address} />
      </InWallet>
      <OffersBy address={address} />
    </>
  );
}

function OwnBids({ address }: { readonly address: string }): JSX.Element {
  const { highestBids, noBids } = walletTexts().things.market;
  return <HighestBids address={address} captions={highestBids} empty={noBids} />;
}

/** Source: explorer §3 */
export function MarketView(): JSX.Element {
  const { title, tabs } = walletTexts().things.market;
  const address = actingAccount.value?.address;
  return (
    <View title={title}>
      <InWallet>
        <Tabs
          label={title}
          tabs={(Object.keys(TABS) as (keyof typeof TABS)[]).map((one) => [one, tabs[one]])}
        >
          {(tab) => {
            const List = TABS[tab];
            return (
              address !== undefined && (
                <>
                  <List address={address} />
                  <PicturesSetting />
                </>
              )
            );
          }}
        </Tabs>
      </InWallet>
    </View>
  );
}
