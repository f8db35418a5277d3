import type { JSX } from "preact";
import { TokenName, tokenName } from "../../parts/amount-text.tsx";
import { usePlaces } from "../../parts/links/places.ts";
import type { Pair } from "./pair.ts";

export function pairName({ basetoken, targettoken }: Pair): string {
  return `${tokenName(targettoken)} / ${tokenName(basetoken)}`;
}

export function PairLink({ pair }: { readonly pair: Pair }): JSX.Element {
  const { basetoken, targettoken } = pair;
  return (
    <a href={usePlaces().pair(pair)} class="token-link">
      <TokenName token={targettoken} /> / <TokenName token={basetoken} />
    </a>
  );
}
