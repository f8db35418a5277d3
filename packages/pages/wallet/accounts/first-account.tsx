import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { View } from "../../frame/view.tsx";
import { Problem } from "../../parts/problem.tsx";
import { walletTexts } from "../../texts/wallet-texts.ts";
import { walletLink } from "../links.ts";
import { accountsElsewhere, createAccount, type KeyWanted } from "./accounts.ts";
import { KeyExplained } from "./key-explained.tsx";
import { passkeyPlace } from "./passkeys.ts";

/** Source: explorer §3. */
export function FirstAccount(): JSX.Element {
  const texts = walletTexts().wallet.noAccount;
  const [state, setState] = useState<"idle" | "busy" | Error>("idle");
  const create = (wanted?: KeyWanted): void => {
    setState("busy");
    createAccount(texts.name, wanted).catch((error: Error) => setState(error));
  };
  return (
    <View title={texts.title}>
      <section class="card welcome">
        <p>{texts.text}</p>
        <KeyExplained />
        {state instanceof Error && <Problem error={state} />}
        <p class="actions">
          <button
            type="button"
            class="primary"
            disabled={state === "busy"}
            onClick={() => create()}
          >
            {state === "busy" ? texts.creating : texts.create}
          </button>
          {passkeyPlace() === "here" && (
            <button type="button" disabled={state === "busy"} onClick={() => create("key")}>
              {texts.withoutPasskey}
            </button>
          )}
          <a class="button" href={walletLink.restore()}>
            {texts.restore}
          </a>
          <a class="button" href={walletLink.newAccount()}>
            {texts.import}
          </a>
        </p>
        {accountsElsewhere.value > 0 && (
          <p class="quiet">{texts.elsewhere(accountsElsewhere.value)}</p>
        )}
      </section>
    </View>
  );
}
