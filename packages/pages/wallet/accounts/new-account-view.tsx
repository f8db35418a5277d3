import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { View } from "../../frame/view.tsx";
import { walletTexts } from "../../texts/wallet-texts.ts";
import { AddressField } from "../fields/address-field.tsx";
import { Field } from "../fields/field.tsx";
import { type FormState, useFormState } from "../fields/form-state.ts";
import { TextField } from "../fields/text-field.tsx";
import { walletLink } from "../links.ts";
import { NAME_LENGTH_MAX } from "./account.ts";
import { accounts, createAccount, importAccount, restorePasskey } from "./accounts.ts";
import { KeyExplained } from "./key-explained.tsx";
import { passkeyPlace } from "./passkeys.ts";

/** With a new key, or one from a PEM file. Source: explorer §3. */
export function NewAccountView(): JSX.Element {
  const texts = walletTexts().wallet.newAccount;
  return (
    <View title={texts.title}>
      <div class="columns">
        <AccountForm
          title={texts.create}
          text={<KeyExplained />}
          action={texts.createAction}
          make={async (form) => void (await createAccount(form.value("name")))}
          {...(passkeyPlace() === "here" && {
            other: {
              action: walletTexts().wallet.noAccount.withoutPasskey,
              make: async (form) => void (await createAccount(form.value("name"), "key")),
            },
          })}
        />
        <AccountForm
          title={texts.import}
          text={<p>{texts.importText}</p>}
          action={texts.importAction}
          make={(form) => importAccount(form.value("name"), form.value("pem"))}
          fields={(form) => (
            <Field form={form} name="pem" label={texts.pem} hint={texts.pemHint}>
              {(input) => <textarea {...input} rows={5} spellcheck={false} autocomplete="off" />}
            </Field>
          )}
        />
        {passkeyPlace() === "here" && (
          <AccountForm
            title={texts.passkey}
            text={<p>{texts.passkeyText}</p>}
            action={texts.passkeyAction}
            make={(form) => restorePasskey(form.value("name"), form.value("address"))}
            fields={(form) => (
              <AddressField form={form} name="address" label={texts.passkeyAddress} />
            )}
          />
        )}
      </div>
      <p>
        <a href={walletLink.restore()}>{walletTexts().wallet.noAccount.restore}</a>
      </p>
      <p>
        <a href={walletLink.device()}>{walletTexts().keys.device.title}</a>
      </p>
    </View>
  );
}

interface Choice {
  readonly action: string;
  readonly make: (form: FormState) => Promise<void>;
}

function AccountForm({
  title,
  text,
  action,
  make,
  other,
  fields,
}: Choice & {
  readonly title: string;
  readonly text: JSX.Element;
  readonly other?: Choice;
  readonly fields?: (form: FormState) => JSX.Element;
}): JSX.Element {
  const texts = walletTexts().wallet.newAccount;
  const others = accounts.value?.length ?? 0;
  const usual = walletTexts().wallet.noAccount.name;
  const form = useFormState({ name: others === 0 ? usual : `${usual} ${others + 1}` });
  const { route } = useLocation();
  const [state, setState] = useState<"idle" | "busy" | Error>("idle");
  const submit = async (by: Choice["make"]): Promise<void> => {
    if (state === "busy" || !form.check()) {
      return;
    }
    setState("busy");
    try {
      await by(form);
      form.reset();
      route(walletLink.accounts());
    } catch (error) {
      setState(error as Error);
    }
  };
  return (
    <section class="card">
      <h2>{title}</h2>
      {text}
      {state instanceof Error && (
        <p class="problem" role="alert">
          {state.message}
        </p>
      )}
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit(make);
        }}
      >
        <TextField form={form} name="name" label={texts.name} max={NAME_LENGTH_MAX} />
        {fields?.(form)}
        <p class="actions">
          <button type="submit" class="primary" disabled={state === "busy"}>
            {action}
          </button>
          {other !== undefined && (
            <button
              type="button"
              disabled={state === "busy"}
              onClick={() => void submit(other.make)}
            >
              {other.action}
            </button>
          )}
        </p>
      </form>
    </section>
  );
}
