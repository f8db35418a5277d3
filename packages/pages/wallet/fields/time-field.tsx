import { readTime } from "@moneta/sdk";
import type { JSX } from "preact";
import { now } from "../../ledger/node.ts";
import { absoluteTime } from "../../parts/time-text.tsx";
import { walletTexts } from "../../texts/wallet-texts.ts";
import { Field, type FieldProps } from "./field.tsx";

/** In the reader's zone; `form.time(name)` has it in Unix seconds. */
export function TimeField({
  future = true,
  max,
  ...field
}: FieldProps & {
  readonly future?: boolean;
  /** Unix seconds. */
  readonly max?: number;
}): JSX.Element {
  const texts = walletTexts().wallet.form;
  const check = (text: string): string | undefined => {
    const time = readTime(text, max === undefined ? {} : { max });
    return time === "range" && max !== undefined
      ? texts.latest(absoluteTime(max))
      : typeof time === "string"
        ? texts.times[time]
        : future && time <= now.peek()
          ? texts.past
          : undefined;
  };
  const hint = (
    <>
      {field.hint} {texts.zone(readerZone())}
    </>
  );
  return (
    <Field {...field} hint={hint} check={check}>
      {(input) => <input {...input} type="datetime-local" />}
    </Field>
  );
}

export function readerZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
