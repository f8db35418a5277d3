import type { JSX } from "preact";
import { BalanceList } from "../../explorer/address/balance-list.tsx";
import { BalanceMark } from "../../explorer/proof/balance-mark.tsx";
import { TokenList } from "../../explorer/token/token-list.tsx";
import { View } from "../../frame/view.tsx";
import { walletTexts } from "../../texts/wallet-texts.ts";
import { actingAccount } from "../accounts/accounts.ts";
import { walletLink } from "../links.ts";
import { InWallet } from "./in-wallet.tsx";
import "./things.css";

export function TokensView(): JSX.Element {
  const texts = walletTexts().things.tokens;
  const address = actingAccount.value?.address;
  return (
    <View title={texts.title}>
      <p class="actions">
        <a class="button" href={walletLink.make("token")}>
          {walletTexts().operations.buttons.token}
        </a>
      </p>
      {address !== undefined && (
        <InWallet>
          <BalanceList
            address={address}
            caption={texts.mine}
            empty={texts.none}
            proof={({ token, free, locked }) => (
              <BalanceMark address={address} token={token} total={free + locked} />
            )}
          />
          <TokenList filters={{ owner: address }} caption={texts.issued} empty={texts.noneIssued} />
        </InWallet>
      )}
    </View>
  );
}
