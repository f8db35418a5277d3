import type { JSX } from "preact";
import { tokenForm } from "../../ledger/tokens.ts";
import { UntrustedText } from "../../parts/untrusted-text.tsx";
import { t } from "../../texts/texts.ts";
import { link } from "../links.ts";
import type { Pair } from "./pair.ts";

/** What a pair is called, as plain text: `SHL / BEAN`. */
export function pairName({ basetoken, targettoken }: Pair): string {
  return `${symbolOf(targettoken)} / ${symbolOf(basetoken)}`;
}

/** The symbol of a token, as short as a title allows. */
export function symbolOf(token: string): string {
  const form = /^[0-9]{1,40}$/.test(token) ? tokenForm(token).value : undefined;
  return form === undefined ? t().amounts.token(token) : form.symbol.slice(0, 16);
}

/** A pair by the symbols of its tokens with their ids; leads to its book. */
export function PairLink({
  pair,
  href = link.pair(pair),
}: {
  readonly pair: Pair;
  readonly href?: string;
}): JSX.Element {
  const { basetoken, targettoken } = pair;
  return (
    <a href={href} class="token-link">
      <UntrustedText text={symbolOf(targettoken)} max={16} />{" "}
      <span class="quiet">#{targettoken}</span> /{" "}
      <UntrustedText text={symbolOf(basetoken)} max={16} /> <span class="quiet">#{basetoken}</span>
    </a>
  );
}
