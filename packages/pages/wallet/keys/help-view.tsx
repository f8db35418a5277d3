import type { KeySet } from "@moneta/sdk";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { View } from "../../frame/view.tsx";
import { useRead } from "../../ledger/use-read.ts";
import { Facts } from "../../parts/facts.tsx";
import { shortened } from "../../parts/links/address-link.tsx";
import { WholeId } from "../../parts/links/whole-id.tsx";
import { Problem } from "../../parts/problem.tsx";
import { Shown } from "../../parts/shown.tsx";
import { walletTexts } from "../../texts/wallet-texts.ts";
import type { OpenAccount } from "../accounts/account.ts";
import { AccountBadge } from "../accounts/account-badge.tsx";
import { actingAccount } from "../accounts/accounts.ts";
import { WriteStatus } from "../writes/write-status.tsx";
import { submitPrepared, writes } from "../writes/writes.ts";
import { HelpLink } from "./ask-for-help.tsx";
import {
  addHelp,
  type HelpRequest,
  helperPlace,
  helpWeight,
  newKeyOf,
  readHelp,
} from "./help-request.ts";
import { KeyCode } from "./key-list.tsx";
import { readKeySet } from "./key-sets.ts";

const DAY_SECONDS = 86_400;

/** Helps somebody back into an account whose keys are lost. Source: authority §4; explorer §3. */
export function HelpView(): JSX.Element {
  const texts = walletTexts().keys.help;
  const account = actingAccount.value;
  const { query } = useLocation();
  const text = query["request"];
  return (
    <View title={texts.title}>
      {account !== undefined &&
        (text === undefined ? (
          <p>{texts.noLink}</p>
        ) : (
          <Opened key={account.id} account={account} text={text} />
        ))}
    </View>
  );
}

function Opened({
  account,
  text,
}: {
  readonly account: OpenAccount;
  readonly text: string;
}): JSX.Element {
  let request: HelpRequest;
  try {
    request = readHelp(text, account.ledgerId);
  } catch (error) {
    return <Problem error={error as Error} />;
  }
  return <OfRequest account={account} request={request} />;
}

type Step =
  | { readonly is: "asked" | "signing" }
  | { readonly is: "failed"; readonly error: Error }
  | { readonly is: "passOn"; readonly request: HelpRequest }
  | { readonly is: "sent"; readonly id: string };

function OfRequest({
  account,
  request,
}: {
  readonly account: OpenAccount;
  readonly request: HelpRequest;
}): JSX.Element {
  const texts = walletTexts().keys.help;
  const [step, setStep] = useState<Step>({ is: "asked" });
  const { actor } = request.prepared;
  const read = useRead(`keys ${actor}`, (options) => readKeySet(actor, options));
  const sent = step.is === "sent" ? writes.value.find(({ id }) => id === step.id) : undefined;

  const help = async (keySet: KeySet): Promise<void> => {
    setStep({ is: "signing" });
    try {
      const helped = await addHelp(account, request, keySet);
      if (helpWeight(helped, keySet) < (keySet.recoverythreshold ?? 0)) {
        setStep({ is: "passOn", request: helped });
        return;
      }
      const title = texts.done(shortened(actor));
      const id = await submitPrepared({ account, prepared: helped.prepared, title });
      setStep({ is: "sent", id });
    } catch (error) {
      setStep({ is: "failed", error: error as Error });
    }
  };

  return (
    <section class="card write-form">
      <Shown read={read}>
        {(keySet) => (
          <>
            <Facts
              facts={[
                [texts.lostAddress, <WholeId id={actor} />],
                [texts.newKey, <KeyCode publickey={newKeyOf(request)} />],
                [texts.after, walletTexts().keys.days((keySet.recoverydelay ?? 0) / DAY_SECONDS)],
                [
                  texts.signed,
                  texts.of(helpWeight(request, keySet), keySet.recoverythreshold ?? 0),
                ],
                [texts.helper, <AccountBadge account={account} />],
              ]}
            />
            {helperPlace(account, keySet) === -1 ? (
              <p class="notice warn">{texts.cannot}</p>
            ) : (
              <>
                <p class="notice warn">{texts.warning}</p>
                {step.is === "failed" && <Problem error={step.error} />}
                {(step.is === "asked" || step.is === "signing" || step.is === "failed") && (
                  <p class="actions">
                    <button
                      type="button"
                      class="primary"
                      disabled={step.is === "signing"}
                      onClick={() => void help(keySet)}
                    >
                      {texts.help}
                    </button>
                  </p>
                )}
              </>
            )}
            {step.is === "passOn" && <HelpLink request={step.request} text={texts.passOn} />}
            {sent !== undefined && <WriteStatus write={sent} />}
          </>
        )}
      </Shown>
    </section>
  );
}
