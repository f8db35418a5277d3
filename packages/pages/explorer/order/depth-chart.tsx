import { decimalText, type OrderBook } from "@moneta/sdk";
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import uPlot from "uplot";
import { numberText, tokenName } from "../../parts/amount-text.tsx";
import { axisOf, Chart, type ChartOptions } from "../../parts/chart.tsx";
import { locale, t } from "../../texts/texts.ts";
import { depthOf } from "./depth.ts";

const HEIGHT_PX = 200;
const MARGIN = 0.06;

/** The lists of levels have the same content for screen readers. */
export function DepthChart({ book }: { readonly book: OrderBook }): JSX.Element {
  const texts = t().explorer.order;
  const { basetoken, targettoken, basedecimal, targetdecimal } = book;
  const depth = useMemo(() => depthOf(book.bids, book.asks), [book]);
  const { prices, bids, asks } = depth;
  const data = useMemo((): uPlot.AlignedData => {
    const quantity = (amount: bigint | undefined): number | null =>
      amount === undefined ? null : Number(decimalText(amount, targetdecimal));
    const places = prices.map((price) => Number(decimalText(price, basedecimal)));
    const [first = 0, last = 0] = [places[0], places.at(-1)];
    // The worst level of each side reaches to the edge.
    const margin = (last - first || last) * MARGIN;
    return [
      [first - margin, ...places, last + margin],
      [bids[0], ...bids, undefined].map(quantity),
      [undefined, ...asks, asks.at(-1)].map(quantity),
    ];
  }, [depth]);
  const amount = (units: bigint, decimals: number, token: string): string =>
    `${numberText(decimalText(units, decimals))} ${tokenName(token)}`;
  const pointed = (place: number): string | undefined => {
    const index = place - 1;
    const [price, sum] = [prices[index], bids[index] ?? asks[index]];
    return price === undefined || sum === undefined
      ? undefined
      : texts.depthAt(
          amount(price, basedecimal, basetoken),
          amount(sum, targetdecimal, targettoken),
        );
  };
  const label = texts.depthMeans(
    amount(bids[0] ?? 0n, targetdecimal, targettoken),
    amount(asks.at(-1) ?? 0n, targetdecimal, targettoken),
  );
  return <Chart data={data} label={label} pointed={pointed} height={HEIGHT_PX} options={options} />;
}

function quantityText(value: number): string {
  return new Intl.NumberFormat(locale(), {
    notation: "compact",
    maximumSignificantDigits: 4,
  }).format(value);
}

function options(element: HTMLElement): ChartOptions {
  const axis = axisOf(element);
  const colorOf = (side: string): string => {
    const swatch = element.closest(".depth")?.querySelector(`.swatch.${side}`);
    return swatch ? getComputedStyle(swatch).backgroundColor : "";
  };
  // A level reaches to the next worse one.
  const series = (side: "bid" | "ask"): uPlot.Series => ({
    stroke: () => colorOf(side),
    fill: () => colorOf(side).replace(/^rgb\((.*)\)$/, "rgba($1, 0.18)"),
    width: 2,
    points: { show: false },
    ...(uPlot.paths.stepped === undefined
      ? {}
      : { paths: uPlot.paths.stepped({ align: side === "bid" ? -1 : 1 }) }),
  });
  return {
    scales: {
      x: { time: false },
      y: { range: (_, _min, max) => [0, max * 1.1 || 1] },
    },
    axes: [
      { ...axis, values: (_, splits) => splits.map(quantityText), space: 70, size: 28 },
      { ...axis, values: (_, splits) => splits.map(quantityText), size: 64 },
    ],
    series: [{}, series("bid"), series("ask")],
  };
}
