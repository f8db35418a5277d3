import type { JSX } from "preact";
import { Field, type FieldProps } from "../fields/field.tsx";
import type { FieldCheck } from "../fields/form-state.ts";

export const PASSPHRASE_MIN = 8;

export function PassphraseField({
  isNew = false,
  check,
  ...field
}: FieldProps & {
  readonly isNew?: boolean;
  readonly check?: FieldCheck;
}): JSX.Element {
  return (
    <Field {...field} check={check}>
      {(input) => (
        <input
          {...input}
          type="password"
          autocomplete={isNew ? "new-password" : "current-password"}
        />
      )}
    </Field>
  );
}
