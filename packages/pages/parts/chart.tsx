import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { theme } from "../frame/theme.ts";

export type ChartOptions = Omit<uPlot.Options, "width" | "height" | "legend" | "hooks">;

/** Of the last label of an axis. */
const LABEL_PX = 32;

export function axisOf(element: HTMLElement): uPlot.Axis {
  const style = getComputedStyle(element);
  return {
    stroke: () => style.color,
    grid: { stroke: () => style.borderTopColor, width: 1 },
    ticks: { show: false },
    font: `12px ${style.fontFamily}`,
  };
}

/** As wide as its place. A table has the same content for screen readers. */
export function Chart({
  data,
  label,
  pointed,
  height,
  options,
}: {
  /** Ascending Unix seconds or prices, and a row for each series. */
  readonly data: uPlot.AlignedData;
  readonly label: string;
  readonly pointed: (index: number) => string | undefined;
  /** In pixels. */
  readonly height: number;
  /** Depends on the element whose colours the canvas takes. */
  readonly options: (element: HTMLElement) => ChartOptions;
}): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot>(undefined);
  const [at, setAt] = useState<number>();

  useEffect(() => {
    const element = place.current;
    if (element === null) {
      return undefined;
    }
    const size = () => ({ width: element.clientWidth, height });
    const own = options(element);
    const plot = new uPlot(
      {
        ...own,
        ...size(),
        padding: [null, LABEL_PX, null, null],
        cursor: { y: false, drag: { x: false, y: false }, ...own.cursor },
        legend: { show: false },
        hooks: { setCursor: [({ cursor }) => setAt(cursor.idx ?? undefined)] },
      },
      data,
      element,
    );
    chart.current = plot;
    const resized = new ResizeObserver(() => plot.setSize(size()));
    resized.observe(element);
    const redraw = (): void => plot.redraw(false, true);
    const dark = matchMedia("(prefers-color-scheme: dark)");
    dark.addEventListener("change", redraw);
    const stop = theme.subscribe(redraw);
    return () => {
      stop();
      dark.removeEventListener("change", redraw);
      resized.disconnect();
      plot.destroy();
    };
  }, []);
  useEffect(() => chart.current?.setData(data), [data]);

  return (
    <figure class="chart">
      <div
        ref={place}
        role="img"
        aria-label={label}
        class="chart-place"
        style={{ minHeight: `${height}px` }}
      />
      <figcaption class="quiet small">
        {(at === undefined ? undefined : pointed(at)) ?? label}
      </figcaption>
    </figure>
  );
}
