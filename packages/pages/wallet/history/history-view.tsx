import type { JSX } from "preact";
import { AddressHistory } from "../../explorer/address/address-history.tsx";
import { View } from "../../frame/view.tsx";
import { walletTexts } from "../../texts/wallet-texts.ts";
import { AccountBadge } from "../accounts/account-badge.tsx";
import { actingAccount } from "../accounts/accounts.ts";

export function HistoryView(): JSX.Element {
  const account = actingAccount.value;
  return (
    <View title={walletTexts().wallet.nav.history}>
      {account !== undefined && (
        <>
          <p>
            <AccountBadge account={account} />
          </p>
          <AddressHistory
            key={account.address}
            address={account.address}
            name={walletTexts().wallet.home.you}
          />
        </>
      )}
    </View>
  );
}
