import type { JSX } from "preact";
import { Field, type FieldProps } from "./field.tsx";

type Props = FieldProps & { readonly choices: readonly (readonly [string, string])[] };

export function ChoiceField({ choices, ...field }: Props): JSX.Element {
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

/** Shows all choices at once. */
export function RadioField({ choices, ...field }: Props): JSX.Element {
  return (
    <Field {...field}>
      {({ id, name, value: chosen, onInput, "aria-describedby": hint }) => (
        <div id={id} role="radiogroup" aria-label={field.label} aria-describedby={hint}>
          {choices.map(([value, label]) => (
            <label key={value} class="radio">
              <input
                type="radio"
                {...{ name, value, checked: value === chosen, onChange: onInput }}
              />{" "}
              {label}
            </label>
          ))}
        </div>
      )}
    </Field>
  );
}
