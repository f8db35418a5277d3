import { keyBody } from "@moneta/sdk";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Problem } from "../../parts/problem.tsx";
import { walletTexts } from "../../texts/wallet-texts.ts";
import type { OpenAccount } from "../accounts/account.ts";
import { signerOf } from "../accounts/accounts.ts";
import { AddressField } from "../fields/address-field.tsx";
import { FieldError, useFormState } from "../fields/form-state.ts";
import { readKeySet } from "./key-sets.ts";

export function AskForHelp({ account }: { readonly account: OpenAccount }): JSX.Element {
  const texts = walletTexts().keys.help;
  const form = useFormState();
  const [state, setState] = useState<"idle" | "busy" | Error>("idle");
  const ask = async (): Promise<void> => {
    if (state === "busy" || !form.check()) {
      return;
    }
    setState("busy");
    try {
      await proposeRecovery(account, form.value("address"));
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
    </section>
  );
}

/** With the proof of the new key. Source: authority §4. */
async function proposeRecovery(account: OpenAccount, address: string): Promise<void> {
  const { version, recoverykeys = [] } = await readKeySet(address);
  if (recoverykeys.length === 0) {
    throw new FieldError("address", walletTexts().keys.help.nobody);
  }
  const { keyParameters } = await signerOf(account);
  const keys = [{ publickey: keyBody(account.publicKeyPem), ...keyParameters }];
  const request = { keys, threshold: 1, version: version + 1 };
  const { proposeWrite } = await import("../swap/sign-proposal.ts");
  await proposeWrite({ account, address, operation: "addressrecover", request });
}
