import { type FaultCode, KINDS_OF_PROBLEM } from "@moneta/protocol";
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { View } from "../frame/view.tsx";
import { moneta, NODE_URL } from "../ledger/node.ts";
import { numberText } from "../parts/amount-text.tsx";
import { Loading } from "../parts/shown.tsx";
import { locale, t } from "../texts/texts.ts";
import { FIGURES, type Figure, levelOf, type Unit } from "./figures.ts";
import { baseOf, type Measured, parseMetrics, total, WINDOW_SECONDS } from "./metrics.ts";
import "./status-view.css";

const EVERY_MS = 5000;
const HISTORY_SECONDS = 3600;

/** Source: cluster §4. */
const ACCEPTED = "accepted";

/** Source: cluster §4. */
interface Ready {
  readonly writes?: string;
  readonly log?: "shared" | "followed";
  readonly detail?: string;
}

interface Point {
  readonly time: number;
  readonly values: readonly (number | undefined)[];
}

interface Measurements {
  readonly points: readonly Point[];
  /** For rates, the newest last. */
  readonly minute: readonly Measured[];
  readonly ready: Ready;
  readonly problem: "closed" | "unreachable" | undefined;
}

/** Source: explorer §4. */
export function StatusView(): JSX.Element {
  const measurements = useMeasurements();
  const { points, minute, ready, problem } = measurements;
  const now = minute.at(-1);
  return (
    <View title={t().status.title}>
      {now === undefined && problem === undefined ? (
        <Loading />
      ) : (
        <Health measurements={measurements} />
      )}
      {now !== undefined && (
        <>
          <dl class="figures">
            {FIGURES.map((figure, index) =>
              figure.isOfLog && ready.log === undefined ? null : (
                <FigureTile
                  key={figure.name}
                  figure={figure}
                  times={points.map(({ time }) => time)}
                  values={points.map(({ values }) => values[index])}
                />
              ),
            )}
          </dl>
          <Errors now={now} />
        </>
      )}
    </View>
  );
}

/** Every five seconds while the view is shown. */
function useMeasurements(): Measurements {
  const [measurements, set] = useState<Measurements>({
    points: [],
    minute: [],
    ready: {},
    problem: undefined,
  });
  useEffect(() => {
    const abort = new AbortController();
    const { signal } = abort;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const measure = async (): Promise<void> => {
      try {
        const within = AbortSignal.any([signal, AbortSignal.timeout(EVERY_MS * 2)]);
        const [figures, health] = await Promise.all(
          ["metrics", "ready"].map((path) => fetch(`${NODE_URL}/${path}`, { signal: within })),
        );
        const text = figures?.ok ? await figures.text() : "";
        const answer = ((await health?.json()) ?? {}) as Ready;
        const now = parseMetrics(text, moneta.clock.now());
        if (!now.metrics.has("moneta_height")) {
          set((before) => ({ ...before, ready: answer, problem: "closed" }));
        } else {
          set(({ points, minute, ready }) => ({
            points: [
              ...points.filter(({ time }) => time > now.time - HISTORY_SECONDS),
              {
                time: now.time,
                values: FIGURES.map(({ value }) => value(now, baseOf(now, minute))),
              },
            ],
            minute: [...minute.filter(({ time }) => time > now.time - WINDOW_SECONDS), now],
            // A node that is not ready does not name its log.
            ready: health?.ok ? answer : { ...ready, ...answer },
            problem: undefined,
          }));
        }
      } catch {
        if (!signal.aborted) {
          set((before) => ({ ...before, problem: "unreachable" }));
        }
      }
      // A later measurement never overtakes an earlier one.
      if (!signal.aborted) {
        timer = setTimeout(() => void measure(), EVERY_MS);
      }
    };
    void measure();
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
  }, []);
  return measurements;
}

function Health({
  measurements: { points, minute, ready, problem },
}: {
  readonly measurements: Measurements;
}): JSX.Element {
  const { health, figures, ...texts } = t().status;
  const now = minute.at(-1);
  const past = FIGURES.filter(
    (figure, index) => levelOf(figure, points.at(-1)?.values[index]) === "bad",
  ).map(({ name }) => figures[name].name);
  const follows = ready.log === "followed";
  const [level, sentence] =
    problem !== undefined
      ? ["bad", texts[problem]]
      : ready.detail !== undefined
        ? ["bad", health.nothing(ready.detail)]
        : ready.writes !== undefined && ready.writes !== ACCEPTED && !follows
          ? ["bad", health.reads(ready.writes)]
          : past.length > 0
            ? ["bad", health.past(past.join(", "))]
            : now !== undefined && (total(now, "moneta_unknown_protocol_version") ?? 0) > 0
              ? ["warn", health.rulesUnknown]
              : ["good", follows ? health.follows : health.all];
  return (
    <p class={`health ${level}`} role={problem === undefined ? "status" : "alert"}>
      {sentence}
    </p>
  );
}

