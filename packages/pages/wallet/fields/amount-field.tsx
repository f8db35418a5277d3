import { decimalText, parseDecimal } from "@moneta/sdk";
import type { JSX } from "preact";
import { tokenForm } from "../../ledger/tokens.ts";
import { AmountText, amountText, TokenName, tokenName } from "../../parts/amount-text.tsx";
import { walletTexts } from "../../texts/wallet-texts.ts";
import { Field, type FieldProps } from "./field.tsx";

/** An amount in decimals of a token; `form.amount(name, token)` has it in the smallest unit. */
export function AmountField({
  token,
  max,
  ...field
}: FieldProps & {
  /** Id of the token. */
  readonly token: string;
  /** What can be spent, in the smallest unit; a button takes all of it. */
  readonly max?: bigint | undefined;
}): JSX.Element {
  const { form, name, hint } = field;
  const shown = tokenForm(token).value;
  const check = (text: string): string | undefined => {
    const texts = walletTexts().wallet.form;
    if (shown === undefined) {
      return texts.unknownToken;
    }
    if (!/^[0-9]+(?:\.[0-9]+)?$/.test(text)) {
      return texts.noAmount;
    }
    try {
      const amount = parseDecimal(text, shown.decimals);
      if (amount === 0n) {
        return texts.zero;
      }
      return max !== undefined && amount > max ? texts.tooMuch(amountText(max, token)) : undefined;
    } catch {
      return texts.tooFine(tokenName(token), String(shown.decimals));
    }
  };
  const useAll = (): void => {
    if (max !== undefined && shown !== undefined) {
      form.type(name, decimalText(max, shown.decimals));
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
