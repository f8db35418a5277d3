import type { OrderBook } from "@moneta/sdk";
import type { JSX } from "preact";
import { lazy } from "preact-iso";
import { t } from "../../texts/texts.ts";

const DepthChart = lazy(async () => (await import("./depth-chart.tsx")).DepthChart);

export function DepthCard({ book }: { readonly book: OrderBook }): JSX.Element | null {
  const texts = t().explorer.order;
  const { basetoken, targettoken, bids, asks } = book;
  if (bids.length + asks.length === 0) {
    return null;
  }
  return (
    <section class="card depth" aria-label={texts.depthOf}>
      <h2>{texts.depthOf}</h2>
      <ul class="legend plain">
        {(["BUY", "SELL"] as const).map((side) => (
          <li key={side}>
            <i class={`swatch ${side === "BUY" ? "bid" : "ask"}`} aria-hidden="true" />
            {texts.books[side]}
          </li>
        ))}
      </ul>
      <DepthChart key={`${basetoken}-${targettoken}`} book={book} />
    </section>
  );
}
