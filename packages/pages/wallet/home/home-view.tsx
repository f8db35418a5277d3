import type { JSX } from "preact";
import { View } from "../../frame/view.tsx";
import { t } from "../../texts/texts.ts";
import { AccountBadge } from "../accounts/account-badge.tsx";
import { actingAccount } from "../accounts/accounts.ts";

/** The start of the wallet. */
export function HomeView(): JSX.Element {
  const account = actingAccount.value;
  return (
    <View title={t().wallet.nav.home}>
      <div class="card">{account !== undefined && <AccountBadge account={account} whole />}</div>
    </View>
  );
}
