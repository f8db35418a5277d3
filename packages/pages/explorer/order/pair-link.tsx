import type { JSX } from "preact";
import { TokenName, tokenName } from "../../parts/amount-text.tsx";
import { link } from "../links.ts";
import type { Pair } from "./pair.ts";

/** What a pair is called, as plain text: `SHL #3 / BEAN #4`. */
export function pairName({ basetoken, targettoken }: Pair): string {
  return `${tokenName(targettoken)} / ${tokenName(basetoken)}`;
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
      <TokenName token={targettoken} /> / <TokenName token={basetoken} />
    </a>
  );
}
