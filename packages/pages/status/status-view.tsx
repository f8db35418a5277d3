import type { ComponentChildren, JSX } from "preact";
import { useMemo } from "preact/hooks";
import { View } from "../frame/view.tsx";
import { numberText } from "../parts/amount-text.tsx";
import { Loading } from "../parts/shown.tsx";
import { locale, t } from "../texts/texts.ts";
import { CONDITIONS, FIGURES, type Figure, isAlarming, type Unit } from "./figures.ts";
import { aMinuteBefore, useMeasurements } from "./measure.ts";
import { type Measured, type Sample, total } from "./metrics.ts";
import "./status-view.css";

/** What a node says of its writes while it takes them. Source: cluster §4. */
const ACCEPTED = "accepted";

/** How a node is, for who operates it. Source: explorer §4. */
export function StatusView(): JSX.Element {
  const { history, problem, isReady, writes, hasOtherNodes } = useMeasurements();
  const texts = t().status;
  const now = history.at(-1);
  const first = history[0];
  return (
    <View title={texts.title}>
      <p class="quiet">{texts.about}</p>
      {isReady !== undefined && (
        <p>
          <span class={isReady ? "badge good" : "badge bad"}>
            {isReady ? texts.ready : texts.notReady}
          </span>
          {isReady && writes !== undefined && writes !== ACCEPTED && (
            <>
              {" "}
              <span class="badge">
                {texts.noWrites} {writes}
              </span>
            </>
          )}
        </p>
      )}
      {problem !== undefined && (
        <p class="problem" role="alert">
          {texts[problem]}
        </p>
      )}
      {now === undefined || first === undefined ? (
        problem === undefined && <Loading />
      ) : (
        <>
          <Conditions now={now} first={first} />
          <dl class="figures">
            {FIGURES.filter(({ isOfLog }) => !isOfLog || hasOtherNodes).map((figure) => (
              <FigureTile key={figure.name} figure={figure} history={history} />
            ))}
          </dl>
          <Errors now={now} />
        </>
      )}
    </View>
  );
}

function Conditions({
  now,
  first,
}: {
  readonly now: Measured;
  readonly first: Measured;
}): JSX.Element {
  const texts = t().status;
  const holding = CONDITIONS.filter(({ holds }) => holds(now, first));
  return (
    <div role="status">
      {holding.map(({ name, alert }) => (
        <p key={name} class="problem">
          {texts.conditions[name]} <code>{alert}</code>
        </p>
      ))}
    </div>
  );
}

/** Points of a line; more cannot be told apart. */
const POINTS_MAX = 120;

function FigureTile({
  figure,
  history,
}: {
  readonly figure: Figure;
  readonly history: readonly Measured[];
}): JSX.Element {
  const { name, unit, alert } = figure;
  const texts = t().status;
  const step = Math.ceil(history.length / POINTS_MAX);
  const values = useMemo(
    () =>
      history
        .map((_, index) => index)
        .filter((index) => (history.length - 1 - index) % step === 0)
        .map((index) => valueAt(figure, history, index)),
    [history],
  );
  const value = values.at(-1);
  const alarming = isAlarming(figure, value);
  return (
    <div class={alarming ? "tile figure alarming" : "tile figure"}>
      <dt>{texts.figures[name].name}</dt>
      <dd>
        <span class="figure-value">
          {value !== undefined
            ? figureText(value, unit)
            : history.length === 1 // most are of the time between two
              ? texts.measuring
              : texts.nothing}
        </span>
        {alarming && <span class="badge bad">{texts.alarming}</span>}
        <Line values={values} />
        <span class="figure-meaning">
          {texts.figures[name].means}
          {alert !== undefined && (
            <>
              {" "}
              {texts.watchedBy} <code>{alert.name}</code>
            </>
          )}
        </span>
      </dd>
    </div>
  );
}

function valueAt(
  { value }: Figure,
  history: readonly Measured[],
  index: number,
): number | undefined {
  const now = history[index];
  const minute = aMinuteBefore(history, index);
  const first = history[0];
  return now === undefined || minute === undefined || first === undefined
    ? undefined
    : value(now, minute, first);
}

const WIDTH = 240;
const HEIGHT = 40;

