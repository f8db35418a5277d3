import type { JSX } from "preact";
import { lazy } from "preact-iso";
import { View } from "../../frame/view.tsx";
import { moneta } from "../../ledger/node.ts";
import { useRead } from "../../ledger/use-read.ts";
import { WholeId } from "../../parts/links/whole-id.tsx";
import { walletTexts } from "../../texts/wallet-texts.ts";
import type { OpenAccount } from "../accounts/account.ts";
import { AccountColor } from "../accounts/account-badge.tsx";
import { actingAccount } from "../accounts/accounts.ts";
import { BackUpNotice } from "../accounts/back-up-notice.tsx";
import { walletLink } from "../links.ts";
import { AccountTiles } from "./account-tiles.tsx";
import { FaucetButton } from "./faucet-button.tsx";

const AccountParts = lazy(async () => (await import("./account-parts.tsx")).AccountParts);
const WhileAway = lazy(async () => (await import("./while-away.tsx")).WhileAway);

/**
 * The start of the wallet: all accounts, and the holdings of the acting one. Source: explorer §3.
 */
export function HomeView(): JSX.Element {
  const account = actingAccount.value;
  return (
    <View title={walletTexts().wallet.nav.home}>
      {account !== undefined && <Overview key={account.id} account={account} />}
    </View>
  );
}

function Overview({ account }: { readonly account: OpenAccount }): JSX.Element {
  const texts = walletTexts().wallet.home;
  const { name, color, address } = account;
  const { value: balance } = useRead(
    `has ${address}`,
    (options) => moneta.balance({ address, limit: 100 }, options),
    { live: true },
  );
  return (
    <>
      {balance?.some(({ balance: amount }) => amount > 0n) && <BackUpNotice />}
      <AccountTiles />
      <section class="card current-account">
        <h2>
          <AccountColor color={color} /> <bdi>{name}</bdi>
        </h2>
        <p>
          <WholeId id={address} />
        </p>
        <p class="actions">
          <a class="button primary" href={walletLink.send()}>
            {walletTexts().wallet.nav.send}
          </a>
          <a class="button" href={walletLink.receive()}>
            {walletTexts().wallet.nav.receive}
          </a>
          <FaucetButton address={address} />
        </p>
        {balance?.length === 0 && <p class="quiet">{texts.empty}</p>}
      </section>
      <WhileAway address={address} />
      <AccountParts address={address} />
    </>
  );
}
