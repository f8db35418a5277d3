import type { JSX } from "preact";
import { walletTexts } from "../../texts/wallet-texts.ts";
import { Field, type FieldProps } from "./field.tsx";

/** A date and a time in the reader's zone; `form.time(name)` has it in Unix seconds. */
export function TimeField({
  future = true,
  ...field
}: FieldProps & {
  /** Whether it must be later than now. */
  readonly future?: boolean;
}): JSX.Element {
  const check = (text: string): string | undefined => {
    const time = new Date(text).getTime();
    return Number.isNaN(time)
      ? walletTexts().wallet.form.noTime
      : future && time <= Date.now()
        ? walletTexts().wallet.form.past
        : undefined;
  };
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return (
    <Field {...field} hint={field.hint ?? walletTexts().wallet.form.zone(timeZone)} check={check}>
      {(input) => <input {...input} type="datetime-local" />}
    </Field>
  );
}