/** The values of the hour as a line from zero. Its figure is beside it, so it is for eyes alone. */
function Line({ values }: { readonly values: readonly (number | undefined)[] }): JSX.Element {
  const top = Math.max(...values.map((value) => value ?? 0), Number.MIN_VALUE);
  const points = values
    .map((value, index) =>
      value === undefined
        ? undefined
        : `${(index / Math.max(1, values.length - 1)) * WIDTH},${HEIGHT - 1 - (Math.max(0, value) / top) * (HEIGHT - 2)}`,
    )
    .filter((point) => point !== undefined);
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <polyline points={points.join(" ")} />
    </svg>
  );
}

const MILLISECOND = { unit: "millisecond", length: 0.001 };
/** The units of durations, and from how many seconds on each is used. */
const DURATIONS = [
  { unit: "day", from: 172_800, length: 86_400 },
  { unit: "hour", from: 7200, length: 3600 },
  { unit: "minute", from: 120, length: 60 },
  { unit: "second", from: 1, length: 1 },
];

const BYTES = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte", "petabyte"] as const;

/** A figure with its unit, in the reader's locale, to three digits. */
function figureText(value: number, unit: Unit): string {
  const format = (number: number, options: Intl.NumberFormatOptions = {}): string =>
    new Intl.NumberFormat(locale(), { maximumSignificantDigits: 3, ...options }).format(number);
  switch (unit) {
    case "count":
      return format(value, { maximumFractionDigits: 1, roundingPriority: "morePrecision" });
    case "perSecond":
      return t().status.perSecond(format(value));
    case "perMinute":
      return t().status.perMinute(format(value));
    case "percent":
    case "share":
      return format(value, { style: "percent" });
    case "days":
      return format(value, { style: "unit", unit: "day", unitDisplay: "long" });
    case "seconds": {
      const { unit: name, length } =
        DURATIONS.find(({ from }) => Math.abs(value) >= from) ?? MILLISECOND;
      return format(value / length, { style: "unit", unit: name });
    }
    case "bytes": {
      const step = Math.min(BYTES.length - 1, Math.floor(Math.log10(Math.max(1, value)) / 3));
      return format(value / 1000 ** step, { style: "unit", unit: BYTES[step] ?? "byte" });
    }
  }
}

/** Answers that were errors since the start of the node: by code, and by path and status. */
function Errors({ now }: { readonly now: Measured }): JSX.Element {
  const texts = t().status;
  const name = "moneta_http_request_duration_seconds_count";
  const byPath = mostCounted(now, name, ({ status }) => /^[45]/.test(status ?? ""));
  const byCode = mostCounted(now, "moneta_problems_total", () => true);
  const answers = total(now.metrics, name) ?? 0;
  return (
    <>
      <Counts
        caption={texts.errorsByCode}
        note={texts.ofAnswers(numberText(answers))}
        heads={[texts.code]}
        rows={byCode.map(({ labels, value }) => ({ cells: [labels["code"]], value }))}
      />
      <Counts
        caption={texts.errorsByPath}
        note={texts.ofAnswers(numberText(answers))}
        heads={[texts.status, texts.route]}
        rows={byPath.map(({ labels, value }) => {
          const route = `${labels["method"]} ${labels["route"] || texts.noRoute}`;
          return { cells: [labels["status"], <code key="route">{route}</code>], value };
        })}
      />
    </>
  );
}

/** The samples of a counter that were counted most. */
function mostCounted(
  { metrics }: Measured,
  name: string,
  isMeant: (labels: Sample["labels"]) => boolean,
): readonly Sample[] {
  return (metrics.get(name) ?? [])
    .filter(({ labels }) => isMeant(labels))
    .sort((a, b) => b.value - a.value)
    .slice(0, 20);
}

interface CountsProps {
  readonly caption: string;
  readonly note: string;
  readonly heads: readonly string[];
  readonly rows: readonly {
    readonly cells: readonly ComponentChildren[];
    readonly value: number;
  }[];
}

function Counts({ caption, note, heads, rows }: CountsProps): JSX.Element {
  const { count, noErrors } = t().status;
  return (
    <section class="list">
      <header>
        <h2>{caption}</h2>
        <span class="quiet">{note}</span>
      </header>
      {rows.length === 0 ? (
        <p class="empty">{noErrors}</p>
      ) : (
        <table aria-label={caption}>
          <thead>
            <tr>
              {heads.map((head) => (
                <th scope="col" key={head}>
                  {head}
                </th>
              ))}
              <th scope="col" class="number">
                {count}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ cells, value }, index) => (
              <tr key={index}>
                {cells.map((cell, column) => (
                  <td data-head={heads[column]} key={heads[column]}>
                    {cell}
                  </td>
                ))}
                <td data-head={count} class="number">
                  {numberText(value)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
