import type { JSX } from "preact";
import { tokenForm } from "../../ledger/tokens.ts";
import { TokenName } from "../../parts/amount-text.tsx";
import { walletTexts } from "../../texts/wallet-texts.ts";
import { useOwnTokens } from "../accounts/own-tokens.ts";
import type { FieldProps } from "./field.tsx";
import { PickerField } from "./picker-field.tsx";

export function TokenField({
  chosen: called,
  ...field
}: FieldProps & {
  /** In place of its name. */
  readonly chosen?: string;
}): JSX.Element {
  const chosen = field.form.text(field.name).value;
  const own = [...new Set(["0", ...(useOwnTokens() ?? [])])];
  const isKnown = /^[0-9]{1,40}$/.test(chosen) && tokenForm(chosen).value !== undefined;
  return (
    <PickerField
      {...field}
      own={own.map((id) => ({ kind: "token", id, name: "", ...tokenForm(id).value }))}
      kind="token"
      check={(text) =>
        /^(0|[1-9][0-9]{0,39})$/.test(text) ? undefined : walletTexts().wallet.form.noToken
      }
      placeholder="#"
      {...(isKnown && { chosen: called ?? <TokenName token={chosen} isWhole /> })}
    />
  );
}
