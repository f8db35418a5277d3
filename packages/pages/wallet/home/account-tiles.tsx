import type { JSX } from "preact";
import { balancesByToken } from "../../explorer/address/token-balance.ts";
import { balancesUpTo } from "../../ledger/balances.ts";
import { now } from "../../ledger/node.ts";
import { useRead } from "../../ledger/use-read.ts";
import { AmountText } from "../../parts/amount-text.tsx";
import { t } from "../../texts/texts.ts";
import { walletTexts } from "../../texts/wallet-texts.ts";
import { isOpen, type OpenAccount } from "../accounts/account.ts";
import { AccountColor } from "../accounts/account-badge.tsx";
import { accounts, chooseAccount, currentAccount } from "../accounts/accounts.ts";

/** Of an account's tokens, those that its tile shows. */
const TOKENS_MAX = 4;
/** Entries of a balance: one for each token and lock date. */
const ENTRIES_MAX = 1000;

/** The balances of all accounts; a tap makes one the account that acts. */
export function AccountTiles(): JSX.Element {
  return (
    <ul class="account-tiles plain">
      {accounts.value?.filter(isOpen).map((account) => (
        <li key={account.id}>
          <AccountTile account={account} />
        </li>
      ))}
    </ul>
  );
}

function AccountTile({ account }: { readonly account: OpenAccount }): JSX.Element {
  const texts = walletTexts().wallet.home;
  const { id, name, color, address } = account;
  const { value, error } = useRead(
    `tile ${address}`,
    (options) => balancesUpTo(ENTRIES_MAX, address, options),
    { live: true },
  );
  const tokens = balancesByToken(value?.entries ?? [], now.value);
  const shown = tokens.length === 0 ? [{ token: "0", free: 0n, locked: 0n }] : tokens;
  const isCurrent = currentAccount.value?.id === id;
  return (
    <section class={isCurrent ? "tile account-tile current" : "tile account-tile"}>
      <h2>
        <button type="button" aria-pressed={isCurrent} onClick={() => chooseAccount(id)}>
          <AccountColor color={color} /> <bdi>{name}</bdi>
        </button>
      </h2>
      {value === undefined ? (
        <p class="quiet">{error === undefined ? t().frame.loading : t().frame.unreachable}</p>
      ) : (
        <ul class="plain">
          {shown.slice(0, TOKENS_MAX).map(({ token, free, locked }) => (
            <li key={token}>
              <span class={token === "0" ? "value" : ""}>
                <AmountText amount={free} token={token} />
              </span>
              {locked > 0n && (
                <span class="quiet">
                  {" "}
                  + {texts.locked} <AmountText amount={locked} token={token} />
                </span>
              )}
            </li>
          ))}
          {shown.length > TOKENS_MAX && (
            <li class="quiet">{texts.moreTokens(shown.length - TOKENS_MAX)}</li>
          )}
        </ul>
      )}
    </section>
  );
}
