import type { Order } from "@moneta/sdk";
import type { JSX } from "preact";
import { t } from "../../texts/texts.ts";

export function SideBadge({ side }: { readonly side: Order["side"] }): JSX.Element {
  return (
    <span class={`badge ${side === "SELL" ? "accent" : "good"}`}>
      {t().explorer.order.sides[side]}
    </span>
  );
}

export function StatusBadge({ status }: { readonly status: Order["status"] }): JSX.Element {
  const colour = status === "TRADING" ? "warn" : status === "COMPLETE" ? "good" : "";
  return <span class={`badge ${colour}`}>{t().explorer.order.states[status]}</span>;
}
