import type { JSX } from "preact";
import { TokenName } from "../amount-text.tsx";
import { usePlaces } from "./places.ts";

export function TokenLink({ token }: { readonly token: string }): JSX.Element {
  return (
    <a href={usePlaces().token(token)} class="token-link">
      <TokenName token={token} />
    </a>
  );
}
