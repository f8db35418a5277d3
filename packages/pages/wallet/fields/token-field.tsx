import type { JSX } from "preact";
import { useId } from "preact/hooks";
import { balancesUpTo } from "../../ledger/balances.ts";
import { tokenForm } from "../../ledger/tokens.ts";
import { useRead } from "../../ledger/use-read.ts";
import { TokenName, tokenName } from "../../parts/amount-text.tsx";
import { walletTexts } from "../../texts/wallet-texts.ts";
import { actingAccount } from "../accounts/accounts.ts";
import { Field, type FieldProps } from "./field.tsx";

/** A token as one of several to choose from. */
function nameOf(token: string): string {
  return token === "0"
    ? `${tokenName(token)} ${walletTexts().wallet.form.nativeCoin}`
    : tokenName(token);
}

/** A token: one that the account has, or with `any` also another by its id. */
export function TokenField({
  any = false,
  ...field
}: FieldProps & { readonly any?: boolean }): JSX.Element {
  const list = useId();
  const address = actingAccount.value?.address ?? "";
  const { value } = useRead(`tokens of ${address}`, async (options) =>
    address === "" ? undefined : balancesUpTo(1000, address, options),
  );
  const entries = value?.entries ?? [];
  const chosen = field.form.text(field.name).value;
  const tokens = [
    ...new Set(["0", ...entries.map(({ token }) => token), ...(any ? [] : [chosen])]),
  ].filter((token) => token !== "");
  const check = (text: string): string | undefined =>
    /^(0|[1-9][0-9]{0,39})$/.test(text) ? undefined : walletTexts().wallet.form.noToken;
  const isKnown = any && /^[0-9]{1,40}$/.test(chosen) && tokenForm(chosen).value !== undefined;
  return (
    <Field
      {...field}
      check={check}
      hint={isKnown ? <TokenName token={chosen} isWhole /> : field.hint}
    >
      {(input) =>
        any ? (
          <>
            <input {...input} type="text" inputMode="numeric" list={list} autocomplete="off" />
            <datalist id={list}>
              {tokens.map((token) => (
                <option key={token} value={token} translate={false}>
                  {nameOf(token)}
                </option>
              ))}
            </datalist>
          </>
        ) : (
          <select {...input}>
            {tokens.map((token) => (
              <option key={token} value={token} translate={false}>
                {nameOf(token)}
              </option>
            ))}
          </select>
        )
      }
    </Field>
  );
}
