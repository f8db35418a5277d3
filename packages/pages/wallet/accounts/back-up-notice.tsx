import type { ComponentChildren, JSX } from "preact";
import { service } from "../../ledger/service.ts";
import { walletTexts } from "../../texts/wallet-texts.ts";
import { knownKeySet } from "../keys/key-sets.ts";
import { walletLink } from "../links.ts";
import { lacksBackUp } from "./account.ts";
import { actingAccount } from "./accounts.ts";

export function BackUpNotice(): JSX.Element | null {
  const texts = walletTexts().wallet.backUp;
  const account = actingAccount.value;
  if (account?.kind === "webauthn") {
    return <OnlyPasskey address={account.address} />;
  }
  if (account === undefined || !lacksBackUp(account)) {
    return null;
  }
  return (
    <section class="notice warn" aria-label={texts.title}>
      {texts.missing} <a href={walletLink.backUp()}>{texts.now}</a>
    </section>
  );
}

/** Source: authority §3.3. */
function OnlyPasskey({ address }: { readonly address: string }): JSX.Element | null {
  const texts = walletTexts().wallet.backUp;
  const keySet = knownKeySet(address); // which the notice on keys reads
  return keySet === undefined || keySet.keys.length > 1 || keySet.recoverykeys?.length ? null : (
    <section class="notice warn" aria-label={texts.title}>
      {texts.passkey} <a href={walletLink.keys()}>{walletTexts().keys.title}</a>
    </section>
  );
}

/** On production only after a back-up, elsewhere with a reminder. Source: explorer §3. */
export function BackUpFirst({ children }: { readonly children: ComponentChildren }): JSX.Element {
  const texts = walletTexts().wallet.backUp;
  const isProduction = service.value?.deployment === "production";
  const account = actingAccount.value;
  if (!isProduction || (account !== undefined && !lacksBackUp(account))) {
    return (
      <>
        <BackUpNotice />
        {children}
      </>
    );
  }
  return (
    <section class="card">
      <h2>{texts.first}</h2>
      <p>{texts.firstText}</p>
      <p class="actions">
        <a class="button primary" href={walletLink.backUp()}>
          {texts.title}
        </a>
      </p>
    </section>
  );
}
