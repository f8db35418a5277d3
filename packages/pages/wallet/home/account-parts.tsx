import type { JSX } from "preact";
import { lazy } from "preact-iso";
import { BalanceList } from "../../explorer/address/balance-list.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { t } from "../../texts/texts.ts";

// The first view shows balances alone.
const OnMarket = lazy(async () => (await import("../../explorer/address/on-market.tsx")).OnMarket);
const ownedItems = () => import("../../explorer/address/owned-items.tsx");
const OwnedItemList = lazy(async () => (await ownedItems()).OwnedItemList);
const HoldingList = lazy(async () => (await ownedItems()).HoldingList);

/**
 * Holdings of an account: balances with locks, items, units, open listings. Source: explorer §3.
 */
export function AccountParts({ address }: { readonly address: string }): JSX.Element {
  const texts = t().explorer.address;
  return (
    <Tabs
      label={texts.parts}
      tabs={[
        ["balances", texts.balances],
        ["items", texts.items],
        ["units", texts.units],
        ["market", texts.market],
      ]}
    >
      {(tab) => {
        switch (tab) {
          case "balances":
            return <BalanceList address={address} />;
          case "items":
            return <OwnedItemList address={address} />;
          case "units":
            return <HoldingList address={address} />;
          case "market":
            return <OnMarket address={address} />;
        }
      }}
    </Tabs>
  );
}
