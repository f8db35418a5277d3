import type { ComponentChildren, JSX } from "preact";
import { service } from "../../ledger/service.ts";
import { walletTexts } from "../../texts/wallet-texts.ts";
import { walletLink } from "../links.ts";
import { actingAccount } from "./accounts.ts";

/** Reminds of the back-up as long as there is none of the account that acts. */
export function BackUpNotice(): JSX.Element | null {
  const texts = walletTexts().wallet.backUp;
  if (actingAccount.value?.backUp !== "missing") {
    return null;
  }
  return (
    <section class="notice warn" aria-label={texts.title}>
      {texts.missing} <a href={walletLink.backUp()}>{texts.now}</a>
    </section>
  );
}

/**
 * What brings money into an account: on production only once its key has a back-up, else with a
 * reminder. Source: explorer §3.
 */
export function BackUpFirst({ children }: { readonly children: ComponentChildren }): JSX.Element {
  const texts = walletTexts().wallet.backUp;
  const isProduction = service.value?.deployment === "production";
  if (!isProduction || actingAccount.value?.backUp === "made") {
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
