import type { TokenCandle } from "@moneta/sdk";
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type uPlot from "uplot";
import { axisOf, Chart, type ChartOptions } from "../../parts/chart.tsx";
import { timeTexts } from "./price-chart.tsx";
import { priceText } from "./trade-prices.ts";

const HEIGHT_PX = 280;
/** A few candles would be broad blocks. */
const STEPS_MIN = 24;
const WIDTH = 0.7;
/** The axis of volumes ends at this multiple, so that bars stay below the prices. */
const VOLUMES = 5;

/**
 * Candles with bars of the volume. Rising ones are hollow, so that colours need not be
 * distinguished. A table has the same content for screen readers.
 */
export function CandleChart({
  candles,
  seconds,
  label,
  textOf,
}: {
  readonly candles: readonly TokenCandle[];
  readonly seconds: number;
  readonly label: string;
  readonly textOf: (candle: TokenCandle) => string;
}): JSX.Element {
  const data = useMemo((): uPlot.AlignedData => {
    const row = (of: (candle: TokenCandle) => string | bigint | number) =>
      candles.map((candle) => Number(of(candle)));
    return [
      row(({ time }) => time),
      row(({ open }) => open),
      row(({ close }) => close),
      row(({ high }) => high),
      row(({ low }) => low),
      row(({ volume }) => volume),
    ];
  }, [candles]);
  const pointed = (index: number): string | undefined => candles[index] && textOf(candles[index]);
  const optionsOf = (element: HTMLElement): ChartOptions => options(element, seconds);
  return (
    <Chart data={data} label={label} pointed={pointed} height={HEIGHT_PX} options={optionsOf} />
  );
}

function options(element: HTMLElement, seconds: number): ChartOptions {
  const axis = axisOf(element);
  const unseen: uPlot.Series = { paths: () => null, points: { show: false } };
  return {
    cursor: { points: { show: false } },
    scales: {
      x: { range: ({ data: [times] }) => timeRange(times, seconds) },
      y: { range: (_, low, high) => around(low, high) },
      volume: { range: (_, _low, high) => [0, high * VOLUMES || 1] },
    },
    axes: [
      { ...axis, values: (_, splits) => timeTexts(splits), space: 90 },
      { ...axis, values: (_, splits) => splits.map(priceText), size: 64 },
    ],
    series: [{}, unseen, unseen, unseen, unseen, { ...unseen, scale: "volume" }],
    plugins: [{ hooks: { draw: (plot) => draw(plot, element, seconds) } }],
  };
}

/** For a single candle uPlot would take years. */
function timeRange(times: ArrayLike<number>, seconds: number): [number, number] {
  const [from = 0, to = 0] = [times[0], times[times.length - 1]];
  return [Math.min(from, to - (STEPS_MIN - 1) * seconds) - seconds / 2, to + seconds / 2];
}

function around(low: number, high: number): [number, number] {
  const height = high - low || high || 1;
  return [low - height / (VOLUMES - 1.5), high + height * 0.05];
}

function draw(plot: uPlot, element: HTMLElement, seconds: number): void {
  const { ctx, data } = plot;
  const swatches = element.closest(".candles");
  const colorOf = (kind: "rises" | "falls"): string => {
    const swatch = swatches?.querySelector(`.swatch.${kind}`);
    return swatch ? getComputedStyle(swatch).borderTopColor : "";
  };
  const colors = { rises: colorOf("rises"), falls: colorOf("falls") };
  const line = getComputedStyle(element).borderTopColor;
  const y = (value: number, scale = "y"): number => plot.valToPos(value, scale, true);
  const stepWidth = plot.valToPos(seconds, "x", true) - plot.valToPos(0, "x", true);
  const width = Math.max(1, Math.round(stepWidth * WIDTH));
  const [times, ...rows] = data;
  ctx.save();
  ctx.lineWidth = Math.max(1, Math.round(devicePixelRatio));
  for (const [index, time] of times.entries()) {
    const [open = 0, close = 0, high = 0, low = 0, volume = 0] = rows.map(
      (row) => row[index] ?? undefined,
    );
    const middle = Math.round(plot.valToPos(time, "x", true));
    const left = Math.round(middle - width / 2);
    ctx.fillStyle = line;
    ctx.fillRect(left, y(volume, "volume"), width, y(0, "volume") - y(volume, "volume"));
    const isRising = close >= open;
    ctx.strokeStyle = isRising ? colors.rises : colors.falls;
    ctx.fillStyle = ctx.strokeStyle;
    const [top, bottom] = [y(Math.max(open, close)), y(Math.min(open, close))];
    ctx.beginPath();
    ctx.moveTo(middle, y(high));
    ctx.lineTo(middle, top);
    ctx.moveTo(middle, bottom);
    ctx.lineTo(middle, y(low));
    ctx.rect(left, top, width, Math.max(1, bottom - top));
    ctx.stroke();
    if (!isRising) {
      ctx.fill();
    }
  }
  ctx.restore();
}
