import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import uPlot from "uplot";
import { numberText } from "../../parts/amount-text.tsx";
import { axisOf, Chart, type ChartOptions } from "../../parts/chart.tsx";
import { absoluteTime } from "../../parts/time-text.tsx";
import { locale } from "../../texts/texts.ts";
import { ACTIVITY_KINDS, type ActivityBar } from "./activity.ts";

const HEIGHT_PX = 220;
/** Seconds between labels, which show none. */
const INCREMENTS = [60, 300, 600, 900, 3600, 10_800, 21_600];

/** Stacked bars over time; the table has the same content for screen readers. */
export function ActivityChart({
  bars,
  label,
}: {
  readonly bars: readonly ActivityBar[];
  readonly label: string;
}): JSX.Element {
  const data = useMemo(() => stacked(bars), [bars]);
  const pointed = (index: number): string | undefined => {
    const bar = bars[index];
    return bar && `${numberText(bar.count)} · ${absoluteTime(bar.time)}`;
  };
  return <Chart data={data} label={label} pointed={pointed} height={HEIGHT_PX} options={options} />;
}

/** Later rows are drawn over earlier ones, so the sums begin with the top. */
function stacked(bars: readonly ActivityBar[]): uPlot.AlignedData {
  const sums = ACTIVITY_KINDS.map((_, top) =>
    bars.map(({ kinds }) =>
      ACTIVITY_KINDS.slice(0, top + 1).reduce((sum, kind) => sum + kinds[kind], 0),
    ),
  );
  return [bars.map(({ time }) => time), ...sums.toReversed()];
}

function timeRange(times: ArrayLike<number>): [number, number] {
  const [first = 0, second = first] = [times[0], times[1]];
  const half = (second - first) / 2;
  return [first - half, (times[times.length - 1] ?? first) + half];
}

function options(element: HTMLElement): ChartOptions {
  const axis = axisOf(element);
  const time = new Intl.DateTimeFormat(locale(), { timeStyle: "short" });
  return {
    cursor: { points: { show: false } },
    scales: {
      x: { range: ({ data: [times] }) => timeRange(times) },
      y: { range: (_, _min, max) => [0, Math.max(4, Math.ceil(max * 1.1))] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        values: (_, splits) => splits.map((one) => time.format(one * 1000)),
        incrs: [...INCREMENTS],
        space: 80,
        size: 28,
      },
      {
        ...axis,
        values: (_, splits) => splits.map((one) => (Number.isInteger(one) ? numberText(one) : "")),
        size: 52,
      },
    ],
    series: [
      {},
      ...ACTIVITY_KINDS.toReversed().map((kind) => ({
        fill: () => colorOf(element, kind),
        width: 0,
        points: { show: false },
        ...(uPlot.paths.bars === undefined ? {} : { paths: uPlot.paths.bars({ size: [0.8, 48] }) }),
      })),
    ],
  };
}

function colorOf(element: HTMLElement, kind: string): string {
  const swatch = element.closest(".activity")?.querySelector(`.kind-${kind}`);
  return swatch ? getComputedStyle(swatch).backgroundColor : "";
}
