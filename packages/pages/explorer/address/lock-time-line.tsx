import type { JSX } from "preact";
import { AmountText } from "../../parts/amount-text.tsx";
import { share } from "../../parts/number-text.ts";
import { relativeTime } from "../../parts/relative-time.ts";
import { TimeText } from "../../parts/time-text.tsx";
import { locale, t } from "../../texts/texts.ts";
import { placeOf, ticksOf } from "./lock-scale.ts";
import type { TokenBalance } from "./token-balance.ts";
import "./locks.css";

/** Diameters of points, px. */
const SMALLEST = 8;
const LARGEST = 22;

/** `begin` is Unix seconds. */
export function LockTimeLine({
  tokens,
  begin,
}: {
  readonly tokens: readonly TokenBalance[];
  readonly begin: number;
}): JSX.Element {
  const texts = t().explorer.address;
  const withLocks = tokens.filter(({ locks }) => locks.length > 0);
  const all = withLocks
    .flatMap(({ token, locks }) => locks.map((lock) => ({ token, ...lock })))
    .sort((a, b) => a.unlockdate - b.unlockdate);
  const length = Math.max((all.at(-1)?.unlockdate ?? begin) - begin, 1);
  return (
    <section class="locks">
      <h3>{texts.locks}</h3>
      <div class="lock-lines" aria-hidden="true">
        {withLocks.map(({ token, locked, locks }) => (
          <div class="lock-line" key={token}>
            <span class="lock-track">
              {locks.map(({ amount, unlockdate }) => (
                <span
                  key={unlockdate}
                  class="lock-point"
                  style={{
                    left: percent(placeOf(unlockdate - begin, length)),
                    width: `${diameter(amount, locked)}px`,
                    height: `${diameter(amount, locked)}px`,
                  }}
                />
              ))}
            </span>
          </div>
        ))}
        <div class="lock-ticks quiet small">
          {ticksOf(length).map((tick) => (
            <span key={tick} style={{ left: percent(placeOf(tick, length)) }}>
              {relativeTime(begin + tick, begin, locale())}
            </span>
          ))}
        </div>
      </div>
      <ol class="plain lock-list">
        {all.map(({ token, amount, unlockdate }) => (
          <li key={`${token} ${unlockdate}`}>
            <AmountText amount={amount} token={token} />{" "}
            <span class="quiet">{texts.comesFree}</span> <TimeText time={unlockdate} />
          </li>
        ))}
      </ol>
    </section>
  );
}

const percent = (place: number): string => `${place * 100}%`;

function diameter(amount: bigint, locked: bigint): number {
  return Math.round(SMALLEST + (LARGEST - SMALLEST) * Math.sqrt(share(amount, locked)));
}
