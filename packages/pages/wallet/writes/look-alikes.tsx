import { lookAlike } from "@moneta/sdk/look-alike";
import { nameText, visibleText } from "@moneta/sdk/text";
import { type ReadonlySignal, useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useCallback } from "preact/hooks";
import { type TokenForm, tokenForm } from "../../ledger/tokens.ts";
import { ShownTokens, tokenName } from "../../parts/amount-text.tsx";
import { t } from "../../texts/texts.ts";
import { walletTexts } from "../../texts/wallet-texts.ts";
import { actingAccount } from "../accounts/accounts.ts";
import { useOwnTokens } from "../accounts/own-tokens.ts";
import { isTrusted, trustedTokens } from "../things/trusted-tokens.ts";

/** Tokens that are compared, the oldest first. */
const HELD_MAX = 200;

/** Tokens that resemble the native coin, a held or a trusted one. Source: explorer §3. */
export function WithLookAlikes({
  tokens,
  children,
}: {
  readonly tokens: readonly string[];
  readonly children: ComponentChildren;
}): JSX.Element {
  const shown = useSignal<readonly string[]>([]);
  const note = useCallback((token: string) => {
    if (!shown.peek().includes(token)) {
      shown.value = [...shown.peek(), token];
    }
  }, []);
  return (
    <>
      <ShownTokens.Provider value={note}>{children}</ShownTokens.Provider>
      <LookAlikes tokens={tokens} shown={shown} />
    </>
  );
}

function LookAlikes({
  tokens,
  shown,
}: {
  readonly tokens: readonly string[];
  readonly shown: ReadonlySignal<readonly string[]>;
}): JSX.Element | null {
  const address = actingAccount.value?.address;
  const all = new Set([...tokens, ...shown.value]);
  const doubtful = [...all].filter((token) => token !== "0" && !isTrusted(token));
  return doubtful.length === 0 ? null : <Warnings key={address} tokens={doubtful} />;
}

function Warnings({ tokens }: { readonly tokens: readonly string[] }): JSX.Element {
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
