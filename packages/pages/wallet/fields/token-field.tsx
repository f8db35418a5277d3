import type { JSX } from "preact";
import { balancesUpTo } from "../../ledger/balances.ts";
import { tokenForm } from "../../ledger/tokens.ts";
import { useRead } from "../../ledger/use-read.ts";
import { TokenName, tokenName } from "../../parts/amount-text.tsx";
import { walletTexts } from "../../texts/wallet-texts.ts";
import { actingAccount } from "../accounts/accounts.ts";
import { ChoiceField } from "./choice-field.tsx";
import type { FieldProps } from "./field.tsx";
import { PickerField } from "./picker-field.tsx";

const BALANCES_MAX = 1000;

/** A token as one of several to choose from. */
function nameOf(token: string): string {
  return token === "0"
    ? `${tokenName(token)} ${walletTexts().wallet.form.nativeCoin}`
    : tokenName(token);
}

/** A token: one that the account has, or with `any` also another by its symbol, name or id. */
export function TokenField({
  any = false,
  ...field
}: FieldProps & { readonly any?: boolean }): JSX.Element {
  const address = actingAccount.value?.address ?? "";
  const { value } = useRead(`tokens of ${address}`, async (options) =>
    address === "" ? undefined : balancesUpTo(BALANCES_MAX, address, options),
  );
  const chosen = field.form.text(field.name).value;
  const held = (value?.entries ?? []).map(({ token }) => token);
  const own = [...new Set(["0", ...held, ...(any ? [] : [chosen])])].filter((one) => one !== "");
  if (!any) {
    return <ChoiceField {...field} choices={own.map((token) => [token, nameOf(token)])} />;
  }
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
      {...(isKnown ? { chosen: <TokenName token={chosen} isWhole /> } : {})}
    />
  );
}
