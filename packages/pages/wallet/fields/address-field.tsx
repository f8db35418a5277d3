import { parseAddress } from "@moneta/sdk";
import type { JSX } from "preact";
import { useId } from "preact/hooks";
import { walletTexts } from "../../texts/wallet-texts.ts";
import { isOpen } from "../accounts/account.ts";
import { accounts } from "../accounts/accounts.ts";
import { Field, type FieldProps } from "./field.tsx";

/** An address, with those of this browser's own accounts to choose from. */
export function AddressField({
  onPaste,
  ...field
}: FieldProps & {
  /** Takes a pasted text that is more than an address; returns whether it did. */
  readonly onPaste?: (text: string) => boolean;
}): JSX.Element {
  const list = useId();
  const check = (text: string): string | undefined =>
    parseAddress(text) === undefined ? walletTexts().wallet.form.noAddress : undefined;
  return (
    <Field {...field} check={check}>
      {(input) => (
        <>
          <input
            {...input}
            type="text"
            class="id"
            list={list}
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            placeholder="MT…"
            onPaste={(event) => {
              if (onPaste?.(event.clipboardData?.getData("text").trim() ?? "") === true) {
                event.preventDefault();
              }
            }}
          />
          <datalist id={list}>
            {accounts.value?.filter(isOpen).map(({ id, name, address }) => (
              <option key={id} value={address} translate={false}>
                {name}
              </option>
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}
