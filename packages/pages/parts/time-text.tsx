import type { ComponentChildren, JSX } from "preact";
import { useContext } from "preact/hooks";
import { now } from "../ledger/node.ts";
import { locale } from "../texts/texts.ts";
import { InFacts, Reveal } from "./reveal.tsx";

const STEP_MS = 5000;

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ["year", 31_556_952],
  ["month", 2_629_746],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
];

/** `3 minutes ago`, `in 2 days`. */
export function relativeTime(time: number, at: number = now.value): string {
  const seconds = Math.round(time - at);
  const [unit, length] = UNITS.find(([, one]) => Math.abs(seconds) >= one) ?? ["second", 1];
  const format = new Intl.RelativeTimeFormat(locale(), { numeric: "auto", style: "short" });
  return format.format(Math.trunc(seconds / length), unit);
}

export function absoluteTime(time: number): string {
  const format = new Intl.DateTimeFormat(locale(), { dateStyle: "medium", timeStyle: "long" });
  return format.format(time * 1000);
}

/** Unix seconds: relative, in a fact with the absolute time. Source: explorer §1. */
export function TimeText({ time }: { readonly time: number }): JSX.Element {
  const ahead = time - now.value;
  // A new block comes between two steps of the clock, not "in 3 seconds".
  const at = ahead > 0 && ahead <= STEP_MS / 1000 ? time : now.value;
  return (
    <WithTime time={time}>
      <time dateTime={new Date(time * 1000).toISOString()}>{relativeTime(time, at)}</time>
    </WithTime>
  );
}

/** The absolute time is beside it in a fact, elsewhere a tap away. */
export function WithTime({
  time,
  children,
}: {
  readonly time: number;
  readonly children: ComponentChildren;
}): JSX.Element {
  const isWhole = useContext(InFacts);
  return (
    <>
      <Reveal
        isMinor
        more={() => (
          <>
            <p>{absoluteTime(time)}</p>
            <p>
              <code>{time}</code>
            </p>
          </>
        )}
      >
        {children}
      </Reveal>
      {isWhole && <span class="quiet small"> {absoluteTime(time)}</span>}
    </>
  );
}
