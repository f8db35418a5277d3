import type { JSX } from "preact";
import { BalanceList } from "../../explorer/address/balance-list.tsx";
import { OnMarket } from "../../explorer/address/on-market.tsx";
import { HoldingList, OwnedItemList } from "../../explorer/address/owned-items.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { t } from "../../texts/texts.ts";

/** What an account has: balances with locks, items, units, open listings. Source: explorer §3. */
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
