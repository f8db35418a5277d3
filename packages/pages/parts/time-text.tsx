import type { ComponentChildren, JSX } from "preact";
import { useContext } from "preact/hooks";
import { now } from "../ledger/node.ts";
import { locale } from "../texts/texts.ts";
import { eventTime } from "./relative-time.ts";
import { InFacts, Reveal } from "./reveal.tsx";

/** An event by the pages' clock. */
export function eventText(time: number): string {
  return eventTime(time, now.value, locale());
}

export function absoluteTime(time: number): string {
  const format = new Intl.DateTimeFormat(locale(), { dateStyle: "medium", timeStyle: "long" });
  return format.format(time * 1000);
}

/** Unix seconds: relative, in a fact with the absolute time. Source: explorer §1. */
export function TimeText({ time }: { readonly time: number }): JSX.Element {
  return (
    <WithTime time={time}>
      <time dateTime={new Date(time * 1000).toISOString()}>{eventText(time)}</time>
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
