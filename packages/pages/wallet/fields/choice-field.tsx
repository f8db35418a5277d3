import type { JSX } from "preact";
import { Field, type FieldProps } from "./field.tsx";

export function ChoiceField({
  choices,
  ...field
}: FieldProps & { readonly choices: readonly (readonly [string, string])[] }): JSX.Element {
  return (
    <Field {...field}>
      {({ onInput, ...input }) => (
        <select {...input} onChange={onInput}>
          {choices.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
