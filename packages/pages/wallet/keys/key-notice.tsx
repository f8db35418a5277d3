import { keyBody } from "@moneta/sdk";
import type { JSX } from "preact";
import { TimeText } from "../../parts/time-text.tsx";
import { walletTexts } from "../../texts/wallet-texts.ts";
import type { OpenAccount } from "../accounts/account.ts";
import { actingAccount, keyLack } from "../accounts/accounts.ts";
import { OneTap } from "../writes/one-tap.tsx";
import { powerOf, useKeySet } from "./key-sets.ts";

/** A pending recovery, or a browser that cannot sign by itself. Source: authority §1, §4. */
export function KeyNotice(): JSX.Element | null {
  const account = actingAccount.value;
  return account === undefined ? null : <NoticeOf key={account.id} account={account} />;
}

function NoticeOf({ account }: { readonly account: OpenAccount }): JSX.Element | null {
  const texts = walletTexts().keys;
  const { address, publicKeyPem } = account;
  const { value } = useKeySet(address, { live: true });
  if (value === undefined) {
    return null;
  }
  const { pendingdue = 0, pendingkeys = [] } = value;
  const power = powerOf(account, value);
  const lack = keyLack(account, value);
  const isOwn =
    power === "none" && pendingkeys.some(({ publickey }) => publickey === keyBody(publicKeyPem));
  return lack === undefined && pendingdue === 0 ? null : (
    <section class="notice warn key-notice" aria-label={texts.title}>
      {pendingdue > 0 && (
        <p>
          {isOwn ? texts.comingBack : texts.recovering} <TimeText time={pendingdue} />
        </p>
      )}
      {pendingdue > 0 && power !== "none" && (
        <OneTap
          account={account}
          operation="addressrecovercancel"
          request={{}}
          title={texts.cancelled}
          label={texts.cancelRecovery}
        />
      )}
      {lack !== undefined && !isOwn && <p>{lack}</p>}
    </section>
  );
}
