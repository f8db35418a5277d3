import { visibleText } from "@moneta/sdk/text";
import type { JSX } from "preact";
import { walletTexts } from "../../texts/wallet-texts.ts";
import type { MarketAction } from "../operations/on-market.ts";

/** Its accessible name includes the thing. */
export function ActionLink({
  action,
  href,
  thing,
}: {
  readonly action:
    | MarketAction
    | "accept-offer"
    | "cancel-order"
    | "finish-offer"
    | "withdraw-offer";
  readonly href: string;
  readonly thing: string;
}): JSX.Element {
  const text = walletTexts().operations.buttons[action];
  return (
    <a class="button small" href={href} aria-label={`${text}: ${visibleText(thing)}`}>
      {text}
    </a>
  );
}
