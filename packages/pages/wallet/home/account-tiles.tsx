import type { JSX } from "preact";
import { balancesByToken, type TokenBalance } from "../../explorer/address/token-balance.ts";
import { balancesUpTo } from "../../ledger/balances.ts";
import { now } from "../../ledger/node.ts";
import { useRead } from "../../ledger/use-read.ts";
import { AmountText } from "../../parts/amount-text.tsx";
import { t } from "../../texts/texts.ts";
import { walletTexts } from "../../texts/wallet-texts.ts";
import { isOpen, type OpenAccount } from "../accounts/account.ts";
import { AccountColor } from "../accounts/account-badge.tsx";
import { accounts, chooseAccount, currentAccount } from "../accounts/accounts.ts";
import { walletLink } from "../links.ts";

const TOKENS_MAX = 4;
/** One for each token and lock date. */
const ENTRIES_MAX = 1000;

/** By token, live; undefined until they are read. */
export function useBalances(address: string): readonly TokenBalance[] | Error | undefined {
  const { value, error } = useRead(
    `tile ${address}`,
    (options) => balancesUpTo(ENTRIES_MAX, address, options),
    { live: true },
  );
  return value === undefined ? error : balancesByToken(value.entries, now.value);
}

export function OtherAccounts(): JSX.Element | null {
  const others = accounts.value?.filter(isOpen).filter(({ id }) => id !== currentAccount.value?.id);
  return others === undefined || others.length === 0 ? null : (
    <ul class="account-tiles plain">
      {others.map((account) => (
        <li key={account.id}>
          <AccountTile account={account} />
        </li>
      ))}
    </ul>
  );
}

function AccountTile({ account }: { readonly account: OpenAccount }): JSX.Element {
  const { id, name, color, address } = account;
  return (
    <section class="tile account-tile">
      <h2>
        <button type="button" onClick={() => chooseAccount(id)}>
          <AccountColor color={color} /> <bdi>{name}</bdi>
        </button>
      </h2>
      <Balances of={id} balances={useBalances(address)} />
    </section>
  );
}

export function Balances({
  of,
  balances,
}: {
  readonly of: string;
  readonly balances: ReturnType<typeof useBalances>;
}): JSX.Element {
  const texts = walletTexts().wallet.home;
  if (balances === undefined || balances instanceof Error) {
    return (
      <p class="quiet">{balances === undefined ? t().frame.loading : t().frame.unreachable}</p>
    );
  }
  const shown = balances.length === 0 ? [{ token: "0", free: 0n, locked: 0n }] : balances;
  return (
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
        <li>
          <a href={walletLink.tokens()} onClick={() => chooseAccount(of)}>
            {texts.moreTokens(shown.length - TOKENS_MAX)}
          </a>
        </li>
      )}
    </ul>
  );
}
