import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { moneta, now } from "../../ledger/node.ts";
import { useRead } from "../../ledger/use-read.ts";
import { numberText } from "../../parts/amount-text.tsx";
import { ThingLink } from "../../parts/links/thing-link.tsx";
import { TokenLink } from "../../parts/links/token-link.tsx";
import { Tile } from "../../parts/pictures/tile.tsx";
import { Problem } from "../../parts/problem.tsx";
import { t } from "../../texts/texts.ts";
import { type MostTraded, RATE_MINUTES, readDayFigures } from "./day-figures.ts";

/** Three reads: by the minute, not by the block. */
const AGAIN_MS = 60_000;

export function DayTiles(): JSX.Element {
  const texts = t().explorer.home.day;
  const { value, error, again } = useRead("day figures", (options) =>
    readDayFigures(moneta, now.peek(), options),
  );
  useEffect(() => {
    const timer = setInterval(() => document.hidden || again(), AGAIN_MS);
    return () => clearInterval(timer);
  }, []);
  if (value === undefined && error !== undefined) {
    return <Problem error={error} again={again} />;
  }
  const figure = (count: number | undefined): string =>
    count === undefined ? "–" : numberText(count);
  const perMinute = value && Math.round((value.recent * 10) / RATE_MINUTES) / 10;
  return (
    <dl class="tiles">
      <Tile name={texts.rate}>
        {figure(perMinute)} <span class="quiet small">{texts.rateOver(RATE_MINUTES)}</span>
      </Tile>
      <Tile name={texts.trades}>{figure(value?.trades)}</Tile>
      <Tile name={texts.active}>
        {figure(value?.active)} <span class="quiet small">{texts.about}</span>
      </Tile>
      <Tile name={texts.most}>{value?.most === undefined ? "–" : <Most most={value.most} />}</Tile>
    </dl>
  );
}

function Most({ most: { what, count, of } }: { readonly most: MostTraded }): JSX.Element {
  return (
    <>
      {"token" in what ? <TokenLink token={what.token} /> : <ThingLink id={what.thing} />}{" "}
      <span class="quiet small">{t().explorer.home.day.mostOver(count, of)}</span>
    </>
  );
}
