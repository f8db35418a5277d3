import type { JSX } from "preact";
import { link } from "../explorer/links.ts";
import { tokenForm } from "../ledger/tokens.ts";
import { UntrustedText } from "./untrusted-text.tsx";

const SYMBOL_MAX = 24;

/** A token by its symbol, or by its id until that is known. */
export function TokenLink({ token }: { readonly token: string }): JSX.Element {
  const form = tokenForm(token).value;
  return (
    <a href={link.token(token)} title={token}>
      {form === undefined ? token : <UntrustedText text={form.symbol} max={SYMBOL_MAX} />}
    </a>
  );
}
