import { decimalText } from "@moneta/sdk";
import type { JSX } from "preact";
import { tokenForm } from "../../ledger/tokens.ts";
import { AmountText, numberText, TokenName } from "../../parts/amount-text.tsx";
import { locale } from "../../texts/texts.ts";
import { walletTexts } from "../../texts/wallet-texts.ts";
import { faultText } from "../operations/fault-text.ts";
import { type ReadText, readAmount } from "../operations/fields.ts";
import { Field, type FieldProps } from "./field.tsx";

/** In decimals; `form.amount(name, token)` has it in the smallest unit. */
export function AmountField({
  token,
  max,
  ...field
}: FieldProps & {
  readonly token: string;
  /** In the smallest unit; a button takes all of it. */
  readonly max?: bigint | undefined;
}): JSX.Element {
  const { form, name, hint } = field;
  const shown = tokenForm(token).value;
  const check = (text: string): string | undefined => {
    const read: ReadText<bigint> =
      shown === undefined
        ? { fault: { what: "noToken" } }
        : readAmount(text, { decimals: shown.decimals, locale: locale() });
    return "fault" in read ? faultText(read.fault) : undefined;
  };
  const useAll = (): void => {
    if (max !== undefined && shown !== undefined) {
      form.type(name, numberText(decimalText(max, shown.decimals)));
    }
  };
  const available = max !== undefined && (
    <>
      {walletTexts().wallet.form.available} <AmountText amount={max} token={token} />{" "}
      <button type="button" class="small" onClick={useAll}>
        {walletTexts().wallet.form.useAll}
      </button>
    </>
  );
  return (
    <Field {...field} hint={hint ?? available} check={check}>
      {(input) => (
        <span class="with-unit">
          <input {...input} type="text" inputMode="decimal" autocomplete="off" />
          <span class="unit">{shown !== undefined && <TokenName token={token} />}</span>
        </span>
      )}
    </Field>
  );
}
