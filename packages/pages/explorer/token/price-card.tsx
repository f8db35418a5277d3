import type { TokenCandle } from "@moneta/sdk";
import type { JSX } from "preact";
import { lazy } from "preact-iso";
import { moneta, now } from "../../ledger/node.ts";
import { useRead } from "../../ledger/use-read.ts";
import { AmountText, numberText, tokenName } from "../../parts/amount-text.tsx";
import { Choice } from "../../parts/lists/choice.tsx";
import { type Column, EntryTable } from "../../parts/lists/entry-table.tsx";
import { percentText } from "../../parts/share-bar.tsx";
import { Loading } from "../../parts/shown.tsx";
import { absoluteTime } from "../../parts/time-text.tsx";
import { useQuery } from "../../parts/use-query.ts";
import { t } from "../../texts/texts.ts";
import { type Candles, dayOf, STEPS, stepsOf } from "./candles.ts";
import "./candles.css";

const CandleChart = lazy(async () => (await import("./candle-chart.tsx")).CandleChart);

interface Traded {
  readonly token: string;
  readonly paytoken: string;
}

export function useCandles(of: Traded): Candles | undefined {
  const { token, paytoken } = of;
  const { value } = useRead(
    `candles ${token} ${paytoken}`,
    async (options): Promise<Candles> => {
      const [day, hour] = await Promise.all([
        moneta.tokenCandles({ ...of, step: "day" }, options),
        moneta.tokenCandles({ ...of, step: "hour" }, options),
      ]);
      return { day, hour };
    },
    { live: true },
  );
  return value;
}

export function PriceCard({ of }: { readonly of: Traded }): JSX.Element | null {
  const candles = useCandles(of);
  if (candles === undefined) {
    return (
      <section class="card candles">
        <Loading />
      </section>
    );
  }
  return candles.day.length === 0 ? null : <Prices of={of} candles={candles} />;
}

function Prices({ of, candles }: { readonly of: Traded; readonly candles: Candles }): JSX.Element {
  const texts = t().explorer.token;
  const { query } = useQuery();
  const { token, paytoken } = of;
  const steps = stepsOf(candles, now.value);
  const [first = "day"] = steps;
  const step = steps.find((one) => one === query["step"]) ?? first;
  const hasMinutes = step === "minute";
  const { value: minutes = [] } = useRead(
    `minutes ${token} ${paytoken} ${hasMinutes}`,
    async (options) => (hasMinutes ? await moneta.tokenCandles({ ...of, step }, options) : []),
    { live: hasMinutes },
  );
  const shown = hasMinutes ? minutes : candles[step];
  const day = dayOf(candles, now.value);
  const symbol = tokenName(paytoken);
  const priceOf = (candle: TokenCandle): string =>
    (["open", "high", "low", "close"] as const)
      .map((name) => `${texts.candle[name]} ${numberText(candle[name])}`)
      .join(", ");
  return (
    <section class="card candles" aria-label={texts.chart}>
      <h2>{texts.chart}</h2>
      <dl class="facts day">
        <div>
          <dt>{texts.dayChange}</dt>
          <dd>{changeText(day.change)}</dd>
        </div>
        <div>
          <dt>{texts.dayVolume}</dt>
          <dd>
            <AmountText amount={day.volume} token={token} />
          </dd>
        </div>
      </dl>
      <Choice
        name="step"
        label={texts.step}
        options={steps.map((one) => [one, texts.steps[one]])}
      />
      <ul class="legend plain">
        {(["rises", "falls"] as const).map((kind) => (
          <li key={kind}>
            <i class={`swatch ${kind}`} aria-hidden="true" />
            {texts.candle[kind]}
          </li>
        ))}
      </ul>
      <CandleChart
        key={`${token} ${paytoken} ${step}`}
        candles={shown}
        seconds={STEPS[step]}
        label={texts.chartMeans(texts.steps[step], tokenName(token), symbol, shown.length)}
        textOf={(candle) => `${absoluteTime(candle.time)}: ${priceOf(candle)} ${symbol}`}
      />
      <details>
        <summary>{t().explorer.home.activity.table}</summary>
        <div class="list">
          <EntryTable<TokenCandle>
            caption={texts.chart}
            entries={shown.toReversed()}
            keyOf={({ time }) => String(time)}
            columns={[
              { head: texts.time, kind: "main", cell: ({ time }) => absoluteTime(time) },
              ...(["open", "high", "low", "close"] as const).map(
                (name): Column<TokenCandle> => ({
                  ...{ head: texts.candle[name], kind: "number" },
                  cell: (candle) => numberText(candle[name]),
                }),
              ),
              { head: texts.volume, amount: ({ volume }) => [volume, token] },
            ]}
          />
        </div>
      </details>
    </section>
  );
}

export function changeText(part: number | undefined): string {
  return part === undefined ? "–" : `${part > 0 ? "+" : ""}${percentText(part)}`;
}
