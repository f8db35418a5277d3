import { lookAlike } from "@moneta/sdk/look-alike";
import { nameText, visibleText } from "@moneta/sdk/text";
import type { JSX } from "preact";
import { type TokenForm, tokenForm } from "../../ledger/tokens.ts";
import { tokenName } from "../../parts/amount-text.tsx";
import { t } from "../../texts/texts.ts";
import { walletTexts } from "../../texts/wallet-texts.ts";
import { useOwnTokens } from "../accounts/own-tokens.ts";
import { isTrusted, trustedTokens } from "../things/trusted-tokens.ts";

/** Tokens that are compared, the oldest first. */
const HELD_MAX = 200;

/** With the coin, held and trusted tokens. Source: explorer §3. */
export function LookAlikeWarnings({ tokens }: { readonly tokens: readonly string[] }): JSX.Element {
  const held = useOwnTokens()?.slice(0, HELD_MAX) ?? [];
  const known = [...new Set(["0", ...trustedTokens.value, ...held])].flatMap(formsOf);
  return (
    <>
      {tokens.flatMap(formsOf).map((form) => {
        const other = lookAlike(form, known);
        return (
          other !== undefined && (
            <p key={form.id} class="notice warn" role="alert">
              {warningText(form, other)}
            </p>
          )
        );
      })}
    </>
  );
}

function formsOf(token: string): readonly TokenForm[] {
  const form = tokenForm(token).value;
  return form === undefined ? [] : [form];
}

function warningText(form: TokenForm, other: TokenForm): string {
  const texts = walletTexts().wallet.form.lookAlike;
  const called = ({ id, name }: TokenForm): string =>
    `${tokenName(id)} (${visibleText(nameText(name, t().nothingVisible))})`;
  return texts[other.id === "0" ? "coin" : isTrusted(other.id) ? "trusted" : "held"](
    called(form),
    called(other),
  );
}
