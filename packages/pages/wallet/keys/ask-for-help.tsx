import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { WholeId } from "../../parts/links/whole-id.tsx";
import { Problem } from "../../parts/problem.tsx";
import { walletTexts } from "../../texts/wallet-texts.ts";
import type { OpenAccount } from "../accounts/account.ts";
import { AddressField } from "../fields/address-field.tsx";
import { FieldError, useFormState } from "../fields/form-state.ts";
import { walletLink } from "../links.ts";
import { askForHelp, type HelpRequest, helpText } from "./help-request.ts";

/** Asks the people who can help to give an account whose keys are lost the key of this device. */
export function AskForHelp({ account }: { readonly account: OpenAccount }): JSX.Element {
  const texts = walletTexts().keys.help;
  const form = useFormState();
  const [state, setState] = useState<"idle" | "busy" | Error | HelpRequest>("idle");
  const ask = async (): Promise<void> => {
    if (state === "busy" || !form.check()) {
      return;
    }
    setState("busy");
    try {
      setState(await askForHelp(account, form.value("address")));
    } catch (error) {
      if (error instanceof FieldError) {
        form.fail(error.field, error.message);
      }
      setState(error instanceof FieldError ? "idle" : (error as Error));
    }
  };
  return (
    <section class="card stack" aria-labelledby="lost">
      <h2 id="lost">{texts.lost}</h2>
      <p>{texts.lostText}</p>
      {state instanceof Error && <Problem error={state} />}
      <form
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void ask();
        }}
      >
        <AddressField form={form} name="address" label={texts.lostAddress} />
        <p class="actions">
          <button type="submit" disabled={state === "busy"}>
            {texts.ask}
          </button>
        </p>
      </form>
      {typeof state === "object" && "prepared" in state && (
        <HelpLink request={state} text={texts.send} />
      )}
    </section>
  );
}

/** The link by which a request goes to the next helper. */
export function HelpLink({
  request,
  text,
}: {
  readonly request: HelpRequest;
  readonly text: string;
}): JSX.Element {
  return (
    <div role="status" class="stack">
      <p>{text}</p>
      <p class="help-link">
        <WholeId id={`${location.origin}${walletLink.help(helpText(request))}`} />
      </p>
    </div>
  );
}
