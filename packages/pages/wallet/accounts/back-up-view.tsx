import { KeyBackupError } from "@moneta/sdk/key-backup";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { View } from "../../frame/view.tsx";
import { now } from "../../ledger/node.ts";
import { saveText } from "../../parts/download.ts";
import { plainList } from "../../parts/lists/plain-list.tsx";
import { Icon } from "../../parts/pictures/icon.tsx";
import { walletTexts } from "../../texts/wallet-texts.ts";
import { useFormState } from "../fields/form-state.ts";
import { AccountBadge } from "./account-badge.tsx";
import { accounts } from "./accounts.ts";
import { closeKeys, sealAccounts, withoutBackUp } from "./back-up.ts";
import { backupFault } from "./backup-fault.ts";
import { PASSPHRASE_MIN, PassphraseField } from "./passphrase-field.tsx";

type Step =
  | { readonly is: "asking" | "sealing" }
  | { readonly is: "saved"; readonly passphrase: string; readonly name: string }
  | { readonly is: "done"; readonly count: number };

/** Once the file was read again, keys cannot leave the browser. Source: explorer §3. */
export function BackUpView(): JSX.Element {
  const texts = walletTexts().wallet.backUp;
  const form = useFormState();
  const [step, setStep] = useState<Step>({ is: "asking" });
  const [failure, setFailure] = useState<string | undefined>(undefined);
  const open = withoutBackUp();
  const made = (accounts.value ?? []).filter((one) => one.kind === "raw" && one.backUp === "made");

  const seal = async (): Promise<void> => {
    if (!form.check()) {
      return;
    }
    setStep({ is: "sealing" });
    setFailure(undefined);
    // Blanks at the ends belong to it.
    const passphrase = form.text("passphrase").value;
    try {
      const file = await sealAccounts(open, passphrase);
      const name = `moneta-back-up-${new Date(now.peek() * 1000).toISOString().slice(0, 10)}.json`;
      saveText(file, name);
      setStep({ is: "saved", passphrase, name });
    } catch (error) {
      setFailure((error as Error).message);
      setStep({ is: "asking" });
    }
  };
  const check = async (file: File | undefined, passphrase: string): Promise<void> => {
    if (file === undefined) {
      return;
    }
    setFailure(undefined);
    try {
      const count = await closeKeys(await file.text(), passphrase);
      if (count === 0) {
        setFailure(texts.otherFile);
        return;
      }
      form.reset();
      setStep({ is: "done", count });
    } catch (error) {
      setFailure(error instanceof KeyBackupError ? backupFault(error) : (error as Error).message);
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
        {step.is === "done" ? (
          <p role="status">
            <span class="badge good">
              <Icon of="check" /> {texts.done}
            </span>{" "}
            {texts.doneText}
          </p>
        ) : open.length === 0 ? (
          <p>{texts.nothing}</p>
        ) : step.is === "saved" ? (
          <>
            <h2>{texts.checkTitle}</h2>
            <p>{texts.checkText(step.name)}</p>
            <div class="field">
              <label for="saved-file">{texts.file}</label>
              <input
                id="saved-file"
                type="file"
                accept=".json,application/json"
                onChange={({ currentTarget }) =>
                  void check(currentTarget.files?.[0], step.passphrase)
                }
              />
            </div>
            <p class="actions">
              <button type="button" onClick={() => setStep({ is: "asking" })}>
                {texts.again}
              </button>
            </p>
          </>
        ) : (
          <form
            noValidate
            onSubmit={(event) => {
              event.preventDefault();
              void seal();
            }}
          >
            <p>{texts.text}</p>
            {plainList(open, (account) => (
              <AccountBadge account={account} />
            ))}
            <PassphraseField
              form={form}
              name="passphrase"
              label={texts.passphrase}
              hint={texts.passphraseHint}
              isNew
              check={(text) => (text.length < PASSPHRASE_MIN ? texts.tooShort : undefined)}
            />
            <PassphraseField
              form={form}
              name="repeated"
              label={texts.repeated}
              isNew
              check={() =>
                form.text("repeated").value === form.text("passphrase").value
                  ? undefined
                  : texts.different
              }
            />
            <p class="actions">
              <button type="submit" class="primary" disabled={step.is === "sealing"}>
                {step.is === "sealing" ? texts.sealing : texts.save}
              </button>
            </p>
          </form>
        )}
      </section>
      {made.length > 0 && step.is !== "done" && (
        <section class="card narrow">
          <h2>{texts.madeTitle}</h2>
          <p>{texts.madeText}</p>
          {plainList(made, (account) => (
            <AccountBadge account={account} />
          ))}
        </section>
      )}
    </View>
  );
}
