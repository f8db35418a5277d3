import type { ListedToken } from "@moneta/sdk";
import type { JSX } from "preact";
import { balancesByToken, type TokenBalance } from "../../explorer/address/token-balance.ts";
import { BalanceMark } from "../../explorer/proof/balance-mark.tsx";
import { View } from "../../frame/view.tsx";
import { balancesUpTo } from "../../ledger/balances.ts";
import { moneta, now } from "../../ledger/node.ts";
import { AmountText } from "../../parts/amount-text.tsx";
import { TokenLink } from "../../parts/links/token-link.tsx";
import { LedgerList } from "../../parts/lists/ledger-list.tsx";
import { t } from "../../texts/texts.ts";
import { walletTexts } from "../../texts/wallet-texts.ts";
import { actingAccount } from "../accounts/accounts.ts";
import { walletLink } from "../links.ts";
import "./things.css";

/** The account's tokens and those that it has issued, each leading to what can be done with it. */
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
        <>
          <LedgerList<TokenBalance>
            caption={texts.mine}
            path={`/balance/${address}`}
            read={async (_page, options) => ({
              items: balancesByToken(
                (await balancesUpTo(1000, address, options)).entries,
                now.value,
              ),
            })}
            keyOf={({ token }) => token}
            live
            empty={texts.none}
            columns={[
              {
                head: texts.token,
                kind: "main",
                cell: ({ token }) => <TokenLink token={token} href={walletLink.token(token)} />,
              },
              {
                head: texts.spendable,
                kind: "number",
                cell: ({ token, free }) => <AmountText amount={free} token={token} />,
              },
              {
                head: texts.locked,
                kind: "number",
                cell: ({ token, locked }) =>
                  locked > 0n && <AmountText amount={locked} token={token} />,
              },
              {
                head: t().explorer.proof.title,
                kind: "short",
                cell: ({ token, free, locked }) => (
                  <BalanceMark address={address} token={token} total={free + locked} />
                ),
              },
            ]}
          />
          <LedgerList<ListedToken>
            caption={texts.issued}
            path={`/tokens?owner=${address}`}
            read={(page, options) => moneta.tokens({ owner: address, ...page }, options)}
            keyOf={({ id }) => id}
            cursorName="cursor"
            live
            empty={texts.noneIssued}
            columns={[
              {
                head: texts.token,
                kind: "main",
                cell: ({ id }) => <TokenLink token={id} href={walletLink.token(id)} />,
              },
              {
                head: texts.supply,
                kind: "number",
                cell: ({ id, totalsupply, burnningamount }) => (
                  <AmountText amount={totalsupply - burnningamount} token={id} />
                ),
              },
            ]}
          />
        </>
      )}
    </View>
  );
}
