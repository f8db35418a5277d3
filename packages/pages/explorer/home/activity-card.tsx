import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { moneta, now } from "../../ledger/node.ts";
import { useRead } from "../../ledger/use-read.ts";
import { numberText } from "../../parts/amount-text.tsx";
import { type Column, EntryTable } from "../../parts/lists/entry-table.tsx";
import { Shown } from "../../parts/shown.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { absoluteTime, TimeText } from "../../parts/time-text.tsx";
import { t } from "../../texts/texts.ts";
import {
  ACTIVITY_KINDS,
  ACTIVITY_SPANS,
  type ActivityBar,
  type ActivitySpan,
  activityBars,
  firstBar,
} from "./activity.ts";
import "./activity.css";

export function ActivityCard(): JSX.Element {
  const texts = t().explorer.home.activity;
  return (
    <section class="card activity" aria-label={texts.title}>
      <h2>{texts.title}</h2>
      <Tabs<ActivitySpan>
        label={texts.title}
        tabs={[
          ["hour", texts.hour],
          ["day", texts.day],
        ]}
      >
        {(span) => <Activity span={span} />}
      </Tabs>
    </section>
  );
}

function Activity({ span }: { readonly span: ActivitySpan }): JSX.Element {
  const { step } = ACTIVITY_SPANS[span];
  const begun = useRef<number | undefined>(undefined);
  const read = useRead(
    `totals ${span}`,
    async (options) => {
      const since = firstBar(span, now.peek());
      const totals = await moneta.totals({ step, since }, options);
      begun.current ??= (await moneta.block({ block: "0" }, options)).timestamp;
      const bars = activityBars(totals, span, { first: since, begun: begun.current });
      const isQuiet = bars.every(({ count }) => count === 0);
      return {
        bars,
        last: isQuiet ? (await moneta.blocks({ limit: 1 }, options)).items[0] : undefined,
      };
    },
    { live: true },
  );
  return (
    <Shown read={read}>
      {({ bars, last }) =>
        last === undefined ? (
          <Bars bars={bars} span={span} />
        ) : (
          <p class="empty">
            {t().explorer.home.activity.empty} {t().explorer.home.tiles.made}:{" "}
            <TimeText time={last.timestamp} />
          </p>
        )
      }
    </Shown>
  );
}

function Bars({
  bars,
  span,
}: {
  readonly bars: readonly ActivityBar[];
  readonly span: ActivitySpan;
}): JSX.Element {
  const texts = t().explorer.home.activity;
  const sum = bars.reduce((total, { count }) => total + count, 0);
  const label = texts.means[span](numberText(sum));
  const Chart = useActivityChart();
  return (
    <>
      <ul class="legend plain">
        {ACTIVITY_KINDS.map((kind) => (
          <li key={kind}>
            <i class={`swatch kind-${kind}`} aria-hidden="true" />
            {texts.kinds[kind]}
          </li>
        ))}
      </ul>
      {Chart === undefined ? (
        <div class="activity-place" />
      ) : (
        <Chart key={span} bars={bars} label={label} />
      )}
      <p class="quiet small">{texts.about}</p>
      <details>
        <summary>{texts.table}</summary>
        <div class="list">
          <BarTable bars={bars} />
        </div>
      </details>
    </>
  );
}

/** The chart once its code is loaded; the view does not wait. */
function useActivityChart(): typeof import("./activity-chart.tsx").ActivityChart | undefined {
  const [chart, setChart] = useState<{
    readonly of: typeof import("./activity-chart.tsx").ActivityChart;
  }>();
  useEffect(() => {
    import("./activity-chart.tsx").then(
      ({ ActivityChart }) => setChart({ of: ActivityChart }),
      () => undefined, // the table has the same content
    );
  }, []);
  return chart?.of;
}

function BarTable({ bars }: { readonly bars: readonly ActivityBar[] }): JSX.Element {
  const texts = t().explorer.home.activity;
  const done = bars.filter(({ count }) => count > 0).toReversed();
  const kinds = ACTIVITY_KINDS.map(
    (kind): Column<ActivityBar> => ({ head: texts.kinds[kind], count: (bar) => bar.kinds[kind] }),
  );
  return (
    <EntryTable<ActivityBar>
      caption={texts.title}
      entries={done}
      keyOf={({ time }) => String(time)}
      columns={[
        { head: texts.time, kind: "main", cell: ({ time }) => absoluteTime(time) },
        { head: texts.count, count: ({ count }) => count },
        ...kinds,
      ]}
    />
  );
}
