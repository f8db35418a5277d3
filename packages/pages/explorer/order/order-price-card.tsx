import { decimalText, type OrderTrade } from "@moneta/sdk";
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { lazy } from "preact-iso";
import { moneta } from "../../ledger/node.ts";
import { useRead } from "../../ledger/use-read.ts";
import { tokenName } from "../../parts/amount-text.tsx";
import { t } from "../../texts/texts.ts";
import { CHARTED_MAX, newestEntries } from "../token/newest-entries.ts";
import { merged } from "../token/trade-prices.ts";
import type { Pair } from "./pair.ts";

const PriceChart = lazy(async () => (await import("../token/price-chart.tsx")).PriceChart);

const PAGE = 100;

/** The prices of the newest trades of a pair as a chart; nothing while there are none. */
export function OrderPriceCard({
  pair,
  newest,
  decimals,
}: {
  readonly pair: Pair;
  /** The newest trades, live. */
  readonly newest: readonly OrderTrade[];
  /** Of the base. */
  readonly decimals: number;
}): JSX.Element | null {
  const texts = t().explorer.token;
  const { basetoken, targettoken } = pair;
  const { value: older } = useRead(`order trades ${basetoken}-${targettoken}`, (options) =>
    newestEntries((cursor) =>
      moneta.orderTrades({ basetoken, targettoken, limit: PAGE, cursor }, options),
    ),
  );
  const prices = useMemo(() => {
    const trades = merged(newest, older ?? [], ({ id }) => id).slice(0, CHARTED_MAX);
    const oldestFirst = trades.toReversed();
    const exact = oldestFirst.map(({ price }) => decimalText(price, decimals));
    return {
      times: oldestFirst.map(({ timestamp }) => timestamp),
      prices: exact.map(Number),
      exact,
    };
  }, [newest, older, decimals]);
  if (older === undefined || prices.times.length === 0) {
    return null;
  }
  const symbol = tokenName(basetoken);
  return (
    <section class="card" aria-label={texts.chart}>
      <h2>{texts.chart}</h2>
      <PriceChart
        key={`${basetoken}-${targettoken}`}
        prices={prices}
        label={texts.chartMeans(prices.times.length, tokenName(targettoken), symbol)}
        symbol={symbol}
      />
    </section>
  );
}
