import type { JSX } from "preact";
import { lazy } from "preact-iso";
import { View } from "../../frame/view.tsx";
import { WholeId } from "../../parts/links/whole-id.tsx";
import { walletTexts } from "../../texts/wallet-texts.ts";
import type { OpenAccount } from "../accounts/account.ts";
import { AccountColor } from "../accounts/account-badge.tsx";
import { actingAccount } from "../accounts/accounts.ts";
import { BackUpNotice } from "../accounts/back-up-notice.tsx";
import { walletLink } from "../links.ts";
import { Balances, OtherAccounts, useBalances } from "./account-tiles.tsx";
import { FaucetButton } from "./faucet-button.tsx";

const ReceivedOffers = lazy(async () => (await import("./received-offers.tsx")).ReceivedOffers);
const WhileAway = lazy(async () => (await import("./while-away.tsx")).WhileAway);

/** Source: explorer §3. */
export function HomeView(): JSX.Element {
  const account = actingAccount.value;
  return (
    <View title={walletTexts().wallet.nav.home}>
      {account !== undefined && <Overview key={account.id} account={account} />}
    </View>
  );
}

function Overview({ account }: { readonly account: OpenAccount }): JSX.Element {
  const { id, name, color, address } = account;
  const balances = useBalances(address);
  const known = balances instanceof Error ? undefined : balances;
  const hasSome = known?.some(({ free, locked }) => free + locked > 0n) === true;
  return (
    <>
      <section class="card current-account">
        <h2>
          <AccountColor color={color} /> <bdi>{name}</bdi>
        </h2>
        <Balances of={id} balances={balances} />
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
        {known !== undefined && !hasSome && <p class="quiet">{walletTexts().wallet.home.empty}</p>}
      </section>
      {hasSome && <BackUpNotice />}
      <ReceivedOffers address={address} />
      <OtherAccounts />
      <WhileAway address={address} />
    </>
  );
}
