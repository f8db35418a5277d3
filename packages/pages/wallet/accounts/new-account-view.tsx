import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { View } from "../../frame/view.tsx";
import { walletTexts } from "../../texts/wallet-texts.ts";
import { Field } from "../fields/field.tsx";
import { type FormState, useFormState } from "../fields/form-state.ts";
import { TextField } from "../fields/text-field.tsx";
import { walletLink } from "../links.ts";
import { NAME_LENGTH_MAX } from "./account.ts";
import { createAccount, importAccount } from "./accounts.ts";

/** One more account: with a new key, or with one from a PEM file. Source: explorer §3. */
export function NewAccountView(): JSX.Element {
  const texts = walletTexts().wallet.newAccount;
  return (
    <View title={texts.title}>
      <div class="columns">
        <AccountForm
          title={texts.create}
          text={texts.createText}
          action={texts.createAction}
          make={async (form) => void (await createAccount(form.value("name")))}
        />
        <AccountForm
          title={texts.import}
          text={texts.importText}
          action={texts.importAction}
          make={(form) => importAccount(form.value("name"), form.value("pem"))}
          withKey
        />
      </div>
      <p>
        <a href={walletLink.restore()}>{walletTexts().wallet.noAccount.restore}</a>
      </p>
    </View>
  );
}

function AccountForm({
  title,
  text,
  action,
  make,
  withKey = false,
}: {
  readonly title: string;
  readonly text: string;
  readonly action: string;
  readonly make: (form: FormState) => Promise<void>;
  readonly withKey?: boolean;
}): JSX.Element {
  const texts = walletTexts().wallet.newAccount;
  const form = useFormState({ name: walletTexts().wallet.noAccount.name });
  const { route } = useLocation();
  const [state, setState] = useState<"idle" | "busy" | Error>("idle");
  const submit = async (): Promise<void> => {
    if (state === "busy" || !form.check()) {
      return;
    }
    setState("busy");
    try {
      await make(form);
      form.reset();
      route(walletLink.accounts());
    } catch (error) {
      setState(error as Error);
    }
  };
  return (
    <section class="card">
      <h2>{title}</h2>
      <p>{text}</p>
      {state instanceof Error && (
        <p class="problem" role="alert">
          {state.message}
        </p>
      )}
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <TextField form={form} name="name" label={texts.name} max={NAME_LENGTH_MAX} />
        {withKey && (
          <Field form={form} name="pem" label={texts.pem} hint={texts.pemHint}>
            {(input) => <textarea {...input} rows={5} spellcheck={false} autocomplete="off" />}
          </Field>
        )}
        <p class="actions">
          <button type="submit" class="primary" disabled={state === "busy"}>
            {action}
          </button>
        </p>
      </form>
    </section>
  );
}
