import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useRead } from "../../ledger/use-read.ts";
import { Problem } from "../../parts/problem.tsx";
import { TimeText } from "../../parts/time-text.tsx";
import { walletTexts } from "../../texts/wallet-texts.ts";
import type { OpenAccount } from "../accounts/account.ts";
import { actingAccount, keyLack } from "../accounts/accounts.ts";
import { submit } from "../writes/writes.ts";
import { keyBody, powerOf, readKeySet } from "./key-sets.ts";

/**
 * What to know of the keys of the account that acts, on every view: that other keys are about to
 * replace them, or that this browser cannot sign by itself. Source: authority §1, §4.
 */
export function KeyNotice(): JSX.Element | null {
  const account = actingAccount.value;
  return account === undefined ? null : <NoticeOf key={account.id} account={account} />;
}

function NoticeOf({ account }: { readonly account: OpenAccount }): JSX.Element | null {
  const texts = walletTexts().keys;
  const { address, publicKeyPem } = account;
  const { value } = useRead(`keys ${address}`, (options) => readKeySet(address, options), {
    live: true,
  });
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
      {pendingdue > 0 && power === "alone" && <CancelRecovery account={account} />}
      {lack !== undefined && !isOwn && <p>{lack}</p>}
    </section>
  );
}

/** Cancels a recovery by one tap. Source: authority §4.3. */
function CancelRecovery({ account }: { readonly account: OpenAccount }): JSX.Element {
  const texts = walletTexts().keys;
  const [state, setState] = useState<"idle" | "busy" | Error>("idle");
  const cancel = (): void => {
    setState("busy");
    const order = { account, operation: "addressrecovercancel", request: {} };
    submit({ ...order, title: texts.cancelled }).then(
      () => undefined, // the notice goes once it is in a block
      (error: Error) => setState(error),
    );
  };
  return (
    <>
      {state instanceof Error && <Problem error={state} />}
      <p class="actions">
        <button type="button" class="danger" disabled={state === "busy"} onClick={cancel}>
          {texts.cancelRecovery}
        </button>
      </p>
    </>
  );
}
