import type { JSX } from "preact";
import { t } from "../../texts/texts.ts";

export function ListingBadge({
  side,
  state,
}: {
  readonly side: "sell" | "buy" | "auction";
  readonly state: "open" | "sold" | "cancelled" | "failed";
}): JSX.Element {
  const texts = t().explorer.listing;
  const colour = side === "auction" ? "warn" : side === "sell" ? "accent" : "good";
  return (
    <>
      <span class={`badge ${state === "open" ? colour : ""}`}>{texts.sides[side]}</span>
      {state !== "open" && <span class="badge">{texts.states[state]}</span>}
    </>
  );
}
