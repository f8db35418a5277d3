import type { ComponentChildren, JSX } from "preact";
import { useEffect, useId } from "preact/hooks";
import { walletTexts } from "../../texts/wallet-texts.ts";
import type { FieldCheck, FormState } from "./form-state.ts";

export interface FieldProps {
  readonly form: FormState;
  readonly name: string;
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly optional?: boolean;
}

export interface InputProps {
  readonly id: string;
  readonly name: string;
  readonly value: string;
  readonly required: boolean;
  readonly "aria-invalid": boolean;
  readonly "aria-describedby": string;
  readonly onInput: (event: { readonly currentTarget: { readonly value: string } }) => void;
}

/** Source: explorer §3. */
export function Field({
  form,
  name,
  label,
  hint,
  optional = false,
  check,
  children,
}: FieldProps & {
  readonly check?: FieldCheck | undefined;
  readonly children: (input: InputProps) => ComponentChildren;
}): JSX.Element {
  const id = useId();
  useEffect(() =>
    form.register(name, (text) =>
      text === "" ? (optional ? undefined : walletTexts().wallet.form.missing) : check?.(text),
    ),
  );
  const error = form.errors.value.get(name);
  return (
    <div class={error === undefined ? "field" : "field wrong"}>
      <label for={id}>
        {label}
        {optional && <span class="quiet"> {walletTexts().wallet.form.optional}</span>}
      </label>
      {children({
        id,
        name,
        value: form.text(name).value,
        required: !optional,
        "aria-invalid": error !== undefined,
        "aria-describedby": `${id}-error ${id}-hint`,
        onInput: ({ currentTarget }) => form.type(name, currentTarget.value),
      })}
      <p class="error" id={`${id}-error`} aria-live="polite">
        {error}
      </p>
      <p class="hint" id={`${id}-hint`}>
        {hint}
      </p>
    </div>
  );
}
