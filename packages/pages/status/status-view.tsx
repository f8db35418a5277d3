import { type FaultCode, KINDS_OF_PROBLEM } from "@moneta/protocol";
import type { ComponentChildren, JSX } from "preact";
import { useMemo } from "preact/hooks";
import { View } from "../frame/view.tsx";
import { numberText } from "../parts/amount-text.tsx";
import { Loading } from "../parts/shown.tsx";
import { locale, t } from "../texts/texts.ts";
import { CONDITIONS, FIGURES, type Figure, isAlarming, thresholdOf, type Unit } from "./figures.ts";
import { aMinuteBefore, type Measurements, useMeasurements } from "./measure.ts";
import { type Measured, type Sample, total } from "./metrics.ts";
import "./status-view.css";

/** `writes` of a node that takes writes. Source: cluster §4. */
const ACCEPTED = "accepted";

/** The health and load of a node, for its operator. Source: explorer §4. */
export function StatusView(): JSX.Element {
  const measurements = useMeasurements();
  const { history, problem, hasOtherNodes } = measurements;
  const texts = t().status;
  const now = history.at(-1);
  const figures = useMemo(
    () =>
      FIGURES.filter(({ isOfLog }) => !isOfLog || hasOtherNodes).map((figure) => ({
        figure,
        values: pointsOf(figure, history),
      })),
    [history, hasOtherNodes],
  );
  return (
    <View title={texts.title}>
      <p class="quiet">{texts.about}</p>
      {problem !== undefined ? (
        <p class="problem" role="alert">
          {texts[problem]}
        </p>
      ) : (
        now !== undefined && <Health measurements={measurements} figures={figures} />
      )}
      {now === undefined ? (
        problem === undefined && <Loading />
      ) : (
        <>
          <dl class="figures">
            {figures.map(({ figure, values }) => (
              <FigureTile key={figure.name} figure={figure} values={values} history={history} />
            ))}
          </dl>
          <p class="quiet">{texts.verifiers[verifierOf(now)]}</p>
          <Errors now={now} />
        </>
      )}
    </View>
  );
}

/** What verifies the signatures of the node. */
function verifierOf({ metrics }: Measured): "native" | "platform" {
  return metrics.get("moneta_info")?.[0]?.labels["verifier"] === "native" ? "native" : "platform";
}

interface MeasuredFigure {
  readonly figure: Figure;
  /** The newest last. */
  readonly values: readonly (number | undefined)[];
}

/** The health of the node in one sentence, and the conditions that an operator has to end. */
function Health({
  measurements: { history, unready, writes = ACCEPTED },
  figures,
}: {
  readonly measurements: Measurements;
  readonly figures: readonly MeasuredFigure[];
}): JSX.Element {
  const texts = t().status;
  const [first, now] = [history[0], history.at(-1)];
  const conditions =
    first === undefined || now === undefined
      ? []
      : CONDITIONS.filter(({ holds }) => holds(now, first));
  const alarming = figures
    .filter(({ figure, values }) => isAlarming(figure, values.at(-1)))
    .map(({ figure }) => texts.figures[figure.name].name);
  const isWell = unready === undefined && conditions.length + alarming.length === 0;
  const kind = !isWell ? "bad" : writes === ACCEPTED ? "good" : "";
  return (
    <div role="status">
      <p>
        <span class={`badge ${kind}`}>
          {unready !== undefined
            ? texts.serves.nothing(unready)
            : writes !== ACCEPTED
              ? texts.serves.reads(writes)
              : isWell
                ? texts.serves.all
                : texts.serves.allBut(alarming.join(", "))}
        </span>
      </p>
      {conditions.map(({ name, alert }) => (
        <p key={name} class="problem">
          {texts.conditions[name]} <code>{alert}</code>
        </p>
      ))}
    </div>
  );
}

function FigureTile({
  figure,
  values,
  history,
}: MeasuredFigure & { readonly history: readonly Measured[] }): JSX.Element {
  const { name, unit, alert } = figure;
  const texts = t().status;
  const value = values.at(-1);
  const alarming = isAlarming(figure, value);
  const threshold = thresholdOf(figure);
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
        <Line values={values} unit={unit} threshold={threshold} history={history} />
        <span class="figure-meaning">
          {texts.figures[name].means}
          {alert !== undefined && threshold !== undefined && (
            <>
              {" "}
              {"above" in alert
                ? texts.alertAbove(figureText(threshold, unit))
                : texts.alertBelow(figureText(threshold, unit))}{" "}
              <code>{alert.name}</code>
            </>
          )}
        </span>
      </dd>
    </div>
  );
}

/** Points of a line; more cannot be told apart. */
const POINTS_MAX = 120;

function pointsOf(
  { value }: Figure,
  history: readonly Measured[],
): readonly (number | undefined)[] {
  const step = Math.ceil(history.length / POINTS_MAX);
  const first = history[0];
  return history
    .map((now, index) => ({ now, index }))
    .filter(({ index }) => (history.length - 1 - index) % step === 0)
    .map(({ now, index }) => {
      const minute = aMinuteBefore(history, index);
      return minute === undefined || first === undefined ? undefined : value(now, minute, first);
    });
}

const WIDTH = 240;
const HEIGHT = 40;
/** A threshold is drawn if the line comes so near to it: otherwise the line would be flat. */
const THRESHOLD_SHOWN_FROM = 0.25;

/**
 * The values of the hour as a line from zero, with the value at its top, its time and the threshold.
 * The line is hidden from screen readers, because the figure is beside it.
 */
function Line({
  values,
  unit,
  threshold,
  history,
}: {
  readonly values: readonly (number | undefined)[];
  readonly unit: Unit;
  readonly threshold: number | undefined;
  readonly history: readonly Measured[];
}): JSX.Element {
  const largest = Math.max(...values.map((value) => value ?? 0));
  const isThresholdShown = threshold !== undefined && largest >= threshold * THRESHOLD_SHOWN_FROM;
  const top = Math.max(largest, isThresholdShown ? threshold : 0, Number.MIN_VALUE);
  const heightOf = (value: number): number =>
    HEIGHT - 1 - (Math.max(0, value) / top) * (HEIGHT - 2);
  const points = values
    .map((value, index) =>
      value === undefined
        ? undefined
        : `${(index / Math.max(1, values.length - 1)) * WIDTH},${heightOf(value)}`,
    )
    .filter((point) => point !== undefined);
  const seconds = ((history.at(-1)?.timeMs ?? 0) - (history[0]?.timeMs ?? 0)) / 1000;
  return (
    <span class="figure-line">
      <span>{largest > 0 && figureText(top, unit)}</span>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {isThresholdShown && (
          <line x1="0" x2={WIDTH} y1={heightOf(threshold)} y2={heightOf(threshold)} />
        )}
        <polyline points={points.join(" ")} />
      </svg>
      <span>{seconds > 0 && figureText(-seconds, "seconds")}</span>
      <span>{t().status.now}</span>
    </span>
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
    case "percent":
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

/** Errors since the start of the node: by code, and by path and status. */
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
        heads={[texts.code, texts.error]}
        rows={byCode.map(({ labels: { code = "" }, value }) => ({
          cells: [code, titleOf(code)],
          value,
        }))}
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

function titleOf(code: string): string {
  return Object.hasOwn(KINDS_OF_PROBLEM, code) ? KINDS_OF_PROBLEM[code as FaultCode].title : "";
}

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
