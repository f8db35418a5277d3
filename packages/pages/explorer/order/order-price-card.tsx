import { decimalText, type OrderTrade } from "@moneta/sdk";
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { lazy } from "preact-iso";
import { moneta, now } from "../../ledger/node.ts";
import { useRead } from "../../ledger/use-read.ts";
import { AmountText, tokenName } from "../../parts/amount-text.tsx";
import { percentText } from "../../parts/share-bar.tsx";
import { t } from "../../texts/texts.ts";
import { CHARTED_MAX, newestEntries } from "../token/newest-entries.ts";
import { merged } from "../token/trade-prices.ts";
import { dayOf } from "./depth.ts";
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
  const trades = useMemo(
    () => merged(newest, older ?? [], ({ id }) => id).slice(0, CHARTED_MAX),
    [newest, older],
  );
  const prices = useMemo(() => {
    const oldestFirst = trades.toReversed();
    const exact = oldestFirst.map(({ price }) => decimalText(price, decimals));
    return {
      times: oldestFirst.map(({ timestamp }) => timestamp),
      prices: exact.map(Number),
      exact,
    };
  }, [trades, decimals]);
  if (older === undefined || prices.times.length === 0) {
    return null;
  }
  const symbol = tokenName(basetoken);
  const day = dayOf(trades, now.value, trades.length === CHARTED_MAX);
  return (
    <section class="card" aria-label={texts.chart}>
      <h2>{texts.chart}</h2>
      <dl class="facts day">
        <div>
          <dt>{t().explorer.order.dayChange}</dt>
          <dd class={(day.change ?? 0) < 0 ? "ask" : "bid"}>
            {day.change === undefined ? "–" : signedPercent(day.change)}
          </dd>
        </div>
        <div>
          <dt>{t().explorer.order.dayVolume}</dt>
          <dd>
            {day.isMore && "≥ "}
            <AmountText amount={day.volume} token={targettoken} />
          </dd>
        </div>
      </dl>
      <PriceChart
        key={`${basetoken}-${targettoken}`}
        prices={prices}
        label={texts.chartMeans(prices.times.length, tokenName(targettoken), symbol)}
        symbol={symbol}
      />
    </section>
  );
}

function signedPercent(part: number): string {
  return `${part > 0 ? "+" : ""}${percentText(part)}`;
}
