import type { JSX } from "preact";
import { walletTexts } from "../../texts/wallet-texts.ts";
import { Field, type FieldProps } from "./field.tsx";
import type { FieldCheck } from "./form-state.ts";

export function TextField({
  lines = 1,
  max,
  check,
  ...field
}: FieldProps & {
  readonly lines?: number;
  /** Code points. */
  readonly max?: number;
  readonly check?: FieldCheck;
}): JSX.Element {
  const checkText = (text: string): string | undefined => {
    const length = [...text].length;
    return max !== undefined && length > max
      ? walletTexts().wallet.form.tooLong(String(length), String(max))
      : check?.(text);
  };
  return (
    <Field {...field} check={checkText}>
      {(input) =>
        lines > 1 ? (
          <textarea {...input} rows={lines} spellcheck={false} />
        ) : (
          <input {...input} type="text" autocomplete="off" spellcheck={false} />
        )
      }
    </Field>
  );
}
