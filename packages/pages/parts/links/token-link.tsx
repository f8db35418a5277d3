import type { JSX } from "preact";
import { link } from "../../explorer/links.ts";
import { TokenName } from "../amount-text.tsx";

/** A token by its symbol with its id; leads to its view. */
export function TokenLink({
  token,
  href = link.token(token),
}: {
  readonly token: string;
  readonly href?: string;
}): JSX.Element {
  return (
    <a href={href} class="token-link">
      <TokenName token={token} />
    </a>
  );
}
