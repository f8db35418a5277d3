import { KeyBackupError } from "@moneta/sdk/key-backup";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { View } from "../../frame/view.tsx";
import { serviceKnown } from "../../ledger/service.ts";
import { plainList } from "../../parts/lists/plain-list.tsx";
import { Icon } from "../../parts/pictures/icon.tsx";
import { walletTexts } from "../../texts/wallet-texts.ts";
import { useFormState } from "../fields/form-state.ts";
import { walletLink } from "../links.ts";
import { AccountBadge } from "./account-badge.tsx";
import { type Restored, restore } from "./back-up.ts";
import { backupFault } from "./backup-fault.ts";
import { PassphraseField } from "./passphrase-field.tsx";

export function RestoreView(): JSX.Element {
  const texts = walletTexts().wallet.restore;
  const form = useFormState();
  const [file, setFile] = useState<File | undefined>(undefined);
  const [state, setState] = useState<"asking" | "opening" | Restored>("asking");
  const [failure, setFailure] = useState<string | undefined>(undefined);

  const open = async (): Promise<void> => {
    if (!form.check()) {
      return;
    }
    if (file === undefined) {
      setFailure(texts.noFile);
      return;
    }
    setState("opening");
    setFailure(undefined);
    try {
      const { ledger_id } = await serviceKnown();
      setState(await restore(await file.text(), form.text("passphrase").value, ledger_id));
      form.reset();
    } catch (error) {
      setFailure(error instanceof KeyBackupError ? backupFault(error) : (error as Error).message);
      setState("asking");
    }
  };

  return (
    <View title={texts.title}>
      <section class="card narrow">
        {failure !== undefined && (
          <p class="problem" role="alert">
            {failure}
          </p>
        )}
        {typeof state === "object" ? (
          <div role="status" class="stack">
            <p>
              <span class="badge good">
                <Icon of="check" /> {texts.done(state.accounts.length)}
              </span>
            </p>
            {plainList(state.accounts, (account) => (
              <AccountBadge account={account} />
            ))}
            {state.elsewhere > 0 && <p>{texts.elsewhere(state.elsewhere)}</p>}
            <p class="actions">
              <a class="button primary" href={walletLink.home()}>
                {texts.home}
              </a>
            </p>
          </div>
        ) : (
          <form
            noValidate
            onSubmit={(event) => {
              event.preventDefault();
              void open();
            }}
          >
            <p>{texts.text}</p>
            <div class="field">
              <label for="back-up-file">{walletTexts().wallet.backUp.file}</label>
              <input
                id="back-up-file"
                type="file"
                accept=".json,application/json"
                onChange={({ currentTarget }) => setFile(currentTarget.files?.[0])}
              />
            </div>
            <PassphraseField
              form={form}
              name="passphrase"
              label={walletTexts().wallet.backUp.passphrase}
            />
            <p class="actions">
              <button type="submit" class="primary" disabled={state === "opening"}>
                {state === "opening" ? texts.opening : texts.open}
              </button>
            </p>
          </form>
        )}
      </section>
    </View>
  );
}
