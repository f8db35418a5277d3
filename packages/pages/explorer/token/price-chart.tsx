import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import uPlot from "uplot";
import { axisOf, Chart, type ChartOptions } from "../../parts/chart.tsx";
import { absoluteTime } from "../../parts/time-text.tsx";
import { locale } from "../../texts/texts.ts";
import { priceText } from "./trade-prices.ts";

const HEIGHT_PX = 240;
const DAY = 86_400;
const MINUTE = 60;

/** Steps over time. The table of trades has the same content for screen readers. */
export function PriceChart({
  prices,
  label,
  symbol,
}: {
  /** The oldest first, Unix seconds; prices are approximate. */
  readonly prices: { readonly times: readonly number[]; readonly prices: readonly number[] };
  readonly label: string;
  readonly symbol: string;
}): JSX.Element {
  const data = useMemo((): uPlot.AlignedData => [[...prices.times], [...prices.prices]], [prices]);
  const pointed = (index: number): string | undefined => {
    const [time, price] = [prices.times[index], prices.prices[index]];
    return time === undefined || price === undefined
      ? undefined
      : `${priceText(price)} ${symbol} · ${absoluteTime(time)}`;
  };
  return <Chart data={data} label={label} pointed={pointed} height={HEIGHT_PX} options={options} />;
}

export function timeTexts(times: readonly number[]): string[] {
  const length = (times.at(-1) ?? 0) - (times[0] ?? 0);
  const format = new Intl.DateTimeFormat(
    locale(),
    length < DAY
      ? { timeStyle: length < 10 * MINUTE ? "medium" : "short" }
      : { month: "short", day: "numeric" },
  );
  const texts = times.map((time) => format.format(time * 1000));
  return texts.map((text, place) => (text === texts[place - 1] ? "" : text));
}

/** Around trades of one moment, which uPlot would put at the edge of a day. */
function timeRange(times: ArrayLike<number>): [number, number] {
  const [from = 0, to = 0] = [times[0], times[times.length - 1]];
  return from === to ? [from - MINUTE, to + MINUTE] : [from, to];
}

function options(element: HTMLElement): ChartOptions {
  const style = getComputedStyle(element);
  const axis = axisOf(element);
  return {
    scales: { x: { range: ({ data: [times] }) => timeRange(times) } },
    axes: [
      { ...axis, values: (_, splits) => timeTexts(splits), space: 90 },
      { ...axis, values: (_, splits) => splits.map(priceText), size: 64 },
    ],
    series: [
      {},
      {
        stroke: () => style.outlineColor,
        width: 2,
        points: { show: true, size: 5, fill: () => style.outlineColor },
        ...(uPlot.paths.stepped === undefined ? {} : { paths: uPlot.paths.stepped({ align: 1 }) }),
      },
    ],
  };
}