interface FigureProps {
  readonly figure: Figure;
  /** Unix seconds, the newest last. */
  readonly times: readonly number[];
  readonly values: readonly (number | undefined)[];
}

function FigureTile({ figure, times, values }: FigureProps): JSX.Element {
  const { name, unit, alert } = figure;
  const { figures, none, above, below } = t().status;
  const value = values.at(-1);
  return (
    <div class={`tile figure ${levelOf(figure, value)}`}>
      <dt>{figures[name].name}</dt>
      <dd>
        <span class="value">{value === undefined ? none : figureText(value, unit)}</span>
        <Line figure={figure} times={times} values={values} />
        <span class="quiet small">
          {figures[name].means}
          {alert && (
            <>
              {" "}
              {(alert.isBelow ? below : above)(figureText(alert.threshold, unit))}{" "}
              <code>{alert.name}</code>
            </>
          )}
        </span>
      </dd>
    </div>
  );
}

const WIDTH = 240;
const HEIGHT = 48;

/** From zero; values past the threshold are shaded. The first value alone is a level line. */
function Line({ figure: { unit, alert }, times, values }: FigureProps): JSX.Element {
  const largest = Math.max(0, ...values.map((value) => value ?? 0));
  const top = Math.max(largest, unit === "percent" ? 1 : 2 * (alert?.threshold ?? 0)) || 1;
  const [from = 0, to = 0] = [times[0], times.at(-1)];
  const y = (value: number): number => HEIGHT * (1 - value / top);
  const points = values.flatMap((value, index) =>
    value === undefined
      ? []
      : [
          from === to
            ? `0,${y(value)} ${WIDTH},${y(value)}`
            : `${(WIDTH * ((times[index] ?? 0) - from)) / (to - from)},${y(value)}`,
        ],
  );
  return (
    <span class="figure-line" aria-hidden="true">
      <span>{figureText(top, unit)}</span>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {alert !== undefined && alert.threshold > 0 && (
          <rect
            width={WIDTH}
            y={alert.isBelow ? y(alert.threshold) : 0}
            height={alert.isBelow ? HEIGHT - y(alert.threshold) : y(alert.threshold)}
          />
        )}
        <polyline points={points.join(" ")} />
      </svg>
      <span>{figureText(0, unit)}</span>
      <span>
        {from !== to && <time>{timeText(from)}</time>} <time>{timeText(to)}</time>
      </span>
    </span>
  );
}

function timeText(time: number): string {
  return new Intl.DateTimeFormat(locale(), { timeStyle: "medium" }).format(time * 1000);
}

function figureText(value: number, unit: Unit): string {
  const format = (number: number, options: Intl.NumberFormatOptions = {}): string =>
    new Intl.NumberFormat(locale(), { maximumSignificantDigits: 3, ...options }).format(number);
  switch (unit) {
    case "count":
      return format(value);
    case "perSecond":
      return t().status.perSecond(format(value));
    case "percent":
      return format(value, { style: "percent" });
    case "seconds":
      return value < 1
        ? format(value * 1000, { style: "unit", unit: "millisecond" })
        : format(value, { style: "unit", unit: "second" });
    case "bytes":
      return value < 1e9
        ? format(value / 1e6, { style: "unit", unit: "megabyte" })
        : format(value / 1e9, { style: "unit", unit: "gigabyte" });
  }
}

const ERRORS_MAX = 20;

function Errors({ now }: { readonly now: Measured }): JSX.Element {
  const { errors, code, error, count, ofAnswers, noErrors } = t().status;
  const rows = [...(now.metrics.get("moneta_problems_total") ?? [])]
    .map(({ labels, value }) => ({ fault: /"(\w+)"/.exec(labels)?.[1] ?? "", value }))
    .sort((a, b) => b.value - a.value)
    .slice(0, ERRORS_MAX);
  const answers = total(now, "moneta_http_request_duration_seconds_count") ?? 0;
  return (
    <section class="list">
      <header>
        <h2>{errors}</h2>
        <span class="quiet">{ofAnswers(numberText(answers))}</span>
      </header>
      {rows.length === 0 ? (
        <p class="empty">{noErrors}</p>
      ) : (
        <table aria-label={errors}>
          <thead>
            <tr>
              <th scope="col">{error}</th>
              <th scope="col">{code}</th>
              <th scope="col" class="number">
                {count}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ fault, value }) => (
              <tr key={fault}>
                <td class="main">{KINDS_OF_PROBLEM[fault as FaultCode]?.title ?? ""}</td>
                <td data-head={code}>{fault}</td>
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
