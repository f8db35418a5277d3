import type { JSX } from "preact";
import { link } from "../../explorer/links.ts";
import { tokenForm } from "../../ledger/tokens.ts";
import { t } from "../../texts/texts.ts";
import { UntrustedText } from "../untrusted-text.tsx";

/** A token by its symbol with its id, as symbols need not be unique; leads to its view. */
export function TokenLink({ token }: { readonly token: string }): JSX.Element {
  const form = tokenForm(token).value;
  return (
    <a href={link.token(token)} class="token-link">
      {form === undefined ? (
        t().amounts.token(token)
      ) : (
        <>
          <UntrustedText text={form.symbol} max={16} /> <span class="quiet">#{token}</span>
        </>
      )}
    </a>
  );
}
